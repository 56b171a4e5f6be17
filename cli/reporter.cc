#include "reporter.h"

#include <fmt/format.h>

#include "textcrs/base/counted.h"

namespace textcrs::cli {

EvaluationReporter reporter(StatusLine& status) {
  return [&status](const EvaluationProgress& p) {
    std::string line = fmt::format("{}/{}", p.done, counted(p.texts, "text"));
    if (p.seconds_left)
      line +=
          fmt::format("  {:.0f} texts/s  {} left", p.texts_per_second, duration(*p.seconds_left));
    status.update(line);
  };
}

}  // namespace textcrs::cli
