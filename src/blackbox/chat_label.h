#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// The class that the answer of a language model names: the answer is its name, or begins with it
// ("**Spam**, because .."), whatever marks are around it and in any case of ASCII letters; of
// several classes the one with the longest name. A name further on counts for nothing: "not spam".
std::optional<int> class_said(std::string_view answer, const std::vector<std::string>& classes);

}  // namespace textcrs
