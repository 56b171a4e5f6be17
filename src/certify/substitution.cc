// Substitution noise: docs/certificates.md, B6.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "certify/certificates.h"
#include "certify/rounding.h"
#include "certify/substitution_proofs.h"

namespace textcrs {
namespace {

std::string count_of(size_t words) {
  return fmt::format("{} word{} replaced", words, words == 1 ? "" : "s");
}

class SubstitutionCertificate final : public Certificate {
 public:
  // `candidates` null: those the noise has itself.
  SubstitutionCertificate(std::string noise, const SubstitutionRule& rule,
                          const SynonymTable& synonyms, const SynonymTable* candidates)
      : Certificate(CertificateMode::kSound, std::move(noise)),
        kernel_(rule, synonyms),
        inside_clusters_(rule.shape == KernelShape::kCluster && candidates == nullptr),
        candidates_(candidates != nullptr ? *candidates : synonyms) {}

  bool reads_words() const override { return true; }

 private:
  CertifiedSet promise(Bounds bounds, std::span<const WordId> text) const override {
    const std::lock_guard lock(mutex_);
    if (!latest_ ||
        !std::equal(text.begin(), text.end(), latest_text_.begin(), latest_text_.end())) {
      std::vector<const WordRisk*> risks;
      for (const WordId word : text)
        if (has_candidates(word)) risks.push_back(&worst_of(word));
      latest_.reset();  // never an old answer for a new text, whatever throws
      latest_text_.assign(text.begin(), text.end());
      latest_.emplace(std::move(risks));
    }
    const int replaced = latest_->radius(bounds);
    // Words without candidates can not be replaced, so they count for nothing.
    const bool all = replaced == latest_->positions();
    CertifiedSet set;
    set.guarantees.push_back({"substitution", kUnitWords,
                              static_cast<double>(all ? static_cast<int>(text.size()) : replaced)});
    set.candidates = candidates_.source();
    if (inside_clusters_)
      set.candidates += fmt::format(", in clusters of at most {}", kernel_.rule().size);
    return set;
  }

  Coverage compare(Bounds bounds, std::span<const WordId> text,
                   std::span<const WordId> edited) const override {
    const char* operation = "substitution";
    if (text.size() != edited.size())
      return {false, operation,
              fmt::format("the text has {} words, the edited one {}; this noise only covers words "
                          "replaced in place",
                          text.size(), edited.size())};
    size_t replaced = 0;
    double overlap = 1, log_ratio = 0;
    LossDistribution composed;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == edited[i]) continue;
      ++replaced;
      const WordRisk risk = KernelPair(kernel_, text[i]).with(edited[i]);
      overlap = std::max(0.0, round_down(overlap * round_down(1 - risk.variation())));
      log_ratio = round_up(log_ratio + risk.log_ratio);
      composed.compose(risk.curve);
    }
    if (replaced == 0) return {true, operation, "no word is replaced"};
    return best_of(bounds, replaced, overlap, log_ratio, composed.curve());
  }

  static Coverage best_of(Bounds bounds, size_t replaced, double overlap, double log_ratio,
                          const LossCurve& composed) {
    const Bounds shared = after_overlap(bounds, overlap);
    const Bounds bounded = after_ratio(bounds, log_ratio);
    const Bounds joint = after_composition(bounds, composed);
    const auto margin = [](Bounds after) { return after.pa - after.pb; };
    Coverage coverage{false, "substitution", count_of(replaced)};
    if (margin(shared) >= std::max(margin(bounded), margin(joint))) {
      coverage.covered = surely_ahead(shared);
      coverage.why += fmt::format(
          ", {:.4g} % of the noise in common, 2 (1 - q) = {:.4g} {} pA - pB = {:.4g}",
          100 * overlap, 2 * (1 - overlap), coverage.covered ? "<" : ">=", margin(bounds));
      return coverage;
    }
    const bool by_ratio = margin(bounded) >= margin(joint);
    const Bounds after = by_ratio ? bounded : joint;
    coverage.covered = surely_ahead(after);
    coverage.why += by_ratio ? fmt::format(", likelihood ratios up to {:.4g}", std::exp(log_ratio))
                             : ", likelihood ratios composed";
    coverage.why += fmt::format(": around the edited text pA is at least {:.4g}, pB at most {:.4g}",
                                after.pa, after.pb);
    return coverage;
  }

  bool has_candidates(WordId word) const {
    return inside_clusters_ ? kernel_.of(word).size() > 1 : !candidates_.of(word).empty();
  }

  // Requires mutex_.
  const WordRisk& worst_of(WordId word) const {
    std::unique_ptr<const WordRisk>& slot = words_[word];
    if (slot == nullptr) {
      auto risk = std::make_unique<WordRisk>();
      KernelPair pair(kernel_, word);
      if (inside_clusters_)
        for (const auto& entry : kernel_.of(word)) risk->raise(pair.with(entry.word));
      else
        for (const WordId other : candidates_.of(word)) risk->raise(pair.with(other));
      slot = std::move(risk);
    }
    return *slot;
  }

  SubstitutionKernel kernel_;
  bool inside_clusters_;  // a word may become the other words of its cluster
  const SynonymTable& candidates_;
  mutable std::mutex mutex_;  // of all below
  mutable std::unordered_map<WordId, std::unique_ptr<const WordRisk>> words_;
  mutable std::vector<WordId> latest_text_;
  mutable std::optional<TextRisk> latest_;  // the same text is asked about with many bounds
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
