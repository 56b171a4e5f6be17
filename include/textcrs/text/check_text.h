// Texts that do not come from a file are checked as those that do.
#pragma once

#include <string_view>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// A bad_input Error that names `where` and the offset of the byte unless the text is UTF-8 without
// a NUL.
void check_text(std::string_view text, std::string_view where);

}  // namespace textcrs
