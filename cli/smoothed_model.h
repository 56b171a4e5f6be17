// A model with everything needed to certify its predictions.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nearest_words.h"
#include "textcrs/certify/certifier.h"
#include "textcrs/certify/embedding_change.h"
#include "textcrs/engine/engine.h"
#include "word_context.h"

namespace textcrs::cli {

struct CertifyFlags {
  std::string model, noise;  // noise empty: the one the model was trained with
  std::string device = "cpu", engine_name = "auto";
  std::string precision;  // empty: the model's
  CertifierOptions options;
  EngineOptions engine;
  CandidateFlags candidates;
  int neighbours = 10;  // insert: the single edits that are looked at
  uint64_t seed = 1;
  bool exact = true;  // run all outcomes where there are at most N

  void add(CLI::App& app);  // the flags set this object: it must outlive the parsing

 private:
  void add_engine(CLI::App& app);  // what runs the copies
  void add_bounds(CLI::App& app);  // how the votes become bounds, and when there are enough
};

class SmoothedModel {
 public:
  explicit SmoothedModel(const CertifyFlags& flags);

  const Classifier& classifier() const { return *classifier_; }
  const std::string& noise_spec() const { return spec_; }
  std::string engine_name() const { return engine_->name(); }
  const Certificate& certificate() const { return sound_ ? *sound_ : *paper_; }
  bool is_finite() const { return noise_->outcomes({}).has_value(); }  // nothing is sampled

  // By sampling, or, where the noise has at most N outcomes, by running all of them. A text without
  // words is never certified.
  Certification certify(const std::vector<std::string>& words, uint32_t example) const;

  // Under the insertion noise: the single edits by the nearest neighbours of the text's words that
  // a certified set covers. Nothing for other noises, or if nothing is certified.
  std::optional<SingleEdits> single_edits(const std::vector<std::string>& words,
                                          const CertifiedSet& set);

 private:
  Certification count_outcomes(std::span<const WordId> text, uint64_t outcomes) const;
  Certification count_law(std::span<const WordId> text) const;
  Certification sample(std::span<const WordId> text, uint32_t example) const;

  CertifierOptions options_;
  uint64_t seed_;
  double largest_law_;  // outcomes that are run instead of sampling
  uint64_t part_size_;  // copies between two looks at an interruption
  std::unique_ptr<Classifier> classifier_;
  std::unique_ptr<Noise> noise_;
  SynonymTable candidates_;  // the adversary's
  std::string spec_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Certificate> sound_, paper_;
  std::vector<float> rows_;  // the words' vectors, of the insertion noise only
  std::optional<NearestWords> near_;
};

}  // namespace textcrs::cli
