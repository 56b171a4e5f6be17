#!/bin/sh
# Fails, naming each line, where a source of the library knows what it must not:
#   - a folder after its own, in the order below, or a folder that the order does not have;
#   - certify from model, engine, blackbox, torch, train or attack, and noise from model;
#   - LibTorch, anywhere but in torch;
#   - the program's command line: CLI11, or a flag in a string or a comment;
#   - a parser of nlohmann's, anywhere but in text/json.cc, which bounds depth and memory; the
#     program is looked at, too, where the tree has it;
#   - two headers that define a type of the same name: to the linker their templates would be one;
#   - in a public header: anything but the standard library and other public headers, or a
#     conditional part (#if, #ifdef).
# Usage: layering.sh TREE
set -eu
export LC_ALL=C
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
order="base http kernels text data noise certify model engine blackbox torch train attack certified report plot page suite"

said=$(
  # "file:line:#include ..." and the like
  grep -rnE '^[[:space:]]*#[[:space:]]*include' src include | awk -v order="$order" -f "$here/includes.awk"
  grep -rnE '^[[:space:]]*#[[:space:]]*(if|ifdef|ifndef|elif)' include |
    sed 's/$/: a public header has no conditional parts/'
  set -- src include
  [ ! -d cli ] || set -- "$@" cli
  grep -rnE '[jJ]son::(parse|sax_parse|accept|from_[a-z]+) *\(' "$@" |
    grep -vE '^src/text/json\.cc:' | sed 's/$/: JSON is read by text\/json.h alone/'
  grep -rnE '^(struct|class|enum class|enum) [^;]*\{' --include='*.h' include src | sort -t: -k1,1 -k2,2n |
    awk -f "$here/types.awk"
  # npm and tar are started with flags of their own.
  grep -rnE -- '[^-]--[a-z]' src include | grep -vE '"(npm|tar)", ' | awk -f "$here/flags.awk"
)
[ -z "$said" ] || { printf '%s\n' "$said" >&2; exit 1; }
