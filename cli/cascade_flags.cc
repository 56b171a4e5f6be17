#include "cascade_flags.h"

#include <CLI/CLI.hpp>

#include "textcrs/base/error.h"

namespace textcrs::cli {

void CascadeFlags::add(CLI::App& app) {
  app.add_option("--fallback", fallback,
                 "votes: a model trained without noise that answers where the votes are not clear; "
                 "nothing is certified there");
  app.add_option("--threshold", threshold,
                 "votes: they are clear if they lead by more than this many strongest votes of a "
                 "word (textcrs threshold chooses it); 0: always");
}

bool CascadeFlags::given() const {
  if (threshold && fallback.empty()) throw usage_error("--threshold goes with --fallback");
  if (!fallback.empty() && !threshold)
    throw usage_error(
        "--fallback needs --threshold, how clear the votes must be; textcrs threshold chooses it");
  return threshold.has_value();
}

std::unique_ptr<CascadeClassifier> CascadeFlags::load(const std::string& model,
                                                      const CertifiedOptions& options) const {
  return load_cascade(model, fallback, threshold.value(), options);
}

}  // namespace textcrs::cli
