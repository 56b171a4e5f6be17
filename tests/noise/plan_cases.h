// Noises and texts whose copies are drawn by a plan (textcrs/noise/copy_plan.h).
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <vector>

#include "textcrs/noise/noise.h"

namespace textcrs {

constexpr WordId kKnown = 40;  // words of the vocabulary, beside the special ones
constexpr uint64_t kPlanSeeds[] = {0, 17, 0xfedcba9876543210};

inline const Vocabulary& plan_vocabulary() {
  static const Vocabulary words = [] {
    std::vector<std::string> spelled;
    for (WordId i = 0; i < kKnown; ++i) spelled.push_back("w" + std::to_string(i));
    return Vocabulary(spelled, Vocabulary::Growth::kOpen)
        .with_stop_words({"some", {"w1", "w4", "w7", "w20", "w21", "w33"}});
  }();
  return words;
}

// The first half of the words have up to six candidates each, the others none.
inline const SynonymTable& plan_synonyms() {
  static const SynonymTable table = [] {
    std::vector<std::vector<WordId>> lists(kFirstWord + kKnown);
    const auto has_candidates = [](WordId word) {
      return word >= kFirstWord && word < kFirstWord + kKnown / 2;
    };
    for (WordId word = 0; word < kFirstWord + kKnown; ++word)
      for (const WordId step : {1, -1, 2, -2, 5, -5})
        if (has_candidates(word) && has_candidates(word + step))
          lists[static_cast<size_t>(word)].push_back(word + step);
    return SynonymTable("test", std::move(lists));
  }();
  return table;
}

inline NoiseContext plan_context(int slots) {
  return {&plan_vocabulary(), &plan_synonyms(), slots};
}

struct SpelledText {
  std::vector<WordId> ids;
  OwnWords own;
  Text view() const { return Text(ids, own.list()); }
};

// Words of the vocabulary with repeats, the special words, and words of the text's own.
inline SpelledText plan_text(size_t size) {
  SpelledText text;
  Stream stream(5, static_cast<uint32_t>(size), 0);
  std::vector<std::string> words;
  for (size_t i = 0; i < size; ++i)
    words.push_back((i % 7 == 6 ? "own" : "w") + std::to_string(stream.below(kKnown)));
  text.ids = plan_vocabulary().encode(words, text.own);
  for (size_t i = 11; i < size; i += 37) text.ids[i] = static_cast<WordId>(i) % kFirstWord;
  return text;
}

// Every kind of noise, at the edges of its parameters.
inline std::vector<std::string> plan_specs() {
  std::vector<std::string> list = {"none",
                                   "reorder:full",
                                   "insert:sigma=0.5",
                                   "gaussian:sigma=0.5",
                                   "adapt:keep=10",
                                   "adapt:keep=2,least=0.1,order=shuffled",
                                   "adapt:keep=1000000,least=0.001,growth=1.01",
                                   "substitute:kernel=uniform",
                                   "substitute:kernel=uniform,size=2",
                                   "substitute:kernel=staircase,size=4",
                                   "substitute:kernel=staircase,size=1",
                                   "substitute:kernel=staircase,size=50,eps=0.01",
                                   "substitute:kernel=cluster,size=3",
                                   "substitute:kernel=cluster,size=1000",
                                   "substitute:kernel=graph",
                                   "substitute:kernel=graph,size=4,eps=0.5,reach=5",
                                   "hash:buckets=1,functions=1",
                                   "hash:buckets=3,functions=7",
                                   "hash:buckets=1000,functions=2"};
  for (const std::string p :
       {"0.5", "0.1", "0.999999", "1e-12", "1e-300", "0.9999999999999999", "0.25000000001"})
    for (const std::string noise : {"delete:p=P", "delete:p=P,order=shuffled", "universal:p=P",
                                    "mask:p=P", "delete:p=P,stop=some", "universal:p=P,stop=some"})
      list.push_back(std::string(noise).replace(noise.find('P'), 1, p));
  for (const std::string length : {"1", "2", "3", "8", "43", "1000", "1000000"})
    for (const std::string noise :
         {"reorder:block=L", "reorder:block=L,order=sorted", "reorder:groups=L"})
      list.push_back(std::string(noise).replace(noise.find('L'), 1, length));
  return list;
}

inline std::string plan_name(const ::testing::TestParamInfo<std::string>& spec) {
  std::string name = std::to_string(spec.index) + "_";
  for (const char letter : spec.param) name += std::isalnum(letter) != 0 ? letter : '_';
  return name;
}

}  // namespace textcrs
