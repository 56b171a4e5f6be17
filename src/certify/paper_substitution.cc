// The paper's theorem 1, staircase substitution: docs/certificates.md, A.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "certify/certificates.h"
#include "certify/text_difference.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/error.h"
#include "textcrs/noise/substitution_kernel.h"

namespace textcrs {
namespace {

class TextUnderPaperSubstitution final : public TextCertificate {
 public:
  TextUnderPaperSubstitution(Text text, const SubstitutionRule& rule, const SynonymTable* synonyms)
      : TextCertificate(text), rule_(rule), synonyms_(synonyms) {}

 private:
  // max(ln(pA/pB) / (2 eps), -ln(1 - pA + pB) / eps). At pB = 0 the first ratio is infinite, and so
  // is the paper's radius.
  double radius(Bounds bounds) const {
    const double ratio = std::log(bounds.pa / bounds.pb) / (2 * rule_.eps);
    const double shift = -std::log1p(bounds.pb - bounds.pa) / rule_.eps;
    return std::max(ratio, shift);
  }

  CertifiedSet promise(Bounds bounds) const override {
    CertifiedSet set;
    set.guarantees.push_back({Operation::kSubstitution, kUnitRanks, radius(bounds)});
    return set;
  }

  // The ranks of the new words in the lists of the words they replace: 1 for the first candidate,
  // s - 1 for the last that the noise draws.
  Coverage compare(Bounds bounds, Text edited) const override {
    if (const std::optional<Coverage> answer = compare_lengths(text(), edited)) return *answer;
    if (synonyms_ == nullptr)
      throw usage_error(
          fmt::format("{}: the synonym table is needed to compare texts", rule_.spec()));
    int64_t ranks = 0;
    for (size_t i = 0; i < edited.size(); ++i) {
      if (text()[i] == edited[i]) continue;
      const std::span<const WordId> list = synonyms_->of(text()[i]);
      const int64_t rank = std::find(list.begin(), list.end(), edited[i]) - list.begin() + 1;
      if (rank > static_cast<int64_t>(list.size()) || rank >= rule_.size)
        return {false, Operation::kSubstitution,
                fmt::format("word {} is not among the first {} of the word it replaces", i + 1,
                            counted(rule_.size - 1, "synonym"))};
      ranks += rank;
    }
    const double most = radius(bounds);
    return {static_cast<double>(ranks) <= most, Operation::kSubstitution,
            fmt::format("{} in all; {} may be", counted(ranks, "synonym rank"),
                        std::isinf(most) ? "any number" : fmt::format("up to {:.6g}", most))};
  }

  SubstitutionRule rule_;
  const SynonymTable* synonyms_;
};

class PaperSubstitution final : public Certificate {
 public:
  // `synonyms` may be null until a text is compared.
  PaperSubstitution(std::string noise, const SubstitutionRule& rule, const SynonymTable* synonyms)
      : Certificate(CertificateMode::kPaper, std::move(noise)), rule_(rule), synonyms_(synonyms) {}

  std::vector<Operation> operations() const override { return {Operation::kSubstitution}; }

 private:
  TextCertificatePtr read(Text text) const override {
    return std::make_unique<TextUnderPaperSubstitution>(text, rule_, synonyms_);
  }

  SubstitutionRule rule_;
  const SynonymTable* synonyms_;
};

}  // namespace

CertificatePtr paper_substitution(const CertificateRequest& request) {
  const SubstitutionRule rule = SubstitutionRule::parse(request.spec);
  if (rule.shape != KernelShape::kStaircase) return nullptr;
  return std::make_unique<PaperSubstitution>(request.text, rule, request.context.synonyms);
}

}  // namespace textcrs
