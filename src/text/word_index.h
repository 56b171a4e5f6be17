// Words by their places in a list, and places by their words: a hash table without pointers, for
// texts whose every word is looked up.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "textcrs/base/hash.h"

namespace textcrs {

class WordIndex {
 public:
  static constexpr int32_t kNone = -1;

  const std::vector<std::string>& words() const { return words_; }

  // The place of a word; kNone if it is not held.
  int32_t find(std::string_view word) const {
    const uint64_t hash = hash_of(word);
    for (size_t at = hash & last_;; at = (at + 1) & last_) {
      const Slot slot = slots_[at];
      if (slot.place == kNone) return kNone;
      if (slot.tag == tag_of(hash) && words_[static_cast<size_t>(slot.place)] == word)
        return slot.place;
    }
  }

  // For so many words in all: the list does not move before them. Takes no memory for those that do
  // not come.
  void reserve(size_t words) { words_.reserve(words); }

  std::vector<std::string> take() && { return std::move(words_); }

  // Adds a word that is not held.
  void add(std::string_view word) {
    words_.emplace_back(word);
    if (3 * words_.size() > 2 * slots_.size())
      grow(2 * slots_.size());
    else
      enter(words_.size() - 1);
  }

 private:
  struct Slot {
    uint32_t tag = 0;  // of the word's hash: other words are seldom looked at
    int32_t place = kNone;
  };

  static uint64_t hash_of(std::string_view word) {
    const uint64_t hash = hash_bulk(word) * 0x9e3779b97f4a7c15;
    return hash ^ (hash >> 32);
  }
  static uint32_t tag_of(uint64_t hash) { return static_cast<uint32_t>(hash >> 32); }

  void grow(size_t slots) {
    slots_ = {};  // before the larger ones are made
    slots_.resize(slots);
    last_ = slots - 1;
    for (size_t place = 0; place < words_.size(); ++place) enter(place);
  }

  void enter(size_t place) {
    const uint64_t hash = hash_of(words_[place]);
    size_t at = hash & last_;
    while (slots_[at].place != kNone) at = (at + 1) & last_;
    slots_[at] = {tag_of(hash), static_cast<int32_t>(place)};
  }

  std::vector<std::string> words_;
  std::vector<Slot> slots_ = std::vector<Slot>(16);  // a power of 2, two thirds taken at most
  size_t last_ = 15;
};

}  // namespace textcrs
