// Substitution noise: docs/certificates.md, B6.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <vector>

#include "base/safe_decimals.h"
#include "certify/certificates.h"
#include "certify/rounding.h"
#include "certify/substitution_adversary.h"
#include "certify/substitution_proofs.h"
#include "textcrs/base/counted.h"

namespace textcrs {
namespace {

constexpr int kDigits = 4;  // of the bounds that a coverage names

std::string count_of(size_t words) { return counted(words, "word") + " replaced"; }

Coverage best_of(Bounds bounds, size_t replaced, double overlap, double log_ratio,
                 const LossCurve& composed) {
  const Bounds shared = after_overlap(bounds, overlap);
  const Bounds bounded = after_ratio(bounds, log_ratio);
  const Bounds joint = after_composition(bounds, composed);
  const auto margin = [](Bounds after) { return after.pa - after.pb; };
  Coverage coverage{false, Operation::kSubstitution, count_of(replaced)};
  if (margin(shared) >= std::max(margin(bounded), margin(joint))) {
    coverage.covered = surely_ahead(shared);
    coverage.why += fmt::format(
        ", {:.4g} % of the noise in common, 2 (1 - q) = {:.4g} {} pA - pB = {:.4g}", 100 * overlap,
        2 * (1 - overlap), coverage.covered ? "<" : ">=", margin(bounds));
    return coverage;
  }
  const bool by_ratio = margin(bounded) >= margin(joint);
  const Bounds after = by_ratio ? bounded : joint;
  coverage.covered = surely_ahead(after);
  coverage.why += by_ratio ? ", likelihood ratios up to " + rounded_up(std::exp(log_ratio), kDigits)
                           : ", likelihood ratios composed";
  coverage.why += fmt::format(": around the edited text pA is at least {}, pB at most {}",
                              rounded_down(after.pa, kDigits), rounded_up(after.pb, kDigits));
  return coverage;
}

class TextUnderSubstitution final : public TextCertificate {
 public:
  TextUnderSubstitution(Text text, const SubstitutionAdversary& adversary)
      : TextCertificate(text), adversary_(adversary) {}

 private:
  CertifiedSet promise(Bounds bounds) const override {
    const std::lock_guard lock(mutex_);
    if (!risk_) risk_.emplace(adversary_.worst_risks(text()));
    const int replaced = risk_->radius(bounds);
    CertifiedSet set;
    set.candidates = adversary_.candidates();
    set.replaceable = risk_->positions();
    // Words without candidates can not be replaced, so they count for nothing.
    const int radius = replaced == set.replaceable ? words() : replaced;
    set.guarantees.push_back({Operation::kSubstitution, kUnitWords, static_cast<double>(radius)});
    return set;
  }

  Coverage compare(Bounds bounds, Text edited) const override {
    if (text().size() != edited.size())
      return {false, Operation::kSubstitution,
              fmt::format("the text has {}, the edited one {}; this noise only covers words "
                          "replaced in place",
                          counted(text().size(), "word"), edited.size())};
    size_t replaced = 0;
    double overlap = 1, log_ratio = 0;
    LossDistribution composed;
    for (size_t i = 0; i < edited.size(); ++i) {
      if (text()[i] == edited[i]) continue;
      ++replaced;
      const WordRisk risk = KernelPair(adversary_.kernel(), text()[i]).with(edited[i]);
      overlap = std::max(0.0, round_down(overlap * round_down(1 - risk.variation())));
      log_ratio = round_up(log_ratio + risk.log_ratio);
      composed.compose(risk.curve);
    }
    if (replaced == 0) return {true, Operation::kSubstitution, "no word is replaced"};
    return best_of(bounds, replaced, overlap, log_ratio, composed.curve());
  }

  const SubstitutionAdversary& adversary_;
  mutable std::mutex mutex_;              // of the risk, which composes on
  mutable std::optional<TextRisk> risk_;  // made for the first set: a comparison needs none
};

class SubstitutionCertificate final : public Certificate {
 public:
  SubstitutionCertificate(std::string noise, const SubstitutionRule& rule,
                          const SynonymTable& synonyms, const SynonymTable* candidates)
      : Certificate(CertificateMode::kSound, std::move(noise)),
        adversary_(rule, synonyms, candidates) {}

  std::vector<Operation> operations() const override { return {Operation::kSubstitution}; }
  bool reads_words() const override { return true; }

 private:
  TextCertificatePtr read(Text text) const override {
    return std::make_unique<TextUnderSubstitution>(text, adversary_);
  }

  SubstitutionAdversary adversary_;
};

}  // namespace

CertificatePtr sound_substitution(const CertificateRequest& request) {
  const SubstitutionRule rule = SubstitutionRule::parse(request.spec);
  if (request.context.synonyms == nullptr || request.context.synonyms->size() == 0)
    request.spec.fail("its sound certificate needs a synonym table");
  return std::make_unique<SubstitutionCertificate>(request.text, rule, *request.context.synonyms,
                                                   request.context.candidates);
}

}  // namespace textcrs
