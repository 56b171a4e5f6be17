#include "http/retry_after.h"

#include <curl/curl.h>

#include <algorithm>
#include <charconv>
#include <string>

namespace textcrs {

std::optional<std::chrono::milliseconds> retry_after(std::string_view value,
                                                     std::chrono::system_clock::time_point now) {
  constexpr std::string_view kDigits = "0123456789";
  constexpr std::chrono::seconds kMost = std::chrono::hours(24), kNone{0};
  if (value.empty()) return std::nullopt;
  if (value.find_first_not_of(kDigits) == value.npos) {
    long long seconds = kMost.count();  // stays so where the number is out of range
    std::from_chars(value.data(), value.data() + value.size(), seconds);
    return std::min(std::chrono::seconds(seconds), kMost);
  }
  const time_t date = curl_getdate(std::string(value).c_str(), nullptr);
  if (date == -1) return std::nullopt;
  const auto wait = std::chrono::system_clock::from_time_t(date) - now;
  return std::clamp(std::chrono::duration_cast<std::chrono::milliseconds>(wait),
                    std::chrono::milliseconds(kNone), std::chrono::milliseconds(kMost));
}

}  // namespace textcrs
