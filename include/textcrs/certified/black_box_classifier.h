// A black box under noise on the words of a text: any program or endpoint that labels texts,
// certified as a SmoothedClassifier is (docs/black-box.md).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/blackbox/asked_texts.h"
#include "textcrs/certified/certified_classifier.h"
#include "textcrs/certify/certificate.h"
#include "textcrs/noise/noise.h"
#include "textcrs/text/synonyms.h"
#include "textcrs/text/vocabulary.h"

namespace TEXTCRS_API textcrs {

struct BlackBoxOptions {
  std::string noise;  // a spec
  CertifierOptions certifier;
  uint64_t seed = 1;            // as SmoothedOptions::seed
  bool exact = true;            // as SmoothedOptions::exact
  std::string mask = "<mask>";  // how the black box reads a masked word
  // Open: the words that have synonyms, and the stop words of the noise, marked. All others are
  // known by their spelling.
  Vocabulary vocabulary{std::vector<std::string>{}, Vocabulary::Growth::kOpen};
  SynonymTable synonyms;  // what substitute draws from
  int candidates = 0;     // as SmoothedOptions::candidates
};

class Engine;
struct NoisyVotes;  // src/certified/noisy_votes.h

// The base classifier is: a copy's words, joined by spaces, answered by the black box. So a text
// counts by its words alone, as tokenize() reads them: two texts of the same words have the same
// answer and certificate.
class BlackBoxClassifier : public CertifiedClassifier {
 public:
  // A usage Error for no noise, one that acts on vectors, one without a certificate or with too
  // many outcomes, a mask that is empty or not UTF-8, and as check_options(), watched_operation()
  // and make_noise() throw; std::logic_error for a closed vocabulary.
  BlackBoxClassifier(std::unique_ptr<AskedTexts> asked, const BlackBoxOptions& options);
  ~BlackBoxClassifier() override;
  // The certificates point into it.
  BlackBoxClassifier(const BlackBoxClassifier&) = delete;
  BlackBoxClassifier& operator=(const BlackBoxClassifier&) = delete;

  const std::vector<std::string>& classes() const override { return asked_->box().classes(); }
  const Description& description() const override { return description_; }
  std::vector<Operation> operations() const override;
  std::vector<std::string> words(std::string_view text) const override;

  // As SmoothedClassifier does. Throws as BlackBox::ask() does.
  Certification certify(const std::vector<std::string>& words, uint32_t example,
                        StopToken stop = {}) const override;
  Explanation explain(const std::vector<std::string>& words, int prediction, uint32_t example,
                      const ExplainOptions& options = {}, StopToken stop = {}) const override;
  Coverage covers(const std::vector<std::string>& words, const Certification& certified,
                  const std::vector<std::string>& edited) const override;

  AskedCounts counts() const { return asked_->counts(); }
  std::string effort() const { return asked_->box().effort(); }  // BlackBox::effort()

 private:
  void make_certificates(int candidates);
  NoisyVotes votes(const Engine& engine) const;

  std::unique_ptr<AskedTexts> asked_;
  CertifierOptions certifier_;
  uint64_t seed_;
  double largest_law_;
  std::string mask_;
  Vocabulary vocabulary_;
  SynonymTable synonyms_, candidates_;  // what the noise draws from, the adversary's
  std::unique_ptr<const Noise> noise_;
  CertificateContext context_;
  std::unique_ptr<const Certificate> sound_, paper_;
  Description description_;
};

}  // namespace textcrs
