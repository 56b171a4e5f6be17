// All labelled texts, with progress, until they are done or a stop is asked for.
#pragma once

#include <string>
#include <vector>

#include "base/in_order.h"
#include "report/stopwatch.h"
#include "textcrs/base/error.h"
#include "textcrs/base/stop.h"
#include "textcrs/data/dataset.h"
#include "textcrs/report/evaluation.h"

namespace textcrs {

// A std::logic_error unless every text has a label and labels are indices into these classes.
void check_labels(const Dataset& dataset, const std::vector<std::string>& classes);

// The Error of a work that was stopped after so many texts.
Error interrupted_after(size_t done, size_t texts);

// Of texts that take about as long as each other; at least one is done.
EvaluationProgress progress_after(size_t done, size_t texts, double seconds);

// Calls use(example, ask(example)) for every text and reports after each: `ask` for so many at
// once, each in a thread of its own, `use` in the calling thread and in the order of the texts. An
// Error of kind kInterrupted says how far it came.
template <typename Ask, typename Use>
void for_each_text(const Dataset& dataset, int at_once, const EvaluationReporter& report,
                   StopToken stop, const Ask& ask, const Use& use) {
  const std::vector<Example>& texts = dataset.examples;
  const Stopwatch watch;
  size_t done = 0;
  const auto use_next = [&](const auto& answer) {
    use(texts[done], answer);
    ++done;
    if (report) report(progress_after(done, texts.size(), watch.seconds()));
  };
  try {
    for_each_in_order(
        texts.size(), at_once, [&](size_t i) { return ask(texts[i]); }, use_next, stop);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted) throw;
    throw interrupted_after(done, texts.size());
  }
}

}  // namespace textcrs
