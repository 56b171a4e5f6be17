# From "file:line:#include ..." to those of them that break a rule, each with the rule. `order` has
# the folders of the library, lowest first.
BEGIN {
  count = split(order, folders, " ")
  for (i = 1; i <= count; ++i) place[folders[i]] = i
  split("model engine blackbox torch train attack", blind, " ")
  for (i in blind) forbidden[blind[i], "certify"] = 1
  forbidden["model", "noise"] = 1
}

function complain(why) { print $0 ": " why }

{
  file = $0
  sub(/:.*/, "", file)
  folder = file
  sub(/^(src|include\/textcrs)\//, "", folder)
  sub(/\/.*/, "", folder)

  # The header with its bracket or quote, and the folder of the library it is in, if it is in one:
  # named by its public path, or, in src, by folder/name.h. <torch/...> is LibTorch's.
  header = $0
  sub(/^[^:]*:[^:]*:[ \t]*#[ \t]*include[ \t]*/, "", header)
  libtorch = header ~ /^(<torch\/|[<"](ATen|c10|caffe2)\/)/
  other = substr(header, 2)
  while (sub(/^(\.\.|textcrs|src|include)\//, "", other)) {}
  other = libtorch || other !~ /\// ? "" : substr(other, 1, index(other, "/") - 1)

  if (!(folder in place)) complain(folder " has no place in the order of the folders")
  else if (other in place && place[other] > place[folder])
    complain(folder " must not know " other ", a higher folder")
  else if ((folder, other) in forbidden) complain(folder " must not know " other)

  if (libtorch && folder != "torch") complain("only torch knows LibTorch")
  if (header ~ /^[<"]CLI/) complain("the command line belongs to the program")
  if (file ~ /^include\// && header !~ /^("textcrs\/[a-z_0-9\/]+\.h"|<[a-z_0-9]+>)/)
    complain("a public header includes only the standard library and textcrs/ headers")
}
