#include "http/printable.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace textcrs {

std::string without_secrets(std::string text, std::vector<std::string> secrets) {
  constexpr std::string_view kInstead = "[secret]";
  std::sort(secrets.begin(), secrets.end(),
            [](const auto& a, const auto& b) { return a.size() > b.size(); });
  for (const std::string& secret : secrets) {
    if (secret.empty()) continue;
    std::string out;
    size_t from = 0;
    for (size_t at; (at = text.find(secret, from)) != std::string::npos; from = at + secret.size())
      out.append(text, from, at - from).append(kInstead);
    text = std::move(out.append(text, from));
  }
  return text;
}

std::string printable_start(std::string_view text) {
  constexpr std::string_view kWhite = " \t\r\n", kCut = "...";
  std::string out;
  while (!text.empty()) {
    std::string next(1, text.front());
    size_t bytes = 1;
    if (kWhite.find(text.front()) != kWhite.npos) {
      next = " ";
      bytes = std::min(text.find_first_not_of(kWhite), text.size());
    } else if (text.front() < ' ' || text.front() > '~') {  // also where char has a sign
      next = fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    }
    if (out.size() + next.size() > kLongestQuote) return out.append(kCut);
    out += next;
    text.remove_prefix(bytes);
  }
  return out;
}

}  // namespace textcrs
