#include "text/word_index.h"

#include <gtest/gtest.h>

#include <map>

#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

// Of 1 to 20 bytes, few of them different: many words begin or end alike.
std::string random_word(Stream& stream) {
  std::string word(1 + stream.below(20), 'a');
  for (char& letter : word) letter = "ab\0\xc3"[stream.below(4)];
  return word;
}

TEST(WordIndex, IsAMapFromWordsToPlaces) {
  Stream stream(1, 0, 0);
  WordIndex index;
  std::map<std::string, int32_t> places;
  for (int trial = 0; trial < 20000; ++trial) {
    const std::string word = random_word(stream);
    const auto held = places.find(word);
    ASSERT_EQ(index.find(word), held == places.end() ? WordIndex::kNone : held->second);
    if (held != places.end() || stream.below(2) == 0) continue;
    places[word] = static_cast<int32_t>(index.words().size());
    index.add(word);
  }
  ASSERT_EQ(index.words().size(), places.size());
  for (const auto& [word, place] : places) {
    EXPECT_EQ(index.find(word), place);
    EXPECT_EQ(index.words()[static_cast<size_t>(place)], word);
  }
}

TEST(WordIndex, AnEmptyOneHoldsNothing) {
  EXPECT_EQ(WordIndex().find("word"), WordIndex::kNone);
  EXPECT_EQ(WordIndex().find(""), WordIndex::kNone);
}

}  // namespace
}  // namespace textcrs
