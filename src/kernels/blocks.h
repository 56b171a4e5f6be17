// The blocks of docs/certificates.md, B4.
#pragma once

#include <cstddef>

#include "kernels/host_device.h"

namespace textcrs {

// Cuts m positions before every g, 1 <= g < m, with g = offset mod length (0 <= offset < length),
// and calls visit(begin, end) for each block [begin, end), left to right.
template <typename Visit>
TEXTCRS_HOST_DEVICE void for_each_block(size_t m, size_t length, size_t offset,
                                        const Visit& visit) {
  size_t begin = 0;
  for (size_t end = offset == 0 ? length : offset; begin < m; end += length) {
    visit(begin, end < m ? end : m);
    begin = end;
  }
}

}  // namespace textcrs
