// The flags of the verbs that certify from given bounds, without running a model.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "textcrs/certify/certificate.h"
#include "word_context.h"

namespace textcrs::cli {

constexpr const char* kPaperWarning =
    "(the paper's formula; not every one of them holds: docs/certificates.md)\n";

struct CertificateFlags {
  std::string noise, mode = "sound";
  double pa = 0;
  std::optional<double> pb;
  int slots = 0;  // 0: the model's, else the words of the longest text
  WordFlags words;
  CandidateFlags candidates;

  void add(CLI::App& app);
  WordNeeds needs() const;  // of covers(); of certify() less
};

// A certificate with the bounds it is asked about and the words it is about.
class GivenCertificate {
 public:
  // `least_slots` is for a text of which only the length is known.
  GivenCertificate(const CertificateFlags& flags, const WordNeeds& needs,
                   const std::vector<std::string>& texts, int least_slots = 1);

  const Certificate& certificate() const { return *certificate_; }
  const WordContext& words() const { return words_; }
  Bounds bounds() const { return bounds_; }
  int slots() const { return slots_; }

 private:
  WordContext words_;
  SynonymTable candidates_;
  Bounds bounds_;
  int slots_;
  CertificateContext context_;
  std::unique_ptr<Certificate> certificate_;
};

}  // namespace textcrs::cli
