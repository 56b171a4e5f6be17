#pragma once

#include <string>

namespace textcrs {

// As it stands on a command line.
inline std::string flag_word(const std::string& name) { return "--" + name; }

}  // namespace textcrs
