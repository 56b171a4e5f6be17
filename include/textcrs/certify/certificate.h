// A certificate: which edits of a text can not change the smoothed prediction.
//
// Built from a noise spec; a pure calculation from (pA, pB) and the size of the text. Mode `sound`
// (the default) states what is proved for real word edits; mode `paper` reproduces the formulas of
// the Text-CRS paper, some of which do not hold. Formulas cite docs/certificates.md.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "textcrs/certify/certified_set.h"

namespace textcrs {

enum class CertificateMode { kSound, kPaper };

// A lower bound of the top class's probability and an upper bound of every other class's.
struct Bounds {
  double pa = 0;
  double pb = 1;
};

// Immutable and thread-safe.
class Certificate {
 public:
  virtual ~Certificate() = default;

  CertificateMode mode() const { return mode_; }
  const std::string& noise() const { return noise_; }  // the spec it was built from

  // The set certified for a text of `words` words; not certified (abstain) unless pa > pb. Throws a
  // usage Error unless 0 <= pb <= pa <= 1 (not NaN) and words > 0. The bounds are taken as exact:
  // rounding inside never enlarges a sound set.
  CertifiedSet certify(Bounds bounds, int words) const;

 protected:
  Certificate(CertificateMode mode, std::string noise) : mode_(mode), noise_(std::move(noise)) {}

 private:
  // Called with 0 <= pb < pa <= 1 and words > 0; fills in everything but `certified`.
  virtual CertifiedSet promise(Bounds bounds, int words) const = 0;

  CertificateMode mode_;
  std::string noise_;
};

// `slots` is the model's n. Throws a usage Error for a malformed spec, for slots < 1 and for a
// noise that has no certificate in this mode.
std::unique_ptr<Certificate> make_certificate(std::string_view noise_spec, CertificateMode mode,
                                              int slots);

// The same, but nullptr for a noise that has no certificate in this mode.
std::unique_ptr<Certificate> find_certificate(std::string_view noise_spec, CertificateMode mode,
                                              int slots);

// The names of the noises that have a certificate in this mode, at least for some parameters.
std::vector<std::string> certified_noises(CertificateMode mode);

CertificateMode parse_certificate_mode(std::string_view name);  // "sound" or "paper"
std::string_view to_string(CertificateMode mode);

}  // namespace textcrs
