// Noises over words that a vocabulary learns: what becomes of a text does not depend on the numbers
// of its words, nor on when they were met.
#include <gtest/gtest.h>

#include "textcrs/noise/noise.h"

namespace textcrs {
namespace {

using Spelled = std::vector<std::string>;

const Spelled kText = {"good", "new", "film", "of", "novel", "odd", "new", "words"};

std::vector<Spelled> outcomes(const std::string& spec, const Vocabulary& vocabulary,
                              const Noise& noise) {
  const std::vector<WordId> text = vocabulary.encode(kText);
  std::vector<Spelled> list;
  Words copy;
  for (uint64_t k = 0; k < noise.outcomes(text).value(); ++k) {
    noise.outcome(text, k, copy);
    list.emplace_back();
    for (const WordId word : copy) list.back().push_back(vocabulary.word(word));
  }
  EXPECT_FALSE(list.empty()) << spec;
  return list;
}

TEST(OpenVocabulary, NumbersOfWordsDecideNothing) {
  for (const std::string spec : {"hash:buckets=2,functions=5", "reorder:block=8,order=sorted",
                                 "reorder:block=3,order=sorted"}) {
    SCOPED_TRACE(spec);
    const auto met_in_order = [&](const Spelled& known, const Spelled& before) {
      const Vocabulary vocabulary(known, Vocabulary::Growth::kOpen);
      const auto noise = make_noise(spec, {.vocabulary = &vocabulary});
      vocabulary.encode(before);
      return outcomes(spec, vocabulary, *noise);
    };
    const auto expected = met_in_order({"good", "film", "of"}, {});
    EXPECT_EQ(met_in_order({"good", "film", "of"}, {"words", "odd", "other", "novel"}), expected);
    EXPECT_EQ(met_in_order({"of", "x", "film", "good"}, {"odd", "new"}), expected);
    EXPECT_EQ(met_in_order(Spelled{"words", "odd", "novel", "of", "film", "new", "good"}, {}),
              expected);
    EXPECT_EQ(met_in_order({}, {}), expected);
  }
}

TEST(OpenVocabulary, AnIdThatWasNeverGivenIsABug) {
  const Vocabulary vocabulary({"good"}, Vocabulary::Growth::kOpen);
  Words out;
  for (const std::string spec : {"hash:buckets=2,functions=5", "reorder:block=8,order=sorted"}) {
    const auto noise = make_noise(spec, {.vocabulary = &vocabulary});
    EXPECT_THROW(noise->outcome(Words{3, 4}, 0, out), std::logic_error);
  }
}

}  // namespace
}  // namespace textcrs
