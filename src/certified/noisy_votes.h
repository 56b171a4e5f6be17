// What the noisy copies of one text say, whoever runs them.
#pragma once

#include "textcrs/base/stop.h"
#include "textcrs/certified/explanation.h"
#include "textcrs/certify/certificate.h"
#include "textcrs/certify/certifier.h"
#include "textcrs/engine/engine.h"
#include "textcrs/noise/noise.h"

namespace textcrs {

constexpr double kLargestLaw = 1e6;  // outcomes of a law that is written down

// Who votes, under which noise, and what follows. What it refers to must outlive it.
struct NoisyVotes {
  const Engine& engine;
  const Noise& noise;
  size_t classes = 0;
  const CertifierOptions& certifier;
  uint64_t seed = 0;
  double largest_law = 0;              // outcomes that are run instead of sampling
  const Certificate* sound = nullptr;  // both may be null
  const Certificate* paper = nullptr;

  // By counting all outcomes where the noise is finite or has few of them; by sampling otherwise.
  Certification certify(Text text, uint32_t example, StopToken stop) const;
  // As CertifiedClassifier::explain() says; `words` are those of the text.
  Explanation explain(Text text, const std::vector<std::string>& words, int prediction,
                      uint32_t example, const ExplainOptions& options, StopToken stop) const;

 private:
  bool runs_law(Text text) const;  // all outcomes of a sampled noise, instead of samples
};

// A usage Error for a finite noise with more outcomes than can be counted.
void check_outcomes_of(const Noise& noise);

}  // namespace textcrs
