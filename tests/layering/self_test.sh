#!/bin/sh
# Plants one fault after the other in a sound little tree; layering.sh must name each, and only then
# fail. Usage: self_test.sh LAYERING_SCRIPT
set -eu
script=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
for folder in base http kernels text data noise certify model engine blackbox torch train attack certified report plot page suite; do
  mkdir -p "$tree/include/textcrs/$folder" "$tree/src/$folder"
  printf '#pragma once\n#include <vector>\n#include "textcrs/base/x.h"\n' >"$tree/include/textcrs/$folder/x.h"
  printf '#include "textcrs/base/x.h"\n#include <fmt/format.h>\n#include "%s/y.h"\n' "$folder" >"$tree/src/$folder/x.cc"
done
cat >"$tree/src/engine/y.cc" <<'SOUND'
#include "textcrs/noise/x.h"
#include "textcrs/model/x.h"
// ---------------------------------------------------------------------------
// A rule -- with a dash, and -1--2, and x--y.
const char quote = '"'; --count; int n = (--i); f(--i, '"', "a-b--c", --j);  // or --
const auto npm = run({"npm", "--ignore-scripts"});
const auto text = "a \" quote"; --i;
SOUND
cat >"$tree/src/torch/y.cc" <<'SOUND'
#include <torch/torch.h>
#include <ATen/ATen.h>
#include "torch/y.h"
SOUND
cat >"$tree/src/report/y.cc" <<'SOUND'
#include "textcrs/certified/x.h"
#include "textcrs/certify/x.h"
SOUND

sh "$script" "$tree" || { echo "a sound tree is refused" >&2; exit 1; }

expect_refused() {  # file, line
  mkdir -p "$tree/$(dirname "$1")"
  printf '%s\n' "$2" >"$tree/$1"
  if sh "$script" "$tree" >"$tree/said" 2>&1 || ! grep -q "^$1:1:" "$tree/said"; then
    echo "not refused: '$2' in $1" >&2
    cat "$tree/said" >&2
    exit 1
  fi
  rm "$tree/$1"
}

# Folders.
expect_refused src/base/bad.cc '#include "textcrs/text/x.h"'
expect_refused src/kernels/bad.cu '#include "text/y.h"'
expect_refused src/text/bad.cc '#include "textcrs/data/x.h"'
expect_refused src/text/bad.cc '#include "noise/y.h"'
expect_refused src/data/bad.cc '#include "textcrs/noise/x.h"'
expect_refused src/noise/bad.cc '# include <textcrs/certify/x.h>'
expect_refused src/certify/bad.h '#include "textcrs/engine/x.h"'
expect_refused src/model/bad.cc '#include "textcrs/noise/x.h"'
expect_refused src/model/bad.cc '#include "torch/y.h"'
expect_refused src/engine/bad.cc '#include "textcrs/train/x.h"'
expect_refused src/engine/bad.cc '#include "../torch/y.h"'
expect_refused src/torch/bad.cc '#include "textcrs/train/x.h"'
expect_refused src/train/bad.cc '#include "certified/y.h"'
expect_refused src/attack/bad.cc '#include "textcrs/certified/x.h"'
expect_refused src/certified/bad.cc '#include "textcrs/report/x.h"'
expect_refused include/textcrs/model/bad.h '#include "textcrs/train/x.h"'
expect_refused src/elsewhere/bad.cc '#include "textcrs/base/x.h"'
for folder in model engine blackbox torch train attack; do
  expect_refused "src/$folder/bad.cc" '#include "textcrs/certify/x.h"'
  expect_refused "src/$folder/bad.cc" '#include "certify/y.h"'
done
expect_refused src/engine/bad.cc '#include "../certify/y.h"'

# LibTorch.
expect_refused src/model/bad.cc '#include <torch/types.h>'
expect_refused src/engine/bad.h '#include <ATen/Parallel.h>'
expect_refused src/train/bad.cc '#include "c10/core/Device.h"'
expect_refused include/textcrs/torch/bad.h '#include <torch/torch.h>'

# The program's command line.
expect_refused src/report/bad.cc '#include <CLI/CLI.hpp>'
expect_refused src/report/bad.cc '#include <CLI11.hpp>'
expect_refused include/textcrs/certified/bad.h '#include <CLI/CLI.hpp>'
expect_refused src/train/bad.cc 'throw failed("lower --learning-rate");'
expect_refused src/train/bad.cc 'const char* flag = "--resume";'
expect_refused src/train/bad.cc "const char quote = '\"'; f(\"go on with '--resume'\");"
expect_refused src/data/bad.cc 'int id = 0;  // unchanged by --limit'
# shellcheck disable=SC2016
expect_refused src/data/bad.cc '// `--limit` and (--out)'
expect_refused src/data/bad.cc 'int id = 0; /* see --limit */ --id;'
expect_refused include/textcrs/data/bad.h '// place in the split, unchanged by --limit'

# JSON.
expect_refused src/report/bad.cc 'const auto json = nlohmann::json::parse(text);'
expect_refused src/text/bad.cc 'auto json = ordered_json::parse (text, nullptr, false);'
expect_refused cli/bad.cc 'if (nlohmann::json::accept(text)) return;'

# Types.
printf 'struct Twin {\n' >"$tree/include/textcrs/base/twin.h"
for twin in 'struct Twin {' 'class Twin : public Base {' 'enum class Twin { kOne };'; do
  expect_refused src/page/twin.h "$twin"
done
printf 'struct Twin;\n  struct Twin {};\nTwin make();\n' >"$tree/src/page/twin.h"
sh "$script" "$tree" || { echo "a declaration and a nested type are refused" >&2; exit 1; }
rm "$tree/src/page/twin.h" "$tree/include/textcrs/base/twin.h"

# Public headers.
expect_refused include/textcrs/text/bad.h '#include <nlohmann/json.hpp>'
expect_refused include/textcrs/text/bad.h '#include <unistd.h>'
expect_refused include/textcrs/text/bad.h '#include "x.h"'
expect_refused include/textcrs/text/bad.h '#ifdef TEXTCRS_CUDA'
