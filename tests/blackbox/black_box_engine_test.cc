#include "blackbox/black_box_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "blackbox/rule_box.h"
#include "textcrs/base/stream.h"
#include "textcrs/text/tokenizer.h"

namespace textcrs {
namespace {

using testing::ElementsAre;

const std::vector<std::string> kWords = tokenize("A good film, \"naïve\" and good - not bad.");

// An engine of a rule, and a text in its words.
struct OfRule {
  explicit OfRule(RuleBox::Rule rule, uint64_t repeat_one_of = 0)
      : vocabulary(std::vector<std::string>{"good", "bad"}, Vocabulary::Growth::kOpen) {
    auto made = std::make_unique<RuleBox>(std::move(rule), 50);
    box = made.get();
    AskedOptions options;
    options.repeat_one_of = repeat_one_of;
    asked = std::make_unique<AskedTexts>(std::move(made), options);
    ids = vocabulary.encode(kWords, own);
  }
  Text text() const { return {ids, own.list()}; }
  BlackBoxEngine engine() const { return {*asked, vocabulary, mask, {}}; }

  Vocabulary vocabulary;
  std::string mask = "[MASK]";
  RuleBox* box = nullptr;
  std::unique_ptr<AskedTexts> asked;
  OwnWords own;
  std::vector<WordId> ids;
};

int has_good(const std::string& text) { return text.find("good") != text.npos; }

// The copies by hand: drawn one by one, spelled, joined.
std::vector<std::string> copies(const OfRule& of, const Noise& noise, const SampleRange& range) {
  std::vector<std::string> texts;
  for (uint32_t s = range.begin; s < range.end; ++s) {
    Stream stream(range.seed, range.example, s, range.words_lane);
    Words copy;
    noise.sample(of.text(), stream, copy);
    std::string& text = texts.emplace_back();
    for (size_t i = 0; i < copy.size(); ++i)
      text += (i == 0 ? "" : " ") +
              (copy[i] == kMask ? of.mask : of.vocabulary.word(copy[i], of.own.list()));
  }
  return texts;
}

TEST(BlackBoxEngine, ACopyIsItsWordsWithASpaceBetweenThem) {
  const OfRule of(has_good);
  CopyBatch batch;
  batch.copies = {{of.ids.begin(), of.ids.end()}, {}, {of.ids[0]}, {kMask, of.ids[1], kMask}};
  batch.own.assign(4, of.own.list());
  EXPECT_THAT(of.engine().classify(batch), ElementsAre(1, 0, 0, 1));
  EXPECT_THAT(of.box->texts(), ElementsAre("a good film , \" naive \" and good - not bad .", "",
                                           "a", "[MASK] good [MASK]"));
  EXPECT_THAT(of.engine().scores(batch), ElementsAre(0, 1, 1, 0, 1, 0, 0, 1));
}

TEST(BlackBoxEngine, VotesAreTheAnswersToTheCopiesCountedByHand) {
  for (const char* spec : {"universal:p=0.9", "delete:p=0.6", "mask:p=0.5", "reorder:full",
                           "reorder:block=3", "adapt:keep=2"}) {
    SCOPED_TRACE(spec);
    const OfRule of([](const std::string& text) { return text.size() % 3 == 1; });
    const auto noise = make_noise(spec, {.vocabulary = &of.vocabulary});
    // More than a part of the engine.
    const SampleRange range = {.seed = 7, .example = 3, .begin = 17, .end = 10'000};
    const std::vector<std::string> texts = copies(of, *noise, range);
    std::vector<int64_t> expected(2);
    for (const std::string& text : texts) ++expected[text.size() % 3 == 1];
    EXPECT_EQ(of.engine().votes(of.text(), *noise, range), expected);
    // Each draw is a vote of its own, and each text was asked once.
    const AskedCounts counts = of.asked->counts();
    EXPECT_EQ(counts.texts, texts.size());
    const std::set<std::string> different(texts.begin(), texts.end());
    EXPECT_EQ(counts.asked, different.size());
    EXPECT_EQ(of.box->texts().size(), different.size());
  }
}

// Neither what is remembered, nor batches, nor a repeated question changes a vote.
TEST(BlackBoxEngine, VotesAreThoseOfNoMemory) {
  const auto noise = make_noise("universal:p=0.9");
  const SampleRange range = {.seed = 1, .example = 0, .begin = 0, .end = 3000};
  const OfRule plain(has_good), repeating(has_good, 3);
  const std::vector<int64_t> votes = plain.engine().votes(plain.text(), *noise, range);
  EXPECT_EQ(repeating.engine().votes(repeating.text(), *noise, range), votes);
  EXPECT_GT(repeating.asked->counts().repeated, 0u);
  std::vector<int64_t> one_by_one(2);
  for (uint32_t s = 0; s < 3000; ++s) {
    const auto one = plain.engine().votes(plain.text(), *noise,
                                          {.seed = 1, .example = 0, .begin = s, .end = s + 1});
    for (size_t c = 0; c < 2; ++c) one_by_one[c] += one[c];
  }
  EXPECT_EQ(one_by_one, votes);
}

TEST(BlackBoxEngine, AGaussianIsABug) {
  const OfRule of(has_good);
  CopyBatch batch;
  batch.copies = {{}};
  batch.sigma = 1;
  EXPECT_THROW(of.engine().classify(batch), std::logic_error);
}

}  // namespace
}  // namespace textcrs
