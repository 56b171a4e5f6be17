#include "report/each_text.h"

#include <fmt/format.h>

#include <stdexcept>

#include "textcrs/base/counted.h"

namespace textcrs {

void check_labels(const Dataset& dataset, const std::vector<std::string>& classes) {
  const auto count = static_cast<int>(classes.size());
  for (const Example& example : dataset.examples)
    if (dataset.classes != classes || example.label < 0 || example.label >= count)
      throw std::logic_error("a text has no label, or one that is not the model's");
}

Error interrupted_after(size_t done, size_t texts) {
  return Error(ErrorKind::kInterrupted,
               fmt::format("interrupted after {} of {}", done, counted(texts, "text")));
}

EvaluationProgress progress_after(size_t done, size_t texts, double seconds) {
  return {done, texts, static_cast<double>(done) / seconds,
          seconds * static_cast<double>(texts - done) / static_cast<double>(done)};
}

}  // namespace textcrs
