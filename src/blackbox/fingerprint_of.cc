#include "blackbox/fingerprint_of.h"

#include "base/sha512.h"

namespace textcrs {

std::string digest_of(const std::vector<std::string_view>& parts) {
  Sha512 hash;
  for (const std::string_view part : parts) {
    hash.update(std::to_string(part.size()) + ":");
    hash.update(part);
  }
  return short_name(hash.finish());
}

std::string fingerprint_of(std::string_view kind, const Facts& facts,
                           const std::vector<std::string>& classes,
                           const std::vector<std::string_view>& more) {
  const std::string sizes = std::to_string(facts.size()) + " " + std::to_string(classes.size());
  std::vector<std::string_view> parts = {kind, sizes};
  for (const auto& [name, value] : facts) parts.insert(parts.end(), {name, value});
  parts.insert(parts.end(), classes.begin(), classes.end());
  parts.insert(parts.end(), more.begin(), more.end());
  return digest_of(parts);
}

}  // namespace textcrs
