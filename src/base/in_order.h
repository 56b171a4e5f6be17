// Results that are made by several threads and used one after the other, in order.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"

namespace TEXTCRS_API textcrs {

// How many indices per thread may have begun that are not used yet: so many that an index which
// takes long does not hold up the others.
constexpr size_t kAheadPerThread = 16;

// for_each_in_order() below, where make(i) leaves its result in slot i % slots, for use(i).
void in_order(size_t count, int threads, size_t slots, const std::function<void(size_t)>& make,
              const std::function<void(size_t)>& use, StopToken stop);

// Calls use(make(i)) for every i in [0, count): `make` on `threads` threads that take the next free
// index, `use` in the calling thread, in the order of the indices and as soon as all before are
// used. threads <= 1 does everything in the caller.
// An exception of `make`, or an Error of kind kInterrupted from the first index that would begin
// after `stop` asks for it, is thrown once all indices before it are used: of several, that of the
// lowest index. One of `use` is thrown at once. No thread is left behind.
template <typename Make, typename Use>
void for_each_in_order(size_t count, int threads, const Make& make, const Use& use,
                       StopToken stop = {}) {
  if (threads <= 1 || count <= 1) {
    for (size_t i = 0; i < count; ++i) {
      stop.check();
      use(make(i));
    }
    return;
  }
  std::vector<std::optional<std::invoke_result_t<const Make&, size_t>>> slots(
      kAheadPerThread * static_cast<size_t>(threads));
  in_order(
      count, threads, slots.size(), [&](size_t i) { slots[i % slots.size()].emplace(make(i)); },
      [&](size_t i) { use(*std::exchange(slots[i % slots.size()], std::nullopt)); }, stop);
}

}  // namespace textcrs
