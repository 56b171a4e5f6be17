// Writing to descriptors.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace textcrs {

// Writes all of it, however many calls that takes; false with errno set if it can not.
inline bool write_whole(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(descriptor, content.data(), content.size());
    if (written >= 0)
      content.remove_prefix(static_cast<size_t>(written));
    else if (errno != EINTR)
      return false;
  }
  return true;
}

}  // namespace textcrs
