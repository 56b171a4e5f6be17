// The flags of the verbs that load a model and certify its answers.
#pragma once

#include <memory>
#include <string>

#include "cascade_flags.h"
#include "textcrs/certified/load.h"
#include "word_context.h"

namespace textcrs::cli {

// Which seed the noise has where none is given.
enum class DefaultSeed {
  kFixed,  // for experiments: a run can be repeated, and goes on after an interruption
  kDrawn,  // from the system's entropy, for texts whose authors must not know it
};

struct CertifyFlags {
  std::string model;  // a folder
  CertifiedOptions options;

  // The flags set this object: it must outlive the parsing.
  void add(CLI::App& app, DefaultSeed seed = DefaultSeed::kFixed);

  // Whether load() draws the seed; the classifier's description says which it is.
  bool draws_seed() const;

  // "the same answers again: --seed N"; empty if no seed was drawn.
  std::string how_to_repeat(const CertifiedClassifier& classifier) const;

  const CandidateFlags& candidates() const { return candidates_; }

  // The model with the options that were asked for. What contradicts itself is a usage Error that
  // names the flags.
  std::unique_ptr<CertifiedClassifier> load() const;

 private:
  void add_seed(CLI::App& app, DefaultSeed seed);
  void add_engine(CLI::App& app);  // what runs the copies
  void add_bounds(CLI::App& app);  // how the votes become bounds, and when there are enough

  std::string engine_ = "auto", precision_, stop_operation_;
  CandidateFlags candidates_;
  CascadeFlags cascade_;
  DefaultSeed default_seed_ = DefaultSeed::kFixed;
  const CLI::Option* seed_ = nullptr;
};

}  // namespace textcrs::cli
