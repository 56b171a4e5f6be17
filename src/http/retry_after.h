#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace textcrs {

// How long a Retry-After header asks to wait, from `now` on: its value is a number of seconds or an
// HTTP date. None for anything else; zero for a date in the past; at most a day.
std::optional<std::chrono::milliseconds> retry_after(std::string_view value,
                                                     std::chrono::system_clock::time_point now);

}  // namespace textcrs
