// The flags of a cascade: votes that are clear answer, another model does elsewhere.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "cli11.h"
#include "textcrs/certified/load.h"

namespace textcrs::cli {

struct CascadeFlags {
  std::string fallback;  // a folder; empty: there is no cascade
  std::optional<double> threshold;

  void add(CLI::App& app);

  // Whether a cascade is asked for; a usage Error for one flag without the other.
  bool given() const;

  // The cascade with the votes of the folder `model`.
  std::unique_ptr<CascadeClassifier> load(const std::string& model,
                                          const CertifiedOptions& options) const;
};

}  // namespace textcrs::cli
