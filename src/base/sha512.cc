#include "base/sha512.h"

#include <fmt/format.h>
#include <openssl/evp.h>

#include "textcrs/base/error.h"

namespace textcrs {

struct Sha512::State {
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  ~State() { EVP_MD_CTX_free(context); }
};

Sha512::Sha512() : state_(std::make_unique<State>()) {
  if (state_->context == nullptr || EVP_DigestInit_ex(state_->context, EVP_sha512(), nullptr) != 1)
    throw failed("SHA-512 is not available in this OpenSSL");
}

Sha512::~Sha512() = default;

void Sha512::update(std::string_view bytes) {
  if (EVP_DigestUpdate(state_->context, bytes.data(), bytes.size()) != 1)
    throw failed("SHA-512 failed in OpenSSL");
}

Digest Sha512::finish() {
  Digest digest{};
  unsigned size = 0;
  if (EVP_DigestFinal_ex(state_->context, digest.data(), &size) != 1 || size != digest.size())
    throw failed("SHA-512 failed in OpenSSL");
  return digest;
}

Digest sha512(std::string_view bytes) {
  Sha512 hash;
  hash.update(bytes);
  return hash.finish();
}

std::string short_name(const Digest& digest) {
  std::string name;
  for (size_t i = 0; i < 16; ++i) name += fmt::format("{:02x}", digest[i]);
  return name;
}

}  // namespace textcrs
