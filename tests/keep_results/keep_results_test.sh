#!/bin/sh
# What scripts/keep-results ($1) copies, what it writes into a README, and what it refuses.
set -eu

script=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

failed=0
expect() { # WHAT EXPECTED FOUND
  [ "$2" = "$3" ] && return
  printf '%s: expected\n%s\nfound\n%s\n' "$1" "$2" "$3"
  failed=1
}
refuses() { # PART-OF-THE-MESSAGE, after the README was written
  before=$(cat README.md)
  status=0
  said=$(RESULTS=kept README=README.md "$script" out 2>&1) || status=$?
  expect "exit code of '$1'" 3 "$status"
  case $said in *"$1"*) ;; *) expect message "$1" "$said" ;; esac
  expect "README after '$1'" "$before" "$(cat README.md)"
}

mkdir -p out/tables out/figures kept/tiny/tables kept/tiny/figures
printf '{\n "suite": "tiny",\n "title": "T",\n "steps": [{"name": "suite"}]\n}\n' >out/tables/suite.json
printf '# T\n\n| a | 1 | runs |\n|---|---:|---:|\n| x\\|y | 2 | 1, 3 |\n\n* | a note |\n' >out/tables/edits.md
echo a,b >out/tables/edits.csv
echo '{}' >out/tables/edits.json
printf 'tex' >out/tables/edits.tex
echo '<svg/>' >out/figures/edits.svg
echo pdf >out/figures/edits.pdf
head -c 1100000 /dev/zero >out/figures/large.svg
echo old >kept/tiny/tables/old.md
echo mine >kept/tiny/notes.txt
cat >README.md <<'README'
before
<!-- suite:tiny table:edits -->
old
<!-- end -->
<!-- suite:tiny figure:edits Certified & more -->
old
<!-- end -->
<!-- suite:other table:edits -->
stays
<!-- end -->
README

said=$(RESULTS=kept README=README.md "$script" out 2>&1)
expect "what is kept" "kept/tiny/figures/edits.svg
kept/tiny/notes.txt
kept/tiny/suite.json
kept/tiny/tables/edits.csv
kept/tiny/tables/edits.json
kept/tiny/tables/edits.md" "$(find kept -type f | sort)"
case $said in *"large.svg is above 1 MB and left out"*) ;; *) expect "large file" "left out" "$said" ;; esac
expect README 'before
<!-- suite:tiny table:edits -->
| a | 1 |
|---|---:|
| x\|y | 2 |

Counts, intervals and runs: [docs/results/tiny/tables/edits.md](docs/results/tiny/tables/edits.md).
<!-- end -->
<!-- suite:tiny figure:edits Certified & more -->
![Certified & more](docs/results/tiny/figures/edits.svg)
<!-- end -->
<!-- suite:other table:edits -->
stays
<!-- end -->' "$(cat README.md)"
before=$(cat README.md)
RESULTS=kept README=README.md "$script" out >/dev/null 2>&1
expect "a second time" "$before" "$(cat README.md)"

echo '<!-- suite:tiny table:none -->' >README.md
refuses 'README.md:1: the suite tiny has no table none'
echo '<!-- suite:tiny figure:none -->' >README.md
refuses 'README.md:1: the suite tiny has no figure none'
printf 'a\n<!-- suite:tiny table:edits -->\nb\n' >README.md
refuses 'README.md:2: found no <!-- end --> of this marker'
printf '<!-- suite:tiny table:edits -->\n<!-- suite:tiny figure:edits -->\n<!-- end -->\n' >README.md
refuses 'README.md:2: found a marker before the <!-- end --> of another'
sed 's/"tiny"/"..\/x"/' out/tables/suite.json >changed && cp changed out/tables/suite.json
refuses 'found no name of a suite'
rm out/tables/suite.json
refuses 'out: found no tables/suite.json'

exit $failed
