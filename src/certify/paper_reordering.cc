// The paper's theorem 2, uniform permutation: docs/certificates.md, A.
#include <fmt/format.h>

#include "certify/certificates.h"
#include "certify/noise_parameters.h"
#include "certify/reordering.h"

namespace textcrs {
namespace {

class PaperReordering final : public Certificate {
 public:
  PaperReordering(std::string noise, int lambda)
      : Certificate(CertificateMode::kPaper, std::move(noise)), lambda_(lambda) {}

 private:
  double radius(Bounds bounds) const { return lambda_ * (bounds.pa - bounds.pb); }

  CertifiedSet promise(Bounds bounds, std::span<const WordId>) const override {
    CertifiedSet set;
    set.guarantees.push_back({"reordering", kUnitDisplacement, radius(bounds)});
    return set;
  }

  // Equal words are matched so that the displacement is least: the reordering that made the edited
  // text is not known, and the theorem holds for each.
  Coverage compare(Bounds bounds, std::span<const WordId> text,
                   std::span<const WordId> edited) const override {
    if (const std::optional<Coverage> answer = compare_words(text, edited)) return *answer;
    const int64_t displacement = least_displacement(text, edited);
    return {
        static_cast<double>(displacement) <= radius(bounds), "reordering",
        fmt::format("a displacement of {}; up to {:.6g} is allowed", displacement, radius(bounds))};
  }

  int lambda_;  // length of the reordering groups
};

}  // namespace

CertificatePtr paper_reordering(const CertificateRequest& request) {
  const ReorderParameters noise = reorder_parameters(request.spec);
  switch (noise.kind) {
    case ReorderParameters::Kind::kFull:
      return std::make_unique<PaperReordering>(request.text, request.context.slots);  // lambda = n
    case ReorderParameters::Kind::kBlock:
    case ReorderParameters::Kind::kGroups:
      return std::make_unique<PaperReordering>(request.text, noise.length);
    default:
      return nullptr;
  }
}

}  // namespace textcrs
