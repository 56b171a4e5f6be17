// The paper's theorem 1, staircase substitution: docs/certificates.md, A.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "certify/certificates.h"
#include "certify/text_difference.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

class PaperSubstitution final : public Certificate {
 public:
  // `synonyms` may be null until a text is compared.
  PaperSubstitution(std::string noise, int size, double epsilon, const SynonymTable* synonyms)
      : Certificate(CertificateMode::kPaper, std::move(noise)),
        size_(size),
        epsilon_(epsilon),
        synonyms_(synonyms) {}

 private:
  // max(ln(pA/pB) / (2 eps), -ln(1 - pA + pB) / eps). At pB = 0 the first ratio is infinite, and so
  // is the paper's radius.
  double radius(Bounds bounds) const {
    const double ratio = std::log(bounds.pa / bounds.pb) / (2 * epsilon_);
    const double shift = -std::log1p(bounds.pb - bounds.pa) / epsilon_;
    return std::max(ratio, shift);
  }

  CertifiedSet promise(Bounds bounds, std::span<const WordId>) const override {
    CertifiedSet set;
    set.guarantees.push_back({"substitution", kUnitRanks, radius(bounds)});
    return set;
  }

  // The ranks of the new words in the lists of the words they replace: 1 for the first candidate,
  // s - 1 for the last that the noise draws.
  Coverage compare(Bounds bounds, std::span<const WordId> text,
                   std::span<const WordId> edited) const override {
    if (const std::optional<Coverage> answer = compare_lengths(text, edited)) return *answer;
    if (synonyms_ == nullptr)
      throw usage_error(fmt::format("{}: the synonym table is needed to compare texts", noise()));
    int64_t ranks = 0;
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] == edited[i]) continue;
      const std::span<const WordId> list = synonyms_->of(text[i]);
      const int64_t rank = std::find(list.begin(), list.end(), edited[i]) - list.begin() + 1;
      if (rank > static_cast<int64_t>(list.size()) || rank >= size_)
        return {false, "substitution",
                fmt::format("word {} is not among the first {} of the word it replaces", i + 1,
                            counted(size_ - 1, "synonym"))};
      ranks += rank;
    }
    const double most = radius(bounds);
    return {static_cast<double>(ranks) <= most, "substitution",
            fmt::format("{} in all; {} may be", counted(ranks, "synonym rank"),
                        std::isinf(most) ? "any number" : fmt::format("up to {:.6g}", most))};
  }

  int size_;  // s
  double epsilon_;
  const SynonymTable* synonyms_;
};

}  // namespace

CertificatePtr paper_substitution(const CertificateRequest& request) {
  const Spec& spec = request.spec;
  if (spec.choice("kernel", {"uniform", "staircase", "cluster", "graph"}) != "staircase")
    return nullptr;
  spec.allow_only({"kernel", "size", "eps"});
  const int size = spec.integer("size", 1, 1'000'000);
  const double epsilon = spec.has("eps") ? spec.positive("eps") : 5.0 / size;
  return std::make_unique<PaperSubstitution>(request.text, size, epsilon, request.context.synonyms);
}

}  // namespace textcrs
