#include "textcrs/certified/explanation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>

#include "certified/explain.h"
#include "certified/tiny_models.h"
#include "certified/word_removal.h"
#include "report/fake_classifier.h"
#include "textcrs/certified/fitting_noise.h"
#include "textcrs/certified/smoothed_classifier.h"
#include "textcrs/certify/deterministic.h"

namespace textcrs {
namespace {

using testing::ElementsAre;

// An engine that answers 1 for a copy that holds word 5, and otherwise 0.
class Planted : public Engine {
 public:
  std::string name() const override { return "planted"; }
  std::vector<std::vector<int64_t>> votes(std::span<const TextSamples> texts,
                                          const Noise& noise) const override {
    std::vector<std::vector<int64_t>> all;
    for (const auto& [text, range] : texts) {
      std::vector<int64_t>& votes = all.emplace_back(2);
      for (uint32_t s = range.begin; s < range.end; ++s) {
        Stream stream(range.seed, range.example, s, range.words_lane);
        Words copy;
        noise.sample(text, stream, copy);
        ++votes[answer(copy)];
      }
    }
    return all;
  }
  std::vector<double> scores(const CopyBatch&) const override { return {}; }
  std::vector<int> classify(const CopyBatch& batch) const override {
    copies += batch.copies.size();
    std::vector<int> answers;
    for (const Words& copy : batch.copies) answers.push_back(static_cast<int>(answer(copy)));
    return answers;
  }
  bool votes_depend_on_batch() const override { return false; }
  uint64_t part_size() const override { return 128; }

  mutable size_t copies = 0;  // that were classified

 private:
  static size_t answer(const Words& copy) {
    return std::find(copy.begin(), copy.end(), 5) == copy.end() ? 0 : 1;
  }
};

const std::vector<Influence> kRemoved = {{.word = "w0", .positions = {0}},
                                         {.word = "w2", .positions = {1, 3}}};
const std::vector<WordId> kIds = {3, 5, 4, 5};

TEST(WordRemoval, MeasuresTheTextAndTheTextWithoutEachWord) {
  const SampleRange range = {.seed = 1, .example = 2, .begin = 0, .end = 20000};
  for (const std::string spec : {"universal:p=0.5", "delete:p=0.5", "mask:p=0.5"}) {
    SCOPED_TRACE(spec);
    const Planted engine;
    const auto noise = make_noise(spec);
    const WordRemoval removal(engine, *noise, kIds, 2, {});
    const SharesWithout shares = removal.shares(kRemoved, range, 1);
    EXPECT_NEAR(shares.whole, 0.75, 0.02);  // one of two copies of word 5 is left
    ASSERT_EQ(shares.without.size(), 2u);
    if (noise->picks_places())
      EXPECT_EQ(shares.without[0], shares.whole);  // random numbers in common
    else
      EXPECT_NEAR(shares.without[0], 0.75, 0.02);
    EXPECT_EQ(shares.without[1], 0);
  }
}

TEST(WordRemoval, RunsAgainOnlyTheCopiesThatHoldTheWord) {
  const Planted engine;
  const auto noise = make_noise("universal:p=0.9");
  const WordRemoval removal(engine, *noise, kIds, 2, {});
  removal.shares(kRemoved, {.seed = 1, .example = 2, .begin = 0, .end = 10000}, 1);
  EXPECT_NEAR(static_cast<double>(engine.copies), 10000 * (1 + 0.1 + 0.19), 300);
}

TEST(WordRemoval, CountsAllOutcomesOfAFiniteNoise) {
  const Planted engine;
  const Vocabulary words({"w0", "w1", "w2"});
  const auto noise = make_noise("hash:buckets=1,functions=3", {.vocabulary = &words});
  const WordRemoval removal(engine, *noise, kIds, 2, {});
  const SharesWithout shares = removal.shares(kRemoved, {}, 1);
  EXPECT_EQ(shares.whole, 1);
  EXPECT_THAT(shares.without, ElementsAre(1, 0));
}

TEST(WordRemoval, StopsWhenAsked) {
  const Planted engine;
  const std::atomic<bool> stop{true};
  for (const std::string spec : {"universal:p=0.5", "mask:p=0.5"}) {
    const auto noise = make_noise(spec);
    const WordRemoval removal(engine, *noise, kIds, 2, StopToken(stop));
    EXPECT_THROW(removal.shares(kRemoved, {.begin = 0, .end = 10}, 1), Error);
  }
}

// The votes of a text are its share of the letter "a"; samples do not matter.
struct CountedLetters {
  std::vector<std::string> words;
  mutable std::vector<std::pair<size_t, uint32_t>> calls;  // words and samples of each

