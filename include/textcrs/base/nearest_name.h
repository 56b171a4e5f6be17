// What somebody meant who misspelled a name.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// The known name with the fewest edits (a character more, less or other, or two neighbours swapped;
// ASCII case is free), the first of several; none if that takes more than a third of its
// characters.
std::optional<std::string> nearest_name(std::string_view name,
                                        const std::vector<std::string>& known);

// "; did you mean 'train'?" for the end of a message, or "".
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace textcrs
