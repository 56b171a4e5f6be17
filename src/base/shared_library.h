// Libraries that are loaded when they are first asked for.
#pragma once

#include <string>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// The address of a symbol of a library, which stays loaded; or null, and why not.
struct FoundSymbol {
  void* address = nullptr;
  std::string problem;  // one line that names the library
};
FoundSymbol find_symbol(const char* library, const char* symbol);

}  // namespace textcrs
