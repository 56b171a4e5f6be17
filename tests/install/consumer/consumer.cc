// The smallest user of the installed library.
#include <textcrs/certify/certificate.h>

#include <iostream>

int main() {
  const auto certificate =
      textcrs::make_certificate("delete:p=0.7", textcrs::CertificateMode::kSound, {256});
  const textcrs::CertifiedSet set = certificate->certify({0.999, 0.001}, 100);
  std::cout << set.radius("deletion") << " words\n";
}
