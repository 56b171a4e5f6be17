#include "base/shared_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace textcrs {

FoundSymbol find_symbol(const char* library, const char* symbol) {
  void* const loaded = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr)
    return {nullptr, fmt::format("{} can not be loaded ({})", library, dlerror())};
  void* const address = dlsym(loaded, symbol);
  if (address == nullptr) return {nullptr, fmt::format("{}: found no {} in it", library, symbol)};
  return {address, ""};
}

}  // namespace textcrs
