// The pieces of a text under T hash functions: docs/certificates.md, B9.
#include <algorithm>
#include <cmath>

#include "certify/certificates.h"
#include "certify/noise_parameters.h"
#include "certify/rounding.h"

namespace textcrs {
namespace {

class HashCertificate final : public Certificate {
 public:
  HashCertificate(std::string noise, int buckets)
      : Certificate(CertificateMode::kSound, std::move(noise)), buckets_(buckets) {}

 private:
  // Certified iff the number a of words whose count changes has 2a < K (pA - pB). The right side is
  // taken from below, so the largest such a is never too large.
  CertifiedSet promise(Bounds bounds, int words) const override {
    const Real limit = round_down(buckets_ * margin_down(bounds));
    const int changed = std::max(0, static_cast<int>(std::ceil(limit / 2)) - 1);
    const int half = changed / 2;
    CertifiedSet set;
    set.guarantees.push_back({"reordering", kUnitDisplacement, kUnlimited});
    const auto add = [&](const char* operation, int radius) {
      set.guarantees.push_back({operation, kUnitWords, static_cast<double>(radius)});
    };
    add("deletion", std::min(changed, words));
    add("insertion", changed);
    add("substitution", std::min(half, words));
    // r edits lose at most min(r, words) words and gain at most r.
    add("edit", half <= words ? half : changed - words);
    for (int lost = 0; lost <= std::min(changed, words); ++lost)
      set.frontier.emplace_back(lost, changed - lost);
    return set;
  }

  int buckets_;  // K
};

}  // namespace

CertificatePtr sound_hash(const CertificateRequest& request) {
  return std::make_unique<HashCertificate>(request.text, hash_parameters(request.spec).buckets);
}

}  // namespace textcrs
