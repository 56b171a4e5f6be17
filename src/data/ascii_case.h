// Upper and lower case of ASCII letters.
#pragma once

#include <string>
#include <string_view>

namespace textcrs {

inline std::string lower_ascii(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return out;
}

}  // namespace textcrs
