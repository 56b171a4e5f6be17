#!/bin/sh
# Fails, naming each line, where a folder of the library includes a header it must not know:
#   - one of a higher folder, in the order base kernels text noise certify model engine train;
#   - certify from model, engine or train, and noise from model;
#   - from a public header: anything but the standard library and other public headers.
# A public header must not have conditional parts (#if, #ifdef) either.
# Usage: layering.sh TREE
set -eu
cd "$1"
order="base kernels text noise certify model engine train"
broken=0

complain() {  # the lines on stdin, and why
  while IFS= read -r line; do
    echo "$line: $1" >&2
    broken=1
  done
  return 0
}

# The #include lines of the files of a folder: "file:line:#include ..."
includes() {
  for place in "include/textcrs/$1" "src/$1"; do
    [ ! -d "$place" ] || grep -rnE '^[[:space:]]*#[[:space:]]*include' "$place" || true
  done
}

forbid() {  # folder, the folder it must not know, why
  # A header is named by its public path, or, in src, by folder/name.h.
  includes "$1" | grep -E "include[[:space:]]*[<\"](\.\./|textcrs/)*$2/" >"$found" || true
  complain "$3" <"$found"
}

found=$(mktemp)
trap 'rm -f "$found"' EXIT

lower=""
for folder in $order; do
  for other in $order; do
    case " $lower $folder " in
      *" $other "*) ;;
      *) forbid "$folder" "$other" "$folder must not know $other, a higher folder" ;;
    esac
  done
  lower="$lower $folder"
done
forbid model noise "model must not know noise"
for folder in model engine train; do
  forbid "$folder" certify "$folder must not know certify"
done

grep -rnE '^[[:space:]]*#[[:space:]]*include' include/textcrs |
  grep -vE ':[[:space:]]*#[[:space:]]*include[[:space:]]*("textcrs/[a-z_/]+\.h"|<[a-z_0-9]+>)' >"$found" || true
complain "a public header includes only the standard library and textcrs/ headers" <"$found"
grep -rnE '^[[:space:]]*#[[:space:]]*(if|ifdef|ifndef|elif)' include/textcrs >"$found" || true
complain "a public header has no conditional parts" <"$found"

exit "$broken"
