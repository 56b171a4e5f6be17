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
  std::string noise, mode = "sound";  // noise: empty: the model's
  std::optional<double> pa, pb;
  int slots = 0;  // 0: the model's
  WordFlags words;
  CandidateFlags candidates;

  void add(CLI::App& app);        // all of them
  void add_given(CLI::App& app);  // those that stand in for a model's votes and words

  bool has_model() const { return !words.model.empty(); }
  WordNeeds needs() const;  // of covers(); of certify() less
};

// A certificate with the bounds it is asked about and the words it is about. Nothing that the
// answer depends on is made up: what a model decides is the model's or was named by a flag, and a
// usage Error says what is missing.
class GivenCertificate {
 public:
  // The certificate is about the first text, or about one of which only the number of words is
  // known.
  GivenCertificate(const CertificateFlags& flags, const WordNeeds& needs,
                   const std::vector<std::string>& texts, std::optional<int> words = std::nullopt);

  const Certificate& certificate() const { return *certificate_; }
  const WordContext& words() const { return words_; }
  Bounds bounds() const { return bounds_; }
  int slots() const { return context_.slots; }
  // Says in a proved set that the model reads the words of a cluster as one, where it does.
  void name_clusters(CertifiedSet& set) const;

 private:
  Bounds bounds_;
  WordContext words_;
  SynonymTable candidates_;
  CertificateContext context_;
  std::unique_ptr<Certificate> certificate_;
};

}  // namespace textcrs::cli
