#include "base/in_order.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace textcrs {
namespace {

// Who makes and uses which index; all of it under one lock.
class InOrder {
 public:
  InOrder(size_t count, size_t slots) : end_(count), made_(slots) {}

  // Makes one index after the other, until there is no more to make.
  void make_all(const std::function<void(size_t)>& make, StopToken stop) {
    std::unique_lock lock(mutex_);
    for (;;) {
      room_.wait(lock, [&] { return next_ >= end_ || next_ < used_ + made_.size(); });
      // With the lock held: where an index is stopped, no later one begins.
      if (stop.stop_requested())
        fail(next_, std::make_exception_ptr(Error(ErrorKind::kInterrupted, "interrupted")));
      if (next_ >= end_) return;
      const size_t index = next_++;
      lock.unlock();
      std::exception_ptr error;
      try {
        make(index);
      } catch (...) {
        error = std::current_exception();
      }
      lock.lock();
      if (error) {
        fail(index, error);
      } else {
        made_[index % made_.size()] = true;
        if (index == used_) ready_.notify_one();
      }
    }
  }

  // Uses one index after the other, until all are used or one failed.
  void use_all(const std::function<void(size_t)>& use) {
    std::unique_lock lock(mutex_);
    for (;;) {
      ready_.wait(lock, [&] { return used_ >= end_ || made_[used_ % made_.size()]; });
      if (used_ >= end_) break;
      lock.unlock();
      use(used_);
      lock.lock();
      made_[used_++ % made_.size()] = false;
      room_.notify_one();
    }
    room_.notify_all();
  }

  // Nothing more is begun.
  void close(std::exception_ptr error) {
    const std::scoped_lock lock(mutex_);
    fail(used_, std::move(error));
  }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  // Nothing from this index on is begun or used any more.
  void fail(size_t index, std::exception_ptr error) {
    if (index >= end_) return;
    end_ = index;
    error_ = std::move(error);
    room_.notify_all();
    ready_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable room_, ready_;
  size_t end_;              // of the indices that are to be used
  size_t next_ = 0;         // the first that has not begun
  size_t used_ = 0;         // so many are used; written by the thread that uses them
  std::vector<bool> made_;  // of [used_, used_ + slots)
  std::exception_ptr error_;
};

}  // namespace

void in_order(size_t count, int threads, size_t slots, const std::function<void(size_t)>& make,
              const std::function<void(size_t)>& use, StopToken stop) {
  InOrder work(count, slots);
  {
    std::vector<std::jthread> workers;
    try {
      for (size_t t = 0; t < std::min<size_t>(static_cast<size_t>(threads), count); ++t)
        workers.emplace_back([&] { work.make_all(make, stop); });
      work.use_all(use);
    } catch (...) {
      work.close(std::current_exception());
    }
  }
  work.rethrow();
}

}  // namespace textcrs
