#include "textcrs/certify/certificate.h"

#include <fmt/format.h>

#include <array>

#include "certify/certificates.h"
#include "certify/check_bounds.h"
#include "noise/noise_name.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

struct Entry {
  const char* noise;
  CertificateMode mode;
  CertificatePtr (*make)(const CertificateRequest&);
};

constexpr std::array kRegistry = {
    Entry{"delete", CertificateMode::kSound, sound_deletion},
    Entry{"universal", CertificateMode::kSound, sound_universal},
    Entry{"reorder", CertificateMode::kSound, sound_reordering},
    Entry{"insert", CertificateMode::kSound, sound_insertion},
    Entry{"substitute", CertificateMode::kSound, sound_substitution},
    Entry{"adapt", CertificateMode::kSound, sound_adaptive_deletion},
    Entry{"gaussian", CertificateMode::kSound, sound_gaussian},
    Entry{"mask", CertificateMode::kSound, sound_masking},
    Entry{"hash", CertificateMode::kSound, sound_hash},
    Entry{"substitute", CertificateMode::kPaper, paper_substitution},
    Entry{"reorder", CertificateMode::kPaper, paper_reordering},
    Entry{"insert", CertificateMode::kPaper, paper_insertion},
    Entry{"delete", CertificateMode::kPaper, paper_deletion},
    Entry{"universal", CertificateMode::kPaper, paper_deletion},
};

}  // namespace

TextCertificatePtr Certificate::for_text(Text text) const { return read(text); }

CertifiedSet Certificate::certify(Bounds bounds, Text text) const {
  check_bounds(bounds);
  return for_text(text)->certify(bounds);
}

Coverage Certificate::covers(Bounds bounds, Text text, Text edited) const {
  check_bounds(bounds);
  return for_text(text)->covers(bounds, edited);
}

CertifiedSet Certificate::certify(Bounds bounds, int words) const {
  if (reads_words())
    throw usage_error(fmt::format(
        "the certificate of {} depends on the words: their number is not enough", noise_));
  if (words < 0)
    throw usage_error(fmt::format("the text has {} words, expected at least 0", words));
  return certify(bounds, std::vector<WordId>(static_cast<size_t>(words), kUnk));
}

std::unique_ptr<Certificate> find_certificate(std::string_view noise_spec, CertificateMode mode,
                                              const CertificateContext& context) {
  if (context.slots < 1)
    throw usage_error(fmt::format("slots is {}, expected at least 1", context.slots));
  const CertificateRequest request{std::string(noise_spec), Spec::parse(noise_spec), context};
  for (const Entry& entry : kRegistry)
    if (entry.mode == mode && request.spec.name() == entry.noise) return entry.make(request);
  return nullptr;
}

std::unique_ptr<Certificate> make_certificate(std::string_view noise_spec, CertificateMode mode,
                                              const CertificateContext& context) {
  if (CertificatePtr certificate = find_certificate(noise_spec, mode, context)) return certificate;
  check_noise_name(Spec::parse(noise_spec));
  throw usage_error(fmt::format("'{}': this noise has no {} certificate; noises that have one: {}",
                                noise_spec, to_string(mode),
                                fmt::join(certified_noises(mode), ", ")));
}

std::vector<std::string> certified_noises(CertificateMode mode) {
  std::vector<std::string> names;
  for (const Entry& entry : kRegistry)
    if (entry.mode == mode) names.emplace_back(entry.noise);
  return names;
}

CertificateMode parse_certificate_mode(std::string_view name) {
  for (const CertificateMode mode : {CertificateMode::kSound, CertificateMode::kPaper})
    if (name == to_string(mode)) return mode;
  throw usage_error(fmt::format("mode is '{}', expected sound or paper", name));
}

std::string_view to_string(CertificateMode mode) {
  return mode == CertificateMode::kSound ? "sound" : "paper";
}

}  // namespace textcrs
