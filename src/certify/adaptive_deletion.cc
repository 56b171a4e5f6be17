// Length-adaptive deletion: docs/certificates.md, B13.
#include <fmt/format.h>

#include "certify/adaptive_frontier.h"
#include "certify/by_bounds.h"
#include "certify/certificates.h"

namespace textcrs {
namespace {

class TextUnderAdaptiveDeletion final : public TextCertificate {
 public:
  TextUnderAdaptiveDeletion(Text text, const DeletionRates& rates, bool shuffled)
      : TextCertificate(text), rates_(rates), shuffled_(shuffled) {}

 private:
  CertifiedSet promise(Bounds bounds) const override {
    CertifiedSet set;
    if (shuffled_)
      set.guarantees.push_back({Operation::kReordering, kUnitDisplacement, kUnlimited});
    add_edit_guarantees(
        frontiers_.at(bounds, [&] { return adaptive_frontier(rates_, words(), bounds); }), words(),
        set);
    return set;
  }

  // The condition itself: it may hold beyond the frontier, which is closed downwards.
  Coverage compare(Bounds bounds, Text edited) const override {
    const Operation unchanged = shuffled_ ? Operation::kReordering : Operation::kEdit;
    if (same_text(text(), edited)) return the_same_text(unchanged);
    const Difference difference =
        shuffled_ ? multiset_difference(text(), edited) : ordered_difference(text(), edited);
    if (difference.none()) return another_order(unchanged);
    const AdaptiveCondition condition(rates_, words(), bounds);
    const bool covered = condition.holds(difference);
    const double here = rate(words()), there = rate(static_cast<int>(edited.size()));
    return {covered, Operation::kEdit,
            fmt::format("{}; a word is deleted with probability {:.4g} in the text and {:.4g} in "
                        "the edited one; S + q^-b = {:.4g} {} 2",
                        in_words(difference), here, there,
                        static_cast<double>(condition.price(difference)), covered ? "<" : ">=")};
  }

  double rate(int words) const { return rates_.bins()[rates_.bin_of(words)].p; }

  const DeletionRates& rates_;
  bool shuffled_;
  ByBounds<EditFrontier> frontiers_;
};

class AdaptiveDeletionCertificate final : public Certificate {
 public:
  AdaptiveDeletionCertificate(std::string noise, const AdaptParameters& parameters)
      : Certificate(CertificateMode::kSound, std::move(noise)),
        rates_(parameters),
        shuffled_(parameters.shuffled) {}

  std::vector<Operation> operations() const override {
    std::vector<Operation> all;
    if (shuffled_) all.push_back(Operation::kReordering);
    all.insert(all.end(), kEditOperations.begin(), kEditOperations.end());
    return all;
  }

 private:
  TextCertificatePtr read(Text text) const override {
    return std::make_unique<TextUnderAdaptiveDeletion>(text, rates_, shuffled_);
  }

  DeletionRates rates_;
  bool shuffled_;
};

}  // namespace

CertificatePtr sound_adaptive_deletion(const CertificateRequest& request) {
  return std::make_unique<AdaptiveDeletionCertificate>(request.text,
                                                       AdaptParameters::parse(request.spec));
}

}  // namespace textcrs