  static double share(const std::vector<std::string>& text) {
    double letters = 0, found = 0;
    for (const std::string& word : text) {
      letters += static_cast<double>(word.size());
      found += static_cast<double>(std::count(word.begin(), word.end(), 'a'));
    }
    return letters == 0 ? 0 : found / letters;
  }
  MeasureShares measure() const {
    return [this](std::span<const Influence> removed, uint32_t begin, uint32_t end) {
      calls.emplace_back(removed.size(), end - begin);
      SharesWithout shares{share(words), {}};
      for (const Influence& word : removed)
        shares.without.push_back(share(without(std::span<const std::string>(words), word)));
      return shares;
    };
  }
};

TEST(Explanation, ListsTheLargestChangesFirst) {
  const CountedLetters letters{split("ab aaa b ab bbbb"), {}};
  const Explanation found =
      explain_by(letters.measure(), letters.measure(), letters.words, {.words = 3});
  EXPECT_EQ(found.share, 5.0 / 12);
  ASSERT_EQ(found.words.size(), 3u);
  EXPECT_EQ(found.words[0].word, "bbbb");
  EXPECT_EQ(found.words[0].change, 5.0 / 8 - 5.0 / 12);
  EXPECT_EQ(found.words[1].word, "aaa");
  EXPECT_EQ(found.words[1].change, 2.0 / 9 - 5.0 / 12);
  EXPECT_EQ(found.words[2].word, "ab");  // 3/8: both of them; "b" alone comes behind
  EXPECT_THAT(found.words[2].positions, ElementsAre(0, 3));
  EXPECT_THAT(letters.calls, ElementsAre(std::pair(size_t{4}, 1000u)));
}

TEST(Explanation, WordsThatChangeNothingAreLeftOut) {
  const CountedLetters letters{split("ab ab ba"), {}};
  const Explanation found = explain_by(letters.measure(), letters.measure(), letters.words, {});
  EXPECT_EQ(found.share, 0.5);
  EXPECT_TRUE(found.words.empty());
}

TEST(Explanation, OfManyWordsAFirstPassChoosesThoseToMeasure) {
  CountedLetters letters{split("bbb"), {}};
  for (int i = 0; i < 30; ++i) letters.words.push_back("a" + std::string(1, char('b' + i % 25)));
  letters.words.push_back("aaaaaaaa");
  const Explanation found = explain_by(letters.measure(), letters.measure(), letters.words,
                                       {.words = 2, .copies = 500, .measured = 4});
  EXPECT_THAT(letters.calls, ElementsAre(std::pair(size_t{27}, 50u), std::pair(size_t{4}, 500u)));
  ASSERT_EQ(found.words.size(), 2u);
  EXPECT_EQ(found.words[0].word, "aaaaaaaa");
  EXPECT_EQ(found.words[1].word, "bbb");
  EXPECT_THROW(explain_by(letters.measure(), letters.measure(), letters.words, {.copies = 0}),
               Error);
}

TEST(Explanation, OfAnyClassifierAsksForTheTextWithoutEachWord) {
  const FakeClassifier classifier;  // the first word is the answer
  const Explanation found = classifier.explain({"good", "film", "good"}, 1, 0);
  EXPECT_EQ(found.share, 1);
  ASSERT_EQ(found.words.size(), 1u);
  EXPECT_EQ(found.words[0].word, "good");
  EXPECT_THAT(found.words[0].positions, ElementsAre(0, 2));
  EXPECT_EQ(found.words[0].change, -1);
  EXPECT_EQ(found.copies, 90u);
  EXPECT_TRUE(found.drawn);
}

// The shares are those of the votes of the text without the word, drawn by themselves.
TEST(Explanation, OfASmoothedClassifierIsTheChangeOfItsVotes) {
  for (const std::string spec : {"universal:p=0.7", "delete:p=0.3", "mask:p=0.4", "insert:sigma=2",
                                 "hash:buckets=2,functions=9"}) {
    SCOPED_TRACE(spec);
    const std::string trained = spec.starts_with("hash") ? "universal:p=0.7" : spec;
    SmoothedOptions options;
    options.noise = spec;
    options.exact = false;
    options.neighbours = 0;
    options.certifier.estimation_samples = 20000;
    const SmoothedClassifier smoothed(tiny_cnn(trained), options);
    const auto words = split("w1 w5 w5 w12 zork w3 mork w19");
    const auto share = [&](const std::vector<std::string>& text) {
      const Votes votes = smoothed.certify(text, 9).counts;
      double cast = 0;
      for (const int64_t count : votes) cast += static_cast<double>(count);
      return static_cast<double>(votes[1]) / cast;
    };
    const Explanation found = smoothed.explain(words, 1, 9, {.words = 8, .copies = 20000});
    EXPECT_NEAR(found.share, share(words), 0.02);
    EXPECT_EQ(found.copies, spec.starts_with("hash") ? 0u : 20000u);
    EXPECT_EQ(found.drawn, found.copies > 0);
    EXPECT_FALSE(found.words.empty());
    for (const Influence& word : found.words)
      EXPECT_NEAR(found.share + word.change,
                  share(without(std::span<const std::string>(words), word)), 0.02)
          << word.word;
  }
}

// Where certify() runs all outcomes of a text, so does the explanation: the shares are the same.
TEST(Explanation, CountsWhereTheAnswerIsCounted) {
  std::vector<std::vector<WordId>> lists(23);
  lists[3] = {4};
  lists[4] = {3};
  for (const std::string spec : {"universal:p=0.7", "delete:p=0.5", "mask:p=0.4", "reorder:full",
                                 "substitute:kernel=uniform"}) {
    SCOPED_TRACE(spec);
    SmoothedOptions options;
    options.certifier.estimation_samples = 5000;
    const SmoothedClassifier smoothed(tiny_cnn(spec, SynonymTable("table", lists)), options);
    const auto words = split("w0 w5 w5 w12 w1 zork");
    const Certification answer = smoothed.certify(words, 9);
    ASSERT_TRUE(answer.exact);
    const Explanation found = smoothed.explain(words, answer.prediction, 9, {.words = 8});
    EXPECT_EQ(found.copies, 0u);
    EXPECT_FALSE(found.drawn);
    EXPECT_NEAR(found.share, answer.bounds.pa + kShareError, 1e-12);
    for (const Influence& word : found.words) {
      const Certification rest =
          smoothed.certify(without(std::span<const std::string>(words), word), 9);
      if (rest.prediction == answer.prediction) {
        EXPECT_NEAR(found.share + word.change, rest.bounds.pa + kShareError, 1e-12) << word.word;
      }
    }
    // Which words are counted is found by samples.
    const Explanation chosen =
        smoothed.explain(words, answer.prediction, 9, {.words = 2, .copies = 100, .measured = 2});
    EXPECT_EQ(chosen.copies, 0u);
    EXPECT_TRUE(chosen.drawn);
    EXPECT_EQ(chosen.share, found.share);
    options.exact = false;
    const SmoothedClassifier sampled(tiny_cnn(spec, SynonymTable("table", lists)), options);
    EXPECT_EQ(sampled.explain(words, answer.prediction, 9, {.copies = 50}).copies, 50u);
  }
}

}  // namespace
}  // namespace textcrs
