// A number and its noun.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace textcrs {

// "1 word", "2 words", "0 words".
std::string counted(std::integral auto number, std::string_view noun) {
  return std::to_string(number) + " " + std::string(noun) + (number == 1 ? "" : "s");
}

}  // namespace textcrs
