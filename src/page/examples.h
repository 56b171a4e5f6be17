// The texts of a run that are worth reading.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "page/run_view.h"
#include "textcrs/certified/explanation.h"

namespace textcrs {

struct ShownText {
  size_t record = 0;  // its place in the run
  // The words as the model reads them and what their removal changes; none: nobody was asked.
  std::vector<std::string> words;
  std::optional<Explanation> explanation;
};

// "certified least": texts of one kind, the plainest case first.
struct ExampleGroup {
  std::string title, what;  // "Hardest to change", and a sentence about them
  std::vector<ShownText> examples;
};

// Groups without a text are left out. A text is in one group only. With labels the smallest and
// largest radii are those of right answers.
std::vector<ExampleGroup> choose_examples(const RunView& view, size_t per_group);

}  // namespace textcrs
