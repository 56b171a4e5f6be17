// The certificates behind make_certificate, one factory per class.
#pragma once

#include <memory>
#include <string>

#include "textcrs/base/spec.h"
#include "textcrs/certify/certificate.h"

namespace textcrs {

struct CertificateRequest {
  std::string text;  // the noise spec as given
  Spec spec;         // the same, parsed
  CertificateContext context;
};

using CertificatePtr = std::unique_ptr<Certificate>;
using TextCertificatePtr = std::unique_ptr<const TextCertificate>;

// Each returns nullptr if the noise, with these parameters, has no certificate of its kind, and
// throws a usage Error for parameters that are wrong. A parameter the certificate does not know
// might change the noise's law, so it is refused, never ignored.
CertificatePtr sound_deletion(const CertificateRequest& request);           // B1, B2
CertificatePtr sound_universal(const CertificateRequest& request);          // B3
CertificatePtr sound_reordering(const CertificateRequest& request);         // B4, B9
CertificatePtr sound_insertion(const CertificateRequest& request);          // B5
CertificatePtr sound_substitution(const CertificateRequest& request);       // B6
CertificatePtr sound_masking(const CertificateRequest& request);            // B7
CertificatePtr sound_adaptive_deletion(const CertificateRequest& request);  // B13
CertificatePtr sound_gaussian(const CertificateRequest& request);           // B14
CertificatePtr sound_hash(const CertificateRequest& request);               // B9

CertificatePtr paper_substitution(const CertificateRequest& request);  // A, theorem 1
CertificatePtr paper_reordering(const CertificateRequest& request);    // A, theorem 2
CertificatePtr paper_insertion(const CertificateRequest& request);     // A, theorem 3
CertificatePtr paper_deletion(const CertificateRequest& request);      // A, theorem 5

}  // namespace textcrs
