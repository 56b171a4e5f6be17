#include "certify/reordering.h"

#include "textcrs/noise/parameters.h"

namespace textcrs {

CertificatePtr sound_reordering(const CertificateRequest& request) {
  const ReorderParameters noise = ReorderParameters::parse(request.spec);
  switch (noise.kind) {
    case ReorderParameters::Kind::kFull:
      return full_reordering(request.text);
    case ReorderParameters::Kind::kBlock:
    case ReorderParameters::Kind::kSorted:
      return block_reordering(request.text, noise.length);
    default:
      return nullptr;
  }
}

std::optional<Coverage> compare_words(Text text, Text edited) {
  if (same_text(text, edited)) return the_same_text(Operation::kReordering);
  const Difference difference = multiset_difference(text, edited);
  if (difference.none()) return std::nullopt;
  return Coverage{false, Operation::kReordering,
                  in_words(difference) + "; only the order may change"};
}

}  // namespace textcrs
