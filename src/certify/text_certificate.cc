#include "textcrs/certify/text_certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "certify/check_bounds.h"

namespace textcrs {
namespace {

// The same id must mean the same word in both texts.
void check_own_words(Text text, Text edited) {
  const size_t shared = std::min(text.own.size(), edited.own.size());
  if (!std::ranges::equal(text.own.first(shared), edited.own.first(shared)))
    throw std::logic_error("covers: the texts do not share their own words");
}

}  // namespace

CertifiedSet TextCertificate::certify(Bounds bounds) const {
  check_bounds(bounds);
  if (bounds.pa <= bounds.pb) return {};
  CertifiedSet set = promise(bounds);
  set.certified = true;
  return set;
}

Coverage TextCertificate::covers(Bounds bounds, Text edited) const {
  check_bounds(bounds);
  check_own_words(text_, edited);
  if (bounds.pa <= bounds.pb)
    return {false, std::nullopt, fmt::format("pA = {} is not above pB = {}", bounds.pa, bounds.pb)};
  return compare(bounds, edited);
}

}  // namespace textcrs
