// A certificate: which edits of a text can not change the smoothed prediction.
//
// Built from a noise spec; a pure calculation from (pA, pB) and the size of the text. Mode `sound`
// (the default) states what is proved for real word edits; mode `paper` reproduces the formulas of
// the Text-CRS paper, some of which do not hold. Formulas cite docs/certificates.md.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace textcrs {

enum class CertificateMode { kSound, kPaper };

// A lower bound of the top class's probability and an upper bound of every other class's.
struct Bounds {
  double pa = 0;
  double pb = 1;
};

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

// One guarantee about one kind of edit.
struct Guarantee {
  std::string operation;  // deletion, insertion, substitution, reordering, edit
  std::string unit;       // what `radius` counts: words, l1 displacement, l2 in embedding space, ...
  double radius = 0;      // kUnlimited: any amount
};

struct CertifiedSet {
  bool certified = false;  // false: abstain; nothing below holds
  std::vector<Guarantee> guarantees;
  // B2, B3: the maximal pairs (words lost, words gained), lost ascending; empty for other noises.
  std::vector<std::pair<int, int>> frontier;
  int window = 0;  // B4: any reordering inside windows of this many words; 0 when it does not apply

  // The guarantee about an operation, nullptr if the certificate says nothing about it.
  const Guarantee* find(std::string_view operation) const;
  // "any reordering and up to 3 deleted words"; "nothing" if not certified.
  std::string in_words() const;
};

class Certificate {
 public:
  virtual ~Certificate() = default;
  virtual CertificateMode mode() const = 0;
  virtual std::string noise() const = 0;  // the spec it was built from
  // The set certified for a text of `words` words, in a model of `slots` slots. Throws a usage Error
  // unless 0 <= pb <= pa <= 1 (not NaN) and words > 0.
  virtual CertifiedSet certify(Bounds bounds, int words) const = 0;
};

std::unique_ptr<Certificate> make_certificate(std::string_view noise_spec, CertificateMode mode,
                                              int slots);

CertificateMode parse_certificate_mode(std::string_view name);  // "sound" or "paper"
std::string_view to_string(CertificateMode mode);

}  // namespace textcrs
