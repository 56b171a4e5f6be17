// What a page allows itself, for its Content-Security-Policy.
#pragma once

#include <string>
#include <string_view>

namespace textcrs {

// No source of anything but this script and this style, named by their hashes.
std::string content_policy(std::string_view script, std::string_view style);

}  // namespace textcrs
