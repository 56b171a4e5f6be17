// Which version of Text-CRS this is, and made a result.
#pragma once

#include <string_view>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

std::string_view version();  // "0.2.0"
std::string_view commit();   // "abc1234": what the build was configured from; empty if unknown

}  // namespace textcrs
