#!/bin/sh
# Plants one fault after the other in a sound little tree; layering.sh must name each, and only then
# fail. Usage: self_test.sh LAYERING_SCRIPT
set -eu
script=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
for folder in base kernels text noise certify model engine train; do
  mkdir -p "$tree/include/textcrs/$folder" "$tree/src/$folder"
  printf '#pragma once\n#include <vector>\n#include "textcrs/base/x.h"\n' >"$tree/include/textcrs/$folder/x.h"
  printf '#include "textcrs/base/x.h"\n#include <fmt/format.h>\n#include "%s/y.h"\n' "$folder" >"$tree/src/$folder/x.cc"
done
printf '#include "textcrs/noise/x.h"\n#include "textcrs/model/x.h"\n' >"$tree/src/engine/y.cc"

sh "$script" "$tree" || { echo "a sound tree is refused" >&2; exit 1; }

expect_refused() {  # file, line
  printf '%s\n' "$2" >"$tree/$1"
  if sh "$script" "$tree" >"$tree/said" 2>&1 || ! grep -q "^$1:1:" "$tree/said"; then
    echo "not refused: '$2' in $1" >&2
    cat "$tree/said" >&2
    exit 1
  fi
  rm "$tree/$1"
}
expect_refused src/base/bad.cc '#include "textcrs/text/x.h"'
expect_refused src/text/bad.cc '#include "noise/y.h"'
expect_refused src/noise/bad.cc '# include <textcrs/certify/x.h>'
expect_refused src/certify/bad.h '#include "textcrs/engine/x.h"'
expect_refused src/model/bad.cc '#include "textcrs/noise/x.h"'
expect_refused src/model/bad.cc '#include "certify/y.h"'
expect_refused src/engine/bad.cc '#include "textcrs/certify/x.h"'
expect_refused src/engine/bad.cc '#include "textcrs/train/x.h"'
expect_refused src/engine/bad.cc '#include "../certify/y.h"'
expect_refused src/train/bad.cc '#include "certify/y.h"'
expect_refused include/textcrs/model/bad.h '#include "textcrs/train/x.h"'
expect_refused include/textcrs/text/bad.h '#include <nlohmann/json.hpp>'
expect_refused include/textcrs/text/bad.h '#include <unistd.h>'
expect_refused include/textcrs/text/bad.h '#include "x.h"'
expect_refused include/textcrs/text/bad.h '#ifdef TEXTCRS_CUDA'
