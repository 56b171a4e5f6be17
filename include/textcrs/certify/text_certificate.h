// What a certificate says of one text.
#pragma once

#include "textcrs/base/api.h"
#include "textcrs/certify/bounds.h"
#include "textcrs/certify/certified_set.h"
#include "textcrs/text/vocabulary.h"

namespace TEXTCRS_API textcrs {

// Made by Certificate::for_text. Immutable to its users and thread-safe. What the text and the
// bounds decide is computed once and kept, so the same text may be asked about with many bounds and
// many edited texts. The certificate and the memory behind the Text must outlive it.
class TextCertificate {
 public:
  virtual ~TextCertificate() = default;
  TextCertificate(const TextCertificate&) = delete;
  TextCertificate& operator=(const TextCertificate&) = delete;

  // The set certified for the text; not certified (abstain) unless pa > pb. Throws a usage Error
  // unless 0 <= pb <= pa <= 1 (not NaN). The bounds are taken as exact: rounding inside never
  // enlarges a sound set.
  CertifiedSet certify(Bounds bounds) const;

  // Whether `edited` is inside that set (docs/certificates.md, B8): computed from the two texts
  // exactly, so it may hold beyond the radius. `edited` may be empty; it was encoded with the
  // text's OwnWords, and may know more of them (std::logic_error for others). Throws as certify()
  // does, and a usage Error if the certificate's context lacks what the comparison needs.
  Coverage covers(Bounds bounds, Text edited) const;

 protected:
  explicit TextCertificate(Text text) : text_(text) {}

  const Text& text() const { return text_; }
  int words() const { return static_cast<int>(text_.size()); }

 private:
  // Both are called with 0 <= pb < pa <= 1. promise() fills in everything but `certified`.
  virtual CertifiedSet promise(Bounds bounds) const = 0;
  virtual Coverage compare(Bounds bounds, Text edited) const = 0;

  Text text_;
};

}  // namespace textcrs
