// The parts of the page that are there without a script.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "page/attack_view.h"
#include "page/examples.h"
#include "page/html.h"
#include "page/run_view.h"

namespace textcrs {

// A certification run with what was chosen and asked for the page.
struct PageRun {
  RunView view;
  std::vector<ExampleGroup> examples;
  std::string no_colours;  // why the examples have none; empty: they have
};

struct Page {
  std::string title;
  std::vector<PageRun> runs;
  std::vector<AttackView> attacks;
  std::string how_to_keep_texts, how_to_colour;
};

// The runs side by side: a table of what they are, of one its summary; a table per unit of what
// they prove, and the place of the interactive curves.
void add_overview(const Page& page, Html& html);

// "run-1": the id of a run's section.
std::string section_id(size_t run);

// What a run is and came to, in words.
void add_summary(const RunView& view, Html& html);

// A run's tables, its examples, and the place of its list of texts; of several runs its summary,
// too.
void add_run(const Page& page, size_t run, Html& html);
void add_examples(const Page& page, const PageRun& run, Html& html);
void add_attack(const AttackView& attack, size_t number, Html& html);

// A table's head. The classes say how a column is set: "n" a number.
struct Column {
  std::string name;
  bool number = false;
};
void open_table(Html& html, const std::string& caption, const std::vector<Column>& columns);
// A cell of a number, sorted by `value`; none: "–".
void add_number(Html& html, const std::string& shown, std::optional<double> value);
// A cell of a share in per cent, which names its texts; of no texts: "–".
void add_share(Html& html, size_t part, size_t whole);

}  // namespace textcrs
