// The flags of the verbs that load a model and certify its answers.
#pragma once

#include <memory>
#include <string>

#include "textcrs/certified/load.h"
#include "word_context.h"

namespace textcrs::cli {

struct CertifyFlags {
  std::string model;  // a folder
  CertifiedOptions options;

  void add(CLI::App& app);  // the flags set this object: it must outlive the parsing

  const CandidateFlags& candidates() const { return candidates_; }

  // The model with the options that were asked for. What contradicts itself is a usage Error that
  // names the flags.
  std::unique_ptr<CertifiedClassifier> load() const;

 private:
  void add_engine(CLI::App& app);  // what runs the copies
  void add_bounds(CLI::App& app);  // how the votes become bounds, and when there are enough

  std::string engine_ = "auto", precision_, stop_operation_;
  CandidateFlags candidates_;
};

}  // namespace textcrs::cli
