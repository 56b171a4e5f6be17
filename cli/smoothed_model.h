// A model with everything needed to certify its predictions.
#pragma once

#include <CLI/CLI.hpp>
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

  void add(CLI::App& app);
};

class SmoothedModel {
 public:
  explicit SmoothedModel(const CertifyFlags& flags);

  const Classifier& classifier() const { return *classifier_; }
  const std::string& noise_spec() const { return spec_; }

  // A text without words is never certified.
  Certification certify(const std::vector<std::string>& words, uint32_t example) const;

 private:
  CertifierOptions options_;
  uint64_t seed_;
  std::unique_ptr<Classifier> classifier_;
  std::unique_ptr<Noise> noise_;
  std::string spec_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Certificate> sound_, paper_;
};

}  // namespace textcrs::cli
