// A base classifier under noise, which answers by the vote of many noisy copies: randomized
// smoothing.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/certified/certified_classifier.h"
#include "textcrs/certified/choose_engine.h"
#include "textcrs/certified/nearest_words.h"
#include "textcrs/certify/certificate.h"

namespace TEXTCRS_API textcrs {

struct SmoothedOptions {
  std::string noise;  // a spec; empty: the one the model was trained with
  std::string device = "cpu";
  EngineChoice engine_choice = EngineChoice::kAuto;
  std::optional<Precision> precision;  // of the cpu engine; none: the model's
  EngineOptions engine;                // its precision is not read
  CertifierOptions certifier;
  int candidates = 0;   // K > 0: the adversary has only words among each other's first K synonyms
  int neighbours = 10;  // insert: the nearest words per word that single edits are counted with
  // Of the noise. The confidence holds for a text that was chosen without knowing the seed: for
  // texts of an adversary it must be secret (docs/certificates.md, C).
  uint64_t seed = 1;
  bool exact = true;  // run all outcomes of the noise where there are at most N, and draw nothing
};

struct NoisyVotes;  // src/certified/noisy_votes.h

class SmoothedClassifier : public CertifiedClassifier {
 public:
  // A usage Error for a noise that has no certificate, does not fit the model or has too many
  // outcomes, for an engine that is not there, and as check_options() and watched_operation()
  // throw. Several of them, with other options, may share a model.
  explicit SmoothedClassifier(std::shared_ptr<const Classifier> classifier,
                              const SmoothedOptions& options = {});
  // The certificates point into it.
  SmoothedClassifier(const SmoothedClassifier&) = delete;
  SmoothedClassifier& operator=(const SmoothedClassifier&) = delete;

  const std::vector<std::string>& classes() const override { return classifier_->config().classes; }
  const Description& description() const override { return description_; }
  std::vector<Operation> operations() const override;
  std::vector<std::string> words(std::string_view text) const override;

  // By counting all outcomes where the noise is finite or, with `exact`, has at most N of them; by
  // sampling otherwise. The only noisy copy of a text without words is the empty one, so the answer
  // is the base classifier's for it, exactly; insert samples its slots, all PAD, as usual; under
  // the finite noises an empty copy casts no vote, so it is abstained on and never covered.
  Certification certify(const std::vector<std::string>& words, uint32_t example,
                        StopToken stop = {}) const override;
  // By noisy copies of the text without each word, with random numbers in common; by all outcomes
  // where certify() counts them, too.
  Explanation explain(const std::vector<std::string>& words, int prediction, uint32_t example,
                      const ExplainOptions& options = {}, StopToken stop = {}) const override;
  // Against the sound certificate; without one nothing is covered.
  Coverage covers(const std::vector<std::string>& words, const Certification& certified,
                  const std::vector<std::string>& edited) const override;
  int texts_at_once() const override;

 private:
  void make_certificates(int candidates);
  NoisyVotes votes() const;
  std::optional<SingleEdits> single_edits(Text text, const CertifiedSet& set) const;

  CertifierOptions certifier_;
  uint64_t seed_;
  double largest_law_;  // outcomes that are run instead of sampling
  std::shared_ptr<const Classifier> classifier_;
  std::unique_ptr<const Noise> noise_;
  std::unique_ptr<const Engine> engine_;
  SynonymTable candidates_;  // the adversary's
  std::vector<float> rows_;  // the words' vectors; under the insertion noise only
  Embeddings embeddings_;
  std::unique_ptr<const NearestWords> near_;  // null: single edits are not counted
  CertificateContext context_;
  std::unique_ptr<const Certificate> sound_, paper_;
  Description description_;
};

}  // namespace textcrs
