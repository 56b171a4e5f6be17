// The copies of a call as sequences of words, longest first.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "textcrs/noise/noise.h"

namespace textcrs {

// Cut to `slots` words; an empty copy is a single PAD. The copies must outlive it.
class Sequences {
 public:
  Sequences(std::span<const Words> copies, int slots) : copies_(copies) {
    for (const Words& copy : copies)
      lengths_.push_back(std::clamp<int>(static_cast<int>(copy.size()), 1, slots));
    order_.resize(copies.size());
    std::iota(order_.begin(), order_.end(), size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](size_t a, size_t b) { return lengths_[a] > lengths_[b]; });
  }

  size_t size() const { return order_.size(); }
  size_t copy_at(size_t place) const { return order_[place]; }
  int length_at(size_t place) const { return lengths_[order_[place]]; }
  WordId word(size_t place, int slot) const {
    const Words& copy = copies_[order_[place]];
    return copy.empty() ? kPad : copy[static_cast<size_t>(slot)];
  }

 private:
  std::span<const Words> copies_;
  std::vector<int> lengths_;
  std::vector<size_t> order_;
};

}  // namespace textcrs
