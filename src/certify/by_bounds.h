// What depends on the bounds alone, computed once for each.
#pragma once

#include <map>
#include <mutex>
#include <utility>

#include "textcrs/certify/bounds.h"

namespace textcrs {

// Thread-safe. Keeps a value for all bounds that were ever asked about: those of one text are few.
template <typename Value>
class ByBounds {
 public:
  // make() is called if there is none yet, by one thread at a time. The value stays valid as long
  // as this object.
  template <typename Make>
  const Value& at(Bounds bounds, const Make& make) const {
    const std::lock_guard lock(mutex_);
    const std::pair key(bounds.pa, bounds.pb);
    const auto made = values_.find(key);
    return made != values_.end() ? made->second : values_.emplace(key, make()).first->second;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::pair<double, double>, Value> values_;
};

}  // namespace textcrs
