// A certificate: which edits of a text can not change the smoothed prediction.
//
// Built from a noise spec; a pure calculation from (pA, pB) and the text. Mode `sound` (the
// default) states what is proved for real word edits; mode `paper` reproduces the formulas of the
// Text-CRS paper, some of which do not hold. Formulas cite docs/certificates.md.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "textcrs/certify/certified_set.h"
#include "textcrs/certify/embeddings.h"
#include "textcrs/text/synonyms.h"
#include "textcrs/text/vocabulary.h"

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

  // The set certified for a text; not certified (abstain) unless pa > pb. Throws a usage Error
  // unless 0 <= pb <= pa <= 1 (not NaN) and the text has words. The bounds are taken as exact:
  // rounding inside never enlarges a sound set.
  CertifiedSet certify(Bounds bounds, std::span<const WordId> text) const;
  // The same for a text of which only the length is known. A usage Error if the certificate reads
  // the words.
  CertifiedSet certify(Bounds bounds, int words) const;
  virtual bool reads_words() const { return false; }

  // Whether `edited` is inside the set certified for `text` (docs/certificates.md, B8): computed
  // from the two texts exactly, so it may hold beyond the radius. `edited` may be empty. Throws as
  // certify() does, and a usage Error if the context lacks what the comparison needs.
  Coverage covers(Bounds bounds, std::span<const WordId> text,
                  std::span<const WordId> edited) const;

 protected:
  Certificate(CertificateMode mode, std::string noise) : mode_(mode), noise_(std::move(noise)) {}

 private:
  // Both are called with 0 <= pb < pa <= 1 and a text of at least one word. promise() fills in
  // everything but `certified`.
  virtual CertifiedSet promise(Bounds bounds, std::span<const WordId> text) const = 0;
  virtual Coverage compare(Bounds bounds, std::span<const WordId> text,
                           std::span<const WordId> edited) const = 0;

  CertificateMode mode_;
  std::string noise_;
};

// What some certificates need beside the spec; it must outlive them. Pointers may be null.
struct CertificateContext {
  int slots = 256;  // the model's n
  // substitute: the symmetric table the noise draws from, and the adversary's candidates, also
  // symmetric (null: the same table).
  const SynonymTable* synonyms = nullptr;
  const SynonymTable* candidates = nullptr;
  const Vocabulary* vocabulary = nullptr;  // hash, for covers(): the words' spelling
  const Embeddings* embeddings = nullptr;  // insert, for covers(): the words' vectors
};

// Throws a usage Error for a malformed spec, for slots < 1, for a noise that has no certificate in
// this mode and for a context that lacks what certify() needs.
std::unique_ptr<Certificate> make_certificate(std::string_view noise_spec, CertificateMode mode,
                                              const CertificateContext& context);

// The same, but nullptr for a noise that has no certificate in this mode.
std::unique_ptr<Certificate> find_certificate(std::string_view noise_spec, CertificateMode mode,
                                              const CertificateContext& context);

// The names of the noises that have a certificate in this mode, at least for some parameters.
std::vector<std::string> certified_noises(CertificateMode mode);

CertificateMode parse_certificate_mode(std::string_view name);  // "sound" or "paper"
std::string_view to_string(CertificateMode mode);

}  // namespace textcrs
