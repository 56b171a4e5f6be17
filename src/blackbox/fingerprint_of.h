#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/blackbox/black_box.h"

namespace TEXTCRS_API textcrs {

// 32 hexadecimal digits of a SHA-512 of a list of texts: no two lists are one.
std::string digest_of(const std::vector<std::string_view>& parts);

// Of a black box: its kind, facts and classes, and what else its answers depend on.
std::string fingerprint_of(std::string_view kind, const Facts& facts,
                           const std::vector<std::string>& classes,
                           const std::vector<std::string_view>& more = {});

}  // namespace textcrs
