// The paper's theorem 2, uniform permutation: docs/certificates.md, A.
#include <fmt/format.h>

#include "certify/certificates.h"
#include "certify/reordering.h"
#include "textcrs/noise/parameters.h"

namespace textcrs {
namespace {

class TextUnderPaperReordering final : public TextCertificate {
 public:
  TextUnderPaperReordering(Text text, int lambda) : TextCertificate(text), lambda_(lambda) {}

 private:
  double radius(Bounds bounds) const { return lambda_ * (bounds.pa - bounds.pb); }

  CertifiedSet promise(Bounds bounds) const override {
    CertifiedSet set;
    set.guarantees.push_back({Operation::kReordering, kUnitDisplacement, radius(bounds)});
    return set;
  }

  // Equal words are matched so that the displacement is least: the reordering that made the edited
  // text is not known, and the theorem holds for each.
  Coverage compare(Bounds bounds, Text edited) const override {
    if (const std::optional<Coverage> answer = compare_words(text(), edited)) return *answer;
    const int64_t displacement = least_displacement(text(), edited);
    return {
        static_cast<double>(displacement) <= radius(bounds), Operation::kReordering,
        fmt::format("a displacement of {}; up to {:.6g} is allowed", displacement, radius(bounds))};
  }

  int lambda_;
};

class PaperReordering final : public Certificate {
 public:
  PaperReordering(std::string noise, int lambda, bool lambda_is_slots)
      : Certificate(CertificateMode::kPaper, std::move(noise)),
        lambda_(lambda),
        lambda_is_slots_(lambda_is_slots) {}

  std::vector<Operation> operations() const override { return {Operation::kReordering}; }
  bool reads_slots() const override { return lambda_is_slots_; }

 private:
  TextCertificatePtr read(Text text) const override {
    return std::make_unique<TextUnderPaperReordering>(text, lambda_);
  }

  int lambda_;            // length of the reordering groups
  bool lambda_is_slots_;  // that length is the number of slots
};

}  // namespace

CertificatePtr paper_reordering(const CertificateRequest& request) {
  const ReorderParameters noise = ReorderParameters::parse(request.spec);
  switch (noise.kind) {
    case ReorderParameters::Kind::kFull:
      return std::make_unique<PaperReordering>(request.text, request.context.slots,
                                               true);  // lambda = n
    case ReorderParameters::Kind::kBlock:
    case ReorderParameters::Kind::kGroups:
      return std::make_unique<PaperReordering>(request.text, noise.length, false);
    default:
      return nullptr;
  }
}

}  // namespace textcrs
