// A model with everything needed to certify its predictions.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "textcrs/certify/certifier.h"
#include "textcrs/engine/engine.h"

namespace textcrs::cli {

struct CertifyFlags {
  std::string model, noise;  // noise empty: the one the model was trained with
  std::string device = "cpu";
  CertifierOptions options;
  EngineOptions engine;
  uint64_t seed = 1;

  void add(CLI::App& app);  // the flags set this object: it must outlive the parsing

 private:
  void add_bounds(CLI::App& app);  // how the votes become bounds, and when there are enough
};

class SmoothedModel {
 public:
  explicit SmoothedModel(const CertifyFlags& flags);

  const Classifier& classifier() const { return *classifier_; }
  const std::string& noise_spec() const { return spec_; }
  bool is_exact() const { return noise_->outcomes({}).has_value(); }  // nothing is sampled

  // By sampling, or, for a finite noise, by counting the votes of all its outcomes. A text without
  // words is never certified.
  Certification certify(const std::vector<std::string>& words, uint32_t example) const;

 private:
  // The votes of [begin, end), asked for in parts; an interruption is noticed between two parts.
  using VotesOfPart = std::function<Votes(uint64_t begin, uint64_t end)>;
  Votes in_parts(uint64_t begin, uint64_t end, const VotesOfPart& votes) const;

  CertifierOptions options_;
  uint64_t seed_;
  std::unique_ptr<Classifier> classifier_;
  std::unique_ptr<Noise> noise_;
  std::string spec_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Certificate> sound_, paper_;
};

}  // namespace textcrs::cli
