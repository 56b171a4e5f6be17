#include "report/each_text.h"

#include <fmt/format.h>

#include <stdexcept>

#include "report/stopwatch.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/error.h"

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

void for_each_text(const Dataset& dataset, const EvaluationReporter& report, StopToken stop,
                   const std::function<void(const Example&)>& visit) {
  const Stopwatch watch;
  EvaluationProgress progress{0, dataset.examples.size(), 0, std::nullopt};
  try {
    for (const Example& example : dataset.examples) {
      stop.check();
      visit(example);
      ++progress.done;
      const double seconds = watch.seconds();
      progress.texts_per_second = static_cast<double>(progress.done) / seconds;
      progress.seconds_left = seconds * static_cast<double>(progress.texts - progress.done) /
                              static_cast<double>(progress.done);
      if (report) report(progress);
    }
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted) throw;
    throw interrupted_after(progress.done, progress.texts);
  }
}

}  // namespace textcrs
