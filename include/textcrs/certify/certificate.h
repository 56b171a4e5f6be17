// A certificate: which edits of a text can not change the smoothed prediction.
//
// Built from a noise spec; a pure calculation from (pA, pB) and the text. Mode `sound` (the
// default) states what is proved for real word edits; mode `paper` reproduces the formulas of the
// Text-CRS paper, some of which do not hold. Formulas cite docs/certificates.md.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/certify/bounds.h"
#include "textcrs/certify/certified_set.h"
#include "textcrs/certify/embeddings.h"
#include "textcrs/certify/text_certificate.h"
#include "textcrs/text/synonyms.h"
#include "textcrs/text/vocabulary.h"

namespace TEXTCRS_API textcrs {

enum class CertificateMode { kSound, kPaper };

// Immutable to its users and thread-safe.
class Certificate {
 public:
  virtual ~Certificate() = default;

  CertificateMode mode() const { return mode_; }
  const std::string& noise() const { return noise_; }  // the spec it was built from

  // What the guarantees are about, never empty. A certified set lists them in this order, and no
  // others; it leaves one out only where the text does not allow it (insert: reordering, for a text
  // that is longer than the slots).
  virtual std::vector<Operation> operations() const = 0;

  // The text may be empty.
  std::unique_ptr<const TextCertificate> for_text(Text text) const;

  // The same for one question: for_text(text)->certify(bounds) and ->covers(bounds, edited).
  CertifiedSet certify(Bounds bounds, Text text) const;
  Coverage covers(Bounds bounds, Text text, Text edited) const;
  // certify() for a text of which only the length is known. A usage Error for a negative one and if
  // the certificate reads the words.
  CertifiedSet certify(Bounds bounds, int words) const;
  virtual bool reads_words() const { return false; }
  // Whether what it says depends on the context's slots.
  virtual bool reads_slots() const { return false; }

 protected:
  Certificate(CertificateMode mode, std::string noise) : mode_(mode), noise_(std::move(noise)) {}

 private:
  virtual std::unique_ptr<const TextCertificate> read(Text text) const = 0;

  CertificateMode mode_;
  std::string noise_;
};

// The vectors of own words, row-major.
using OwnVectors = std::function<std::vector<float>(std::span<const std::string> own)>;

// What some certificates need beside the spec; it must outlive them. Pointers may be null.
struct CertificateContext {
  int slots = 256;  // the model's n
  // substitute: the symmetric table the noise draws from, and the adversary's candidates, also
  // symmetric (null: the same table). gaussian, where there is a table: the candidates alone.
  const SynonymTable* synonyms = nullptr;
  const SynonymTable* candidates = nullptr;
  // delete and universal with stop words: which they are. hash, for covers(): the words' spelling;
  // null: what is covered is so for every vocabulary, closed ones included, which take different
  // words for one.
  const Vocabulary* vocabulary = nullptr;
  // insert and gaussian: the vectors of the vocabulary's words, and of the texts' own words.
  // own_vectors is called from several threads at once; without it texts have no own words.
  const Embeddings* embeddings = nullptr;
  OwnVectors own_vectors = {};
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
