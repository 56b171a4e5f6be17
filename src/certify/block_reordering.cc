// Blocks at a random offset, shuffled (docs/certificates.md, B4) or sorted (B9): a reordering that
// no cut divides leaves either as it is, so the certificate is the same.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "certify/reordering.h"
#include "certify/rounding.h"
#include "textcrs/base/counted.h"

namespace textcrs {
namespace {

class TextUnderBlockReordering final : public TextCertificate {
 public:
  TextUnderBlockReordering(Text text, int length) : TextCertificate(text), length_(length) {}

 private:
  // The largest c with 2c < L (pA - pB): the offsets that may tell a reordering from the text.
  // `limit` is the right side from below, so the largest whole c with 2c < limit is never too
  // large.
  int most_offsets(Bounds bounds) const {
    const Real limit = round_down(length_ * margin_down(bounds));
    return std::max(0, static_cast<int>(std::ceil(limit / 2)) - 1);
  }

  // A reordering whose intervals have gaps of c residues is told by c offsets.
  CertifiedSet promise(Bounds bounds) const override {
    const int residues = most_offsets(bounds);
    const bool all = residues >= words() - 1;  // a text of m words has m - 1 gaps
    CertifiedSet set;
    set.guarantees.push_back(
        {Operation::kReordering, kUnitDisplacement, all ? kUnlimited : 2.0 * residues});
    set.window = std::min(words(), residues + 1);
    return set;
  }

  // An offset cuts both texts at the same gaps. If the first g words of both are the same multiset
  // at each of these g, so are the words of every block between two of them, and the block's
  // shuffle or sorted form is the same: the offset does not tell the texts apart. If they differ at
  // some g, a block differs. So the count is exact, and no matching of repeated words is needed: a
  // gap counts iff it is interior to an interval of every matching.
  Coverage compare(Bounds bounds, Text edited) const override {
    if (const std::optional<Coverage> answer = compare_words(text(), edited)) return *answer;
    std::vector<char> tells(std::min(text().size(), static_cast<size_t>(length_)), 0);  // by offset
    for (const int g : moved_gaps(text(), edited)) tells[static_cast<size_t>(g % length_)] = 1;
    const int offsets = static_cast<int>(std::count(tells.begin(), tells.end(), 1));
    const int most = most_offsets(bounds);
    return {offsets <= most, Operation::kReordering,
            fmt::format("{} of {} cut{} what moved; {} may", offsets, counted(length_, "offset"),
                        offsets == 1 ? "s" : "", up_to(most))};
  }

  int length_;  // L
};

class BlockReorderingCertificate final : public Certificate {
 public:
  BlockReorderingCertificate(std::string noise, int length)
      : Certificate(CertificateMode::kSound, std::move(noise)), length_(length) {}

  std::vector<Operation> operations() const override { return {Operation::kReordering}; }

 private:
  TextCertificatePtr read(Text text) const override {
    return std::make_unique<TextUnderBlockReordering>(text, length_);
  }

  int length_;  // L
};

}  // namespace

CertificatePtr block_reordering(std::string noise, int length) {
  return std::make_unique<BlockReorderingCertificate>(std::move(noise), length);
}

}  // namespace textcrs
