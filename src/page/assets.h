// The page's own style and script: the files of src/page/assets, put into the library by
// cmake/embed.cmake.
#pragma once

#include <string_view>

namespace textcrs {

std::string_view page_style();
std::string_view page_script();

}  // namespace textcrs
