# From "file:line:struct Name : Base {" to those lines whose name a line of another file had before.
# The folder plot has a namespace of its own.
{
  head = $0
  sub(/^[^:]*:[^:]*:/, "", head)
  sub(/^enum /, "", head)
  sub(/^(struct|class) /, "", head)
  sub(/^TEXTCRS_API /, "", head)
  match(head, /^[A-Za-z0-9_]+/)
  name = substr(head, 1, RLENGTH)
  file = substr($0, 1, index($0, ":") - 1)
  if (file ~ /\/plot\//) name = "plot::" name
  if (name in first && first[name] != file) print $0 ": the type of another header, " first[name]
  else first[name] = file
}
