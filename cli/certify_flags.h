// The flags of the verbs that load a model, or take a black box, and certify its answers.
#pragma once

#include <memory>
#include <string>

#include "black_box_flags.h"
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
  BlackBoxFlags black_box;

  // The flags set this object: it must outlive the parsing.
  void add(CLI::App& app, DefaultSeed seed = DefaultSeed::kFixed);
  // The synonyms that substitute draws from beside a black box.
  void add_synonyms(CLI::App& app);

  // Whether a model or a black box is named; a usage Error as BlackBoxFlags::given() throws.
  bool given() const { return black_box.given() || !model.empty(); }
  // How results call it.
  std::string name() const { return black_box.given() ? black_box.name() : model; }

  // Whether load() draws the seed; the classifier's description says which it is.
  bool draws_seed() const;

  // "the same answers again: --seed N"; empty if no seed was drawn.
  std::string how_to_repeat(const CertifiedClassifier& classifier) const;

  const CandidateFlags& candidates() const { return candidates_; }

  // The model, or the black box, with the options that were asked for. What contradicts itself is a
  // usage Error that names the flags. Of a black box without classes they are those of the data.
  std::unique_ptr<CertifiedClassifier> load(
      const std::vector<std::string>& classes_of_data = {}) const;

 private:
  void add_seed(CLI::App& app, DefaultSeed seed);
  void add_engine(CLI::App& app);  // what runs the copies
  void add_bounds(CLI::App& app);  // how the votes become bounds, and when there are enough

  bool own_synonyms_ = false;
  std::string engine_ = "auto", precision_, stop_operation_;
  CandidateFlags candidates_;
  CascadeFlags cascade_;
  DefaultSeed default_seed_ = DefaultSeed::kFixed;
  const CLI::Option* seed_ = nullptr;
};

}  // namespace textcrs::cli
