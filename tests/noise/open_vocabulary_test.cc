// Noises over texts with words of their own: what becomes of a text does not depend on the numbers
// of its words, nor on when they were met.
#include <gtest/gtest.h>

#include <map>

#include "textcrs/noise/noise.h"

namespace textcrs {
namespace {

using Spelled = std::vector<std::string>;

const Spelled kText = {"good", "new", "film", "of", "novel", "odd", "new", "words"};

// Of kText, encoded after the words met `before`.
std::vector<Spelled> outcomes(const std::string& spec, const Vocabulary& vocabulary,
                              const Spelled& before) {
  const auto noise = make_noise(spec, {.vocabulary = &vocabulary});
  OwnWords own;
  vocabulary.encode(before, own);
  const std::vector<WordId> ids = vocabulary.encode(kText, own);
  const Text text(ids, own.list());
  std::vector<Spelled> list;
  Words copy;
  for (uint64_t k = 0; k < noise->outcomes(text).value(); ++k) {
    noise->outcome(text, k, copy);
    list.emplace_back();
    for (const WordId word : copy) list.back().push_back(vocabulary.word(word, own.list()));
  }
  EXPECT_FALSE(list.empty()) << spec;
  return list;
}

TEST(OpenVocabulary, NumbersOfWordsDecideNothing) {
  for (const std::string spec : {"hash:buckets=2,functions=5", "reorder:block=8,order=sorted",
                                 "reorder:block=3,order=sorted"}) {
    SCOPED_TRACE(spec);
    const auto met_in_order = [&](const Spelled& known, const Spelled& before) {
      return outcomes(spec, Vocabulary(known, Vocabulary::Growth::kOpen), before);
    };
    const auto expected = met_in_order({"good", "film", "of"}, {});
    EXPECT_EQ(met_in_order({"good", "film", "of"}, {"words", "odd", "other", "novel"}), expected);
    EXPECT_EQ(met_in_order({"of", "x", "film", "good"}, {"odd", "new"}), expected);
    EXPECT_EQ(met_in_order(Spelled{"words", "odd", "novel", "of", "film", "new", "good"}, {}),
              expected);
    EXPECT_EQ(met_in_order({}, {}), expected);
  }
}

// The law too, where the order of outcomes plays no part.
TEST(OpenVocabulary, TheLawIsThatOfAClosedVocabularyThatHoldsTheWords) {
  const Spelled words = {"new", "good", "odd", "new"};
  for (const std::string spec :
       {"hash:buckets=3,functions=4", "reorder:block=3,order=sorted", "reorder:block=2",
        "reorder:groups=2", "reorder:full", "delete:p=0.3", "universal:p=0.5", "mask:p=0.5",
        "insert:sigma=1", "gaussian:sigma=1", "adapt:keep=2", "none"}) {
    SCOPED_TRACE(spec);
    const auto law = [&](const Vocabulary& vocabulary) {
      const auto noise = make_noise(spec, {.vocabulary = &vocabulary, .slots = 5});
      OwnWords own;
      const std::vector<WordId> ids = vocabulary.encode(words, own);
      std::map<Spelled, double> spelled;
      for (const auto& [outcome, probability] : noise->law(Text(ids, own.list()))) {
        Spelled copy;
        for (const WordId word : outcome) copy.push_back(vocabulary.word(word, own.list()));
        spelled[copy] += probability;
      }
      return spelled;
    };
    const auto open = law(Vocabulary({"good"}, Vocabulary::Growth::kOpen));
    const auto closed = law(Vocabulary({"odd", "new", "good"}));
    ASSERT_EQ(open.size(), closed.size());
    for (const auto& [outcome, probability] : closed)
      EXPECT_NEAR(open.at(outcome), probability, 1e-12);
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

TEST(OpenVocabulary, OwnWordsAreNotOrderedByTheirNumbers) {
  const auto noise = make_noise("reorder:block=8,order=sorted");
  const std::vector<std::string> own = {"odd", "new"};
  Words out;
  noise->outcome(Words{3, 4}, 0, out);
  EXPECT_THROW(noise->outcome(Text(Words{3, 4}, own), 0, out), std::logic_error);
}

}  // namespace
}  // namespace textcrs
