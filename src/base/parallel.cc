#include "textcrs/base/parallel.h"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace textcrs {

void parallel_for(size_t count, int threads, const std::function<void(size_t)>& work) {
  if (threads <= 1 || count <= 1) {
    for (size_t i = 0; i < count; ++i) work(i);
    return;
  }
  std::atomic<size_t> next{0};
  std::exception_ptr error;
  std::mutex error_mutex;
  {
    std::vector<std::jthread> workers;
    for (size_t t = 0; t < std::min<size_t>(threads, count); ++t) {
      workers.emplace_back([&] {
        try {
          for (size_t i = next++; i < count; i = next++) work(i);
        } catch (...) {
          const std::scoped_lock lock(error_mutex);
          if (!error) error = std::current_exception();
          next = count;
        }
      });
    }
  }
  if (error) std::rethrow_exception(error);
}

int available_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

}  // namespace textcrs
