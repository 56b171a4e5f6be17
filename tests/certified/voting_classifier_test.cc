// Words that vote, as a certified classifier: every claim against all edits there are.
#include "textcrs/certified/voting_classifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "certified/tiny_models.h"
#include "certified/tiny_votes.h"
#include "model/expect_error.h"

namespace textcrs {
namespace {

using testing::HasSubstr;
using TextWords = std::vector<std::string>;
using Texts = std::set<TextWords>;

constexpr size_t kMostEdits = 3;

// What an adversary may insert into a text of the models here: no model knows "new".
const TextWords kInserted = {"a", "b", "c", "new"};

Texts shorter_by_one(const Texts& texts) {
  Texts all;
  for (const TextWords& text : texts)
    for (size_t i = 0; i < text.size(); ++i) {
      TextWords less = text;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
      all.insert(less);
    }
  return all;
}

Texts longer_by_one(const Texts& texts) {  // in one order: it does not matter
  Texts all;
  for (const TextWords& text : texts)
    for (const std::string& word : kInserted) {
      TextWords more = text;
      more.push_back(word);
      std::sort(more.begin(), more.end());
      all.insert(more);
    }
  return all;
}

// All that is left when exactly, or as far as there are words, `lost` words go and `gained` come.
Texts edited(const TextWords& text, size_t lost, size_t gained) {
  Texts texts = {text};
  for (size_t i = 0; i < std::min(lost, text.size()); ++i) texts = shorter_by_one(texts);
  for (size_t i = 0; i < gained; ++i) texts = longer_by_one(texts);
  return texts;
}

bool keeps(const VotingClassifier& classifier, const TextWords& text, size_t lost, size_t gained) {
  const int answer = classifier.certify(text, 0).prediction;
  for (size_t a = 0; a <= lost; ++a)
    for (size_t b = 0; b <= gained; ++b)
      for (const TextWords& other : edited(text, a, b))
        if (classifier.certify(other, 0).prediction != answer) return false;
  return true;
}

std::unique_ptr<Classifier> random_votes(uint32_t seed, size_t classes) {
  Stream stream(31, seed, 0);
  const auto score = [&] { return static_cast<float>(stream.below(7)) - 2; };
  WordScores scores;
  for (const char* word : {"<unk>", "a", "b", "c"}) {
    scores.push_back({word, {}});
    for (size_t c = 0; c < classes; ++c) scores.back().second.push_back(score());
  }
  std::vector<float> bias(classes);
  for (float& value : bias) value = score();
  return tiny_votes(scores, bias);
}

TextWords random_text(uint32_t seed) {
  Stream stream(32, seed, 0);
  TextWords text(stream.below(5));
  for (std::string& word : text) word = kInserted[stream.below(4)];
  return text;
}

class RandomVotes : public testing::TestWithParam<size_t> {};  // the number of classes

TEST_P(RandomVotes, EveryRadiusIsTheTrueOne) {
  for (uint32_t seed = 0; seed < 60; ++seed) {
    const VotingClassifier classifier(random_votes(seed, GetParam()));
    const TextWords text = random_text(seed);
    const Certification answer = classifier.certify(text, 0);
    const auto compare = [&](Operation operation, bool loses, bool gains) {
      for (size_t r = 0; r <= kMostEdits; ++r) {
        if (!gains && r > text.size()) continue;
        EXPECT_EQ(static_cast<double>(r) <= answer.sound.radius(operation),
                  keeps(classifier, text, loses ? r : 0, gains ? r : 0))
            << seed << " " << static_cast<int>(operation) << " " << r;
      }
    };
    compare(Operation::kDeletion, true, false);
    compare(Operation::kInsertion, false, true);
    compare(Operation::kEdit, true, true);
  }
}

// By the numbers of words that go and come, whichever they are.
TEST_P(RandomVotes, CoversWhatNoEditsOfThatSizeChange) {
  size_t covered = 0, others = 0;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    const VotingClassifier classifier(random_votes(seed, GetParam()));
    const TextWords text = random_text(seed);
    const Certification answer = classifier.certify(text, 0);
    for (size_t lost = 0; lost <= std::min<size_t>(2, text.size()); ++lost)
      for (size_t gained = 0; gained <= 2; ++gained)
        for (const TextWords& other : edited(text, lost, gained)) {
          size_t same = 0;
          for (const std::string& word : kInserted)
            same += static_cast<size_t>(std::min(std::count(text.begin(), text.end(), word),
                                                 std::count(other.begin(), other.end(), word)));
          const bool is_covered = classifier.covers(text, answer, other).covered;
          EXPECT_EQ(is_covered, keeps(classifier, text, text.size() - same, other.size() - same))
              << seed;
          ++(is_covered ? covered : others);
        }
  }
  EXPECT_GT(covered, 100u);
  EXPECT_GT(others, 100u);
}

TEST_P(RandomVotes, AWitnessIsOneEditMoreThanCertifiedAndChangesTheAnswer) {
  size_t witnesses = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const VotingClassifier classifier(random_votes(seed, GetParam()));
    const TextWords text = random_text(seed);
    const Certification answer = classifier.certify(text, 0);
    const double radius = answer.sound.radius(Operation::kEdit);
    EXPECT_EQ(answer.witness.has_value(), radius != kUnlimited) << seed;
    if (!answer.witness) continue;
    ++witnesses;
    EXPECT_EQ(
        static_cast<double>(std::max(answer.witness->lost.size(), answer.witness->gained.size())),
        radius + 1);
    for (const auto& [place, word] : answer.witness->lost) EXPECT_EQ(text[place], word);
    const Certification after = classifier.certify(answer.witness->applied_to(text), 0);
    EXPECT_NE(after.prediction, answer.prediction) << seed;
    EXPECT_EQ(classifier.classes()[static_cast<size_t>(after.prediction)], answer.witness->answer);
    EXPECT_FALSE(classifier.covers(text, answer, answer.witness->applied_to(text)).covered);
  }
  EXPECT_GT(witnesses, 100u);
}

INSTANTIATE_TEST_SUITE_P(Classes, RandomVotes, testing::Values(2, 3, 5));

TEST(VotingClassifier, AddsTheScoresUp) {
  const VotingClassifier classifier(
      tiny_votes({{"good", {0, 5}}, {"bad", {7, 0}}, {"<unk>", {0, 1}}}, {1, 2}));
  const Certification answer = classifier.certify({"good", "never", "bad", "good"}, 0);
  EXPECT_EQ(answer.counts, (std::vector<int64_t>{8, 13}));
  EXPECT_EQ(answer.prediction, 1);
  EXPECT_TRUE(answer.exact);
  EXPECT_FALSE(answer.abstained);
  EXPECT_FALSE(classifier.description().samples);
  EXPECT_EQ(answer.sound.radius(Operation::kReordering), kUnlimited);
}

TEST(VotingClassifier, TiesGoToTheLowestClass) {
  const VotingClassifier classifier(
      tiny_votes({{"a", {1, 0, 0}}, {"b", {0, 1, 0}}, {"c", {0, 0, 1}}}, {0, 0, 0}));
  EXPECT_EQ(classifier.certify({"c", "b", "a"}, 0).prediction, 0);
  EXPECT_EQ(classifier.certify({"c", "b"}, 0).prediction, 1);
  // Ahead by 0 of a later class is enough: one deletion of "a" leaves a tie that b wins.
  const Certification tied = classifier.certify({"c", "b", "a"}, 0);
  EXPECT_EQ(tied.sound.radius(Operation::kDeletion), 0);
  EXPECT_EQ(classifier.certify({"b", "a", "a"}, 0).sound.radius(Operation::kDeletion), 1);
}

TEST(VotingClassifier, ATextWithoutWordsHasTheBias) {
  const VotingClassifier classifier(tiny_votes({{"a", {2, 0}}, {"b", {0, 2}}}, {0, 3}));
  const Certification answer = classifier.certify({}, 0);
  EXPECT_EQ(answer.prediction, 1);
  EXPECT_EQ(answer.counts, (std::vector<int64_t>{0, 3}));
  EXPECT_EQ(answer.warnings, std::vector{Warning::kNoWords});
  EXPECT_EQ(answer.sound.radius(Operation::kDeletion), 0);
  EXPECT_EQ(answer.sound.radius(Operation::kInsertion), 1);
  ASSERT_TRUE(answer.witness);
  EXPECT_TRUE(answer.witness->lost.empty());
  EXPECT_EQ(answer.witness->gained, (TextWords{"a", "a"}));
  EXPECT_EQ(classifier.certify(answer.witness->applied_to({}), 0).prediction, 0);
}

// An unknown word is the worst that can come: it counts, and its witness is a word one can type.
TEST(VotingClassifier, UnknownWordsAreAmongThoseThatMayCome) {
  const VotingClassifier classifier(
      tiny_votes({{"a", {1, 0}}, {"zzz", {1, 0}}, {"<unk>", {0, 9}}}, {10, 0}));
  const TextWords text = {"a", "zzz"};
  const Certification answer = classifier.certify(text, 0);
  EXPECT_EQ(answer.sound.radius(Operation::kInsertion), 1);
  ASSERT_TRUE(answer.witness);
  EXPECT_EQ(answer.witness->gained, (TextWords{"zzzz", "zzzz"}));
  const TextWords after = answer.witness->applied_to(text);
  EXPECT_EQ(classifier.certify(after, 0).prediction, 1);
  std::string typed;
  for (const std::string& word : after) typed += word + " ";
  EXPECT_EQ(classifier.words(typed), after);
  EXPECT_FALSE(classifier.covers(text, answer, {"never", "seen"}).covered);
}

// No noise puts them there, but a caller may spell them out.
TEST(VotingClassifier, TheNamesOfSpecialWordsAreUnknownWords) {
  const VotingClassifier classifier(
      tiny_votes({{"a", {1, 0}}, {"<pad>", {0, 900}}, {"<mask>", {0, 900}}}, {10, 0}));
  EXPECT_EQ(classifier.certify({"<pad>", "<mask>"}, 0).counts, (std::vector<int64_t>{10, 0}));
  const Certification answer = classifier.certify({"a"}, 0);
  EXPECT_TRUE(classifier.covers({"a"}, answer, {"<mask>", "<pad>"}).covered);
}

TEST(VotingClassifier, TheLargestScoresOfALongTextDoNotOverflow) {
  constexpr float kMost = kLargestScore;
  constexpr int64_t kLength = 100000;
  const VotingClassifier classifier(
      tiny_votes({{"a", {kMost, -kMost}}, {"b", {-kMost, kMost}}, {"c", {0, 1}}}, {kMost, -kMost}));
  const TextWords text(kLength, "a");
  const Certification answer = classifier.certify(text, 0);
  EXPECT_EQ(answer.prediction, 0);
  EXPECT_EQ(answer.counts[0], (kLength + 1) * int64_t{kLargestScore});
  EXPECT_EQ(answer.counts[1], -(kLength + 1) * int64_t{kLargestScore});
  EXPECT_EQ(answer.sound.radius(Operation::kDeletion), kLength);
  EXPECT_EQ(answer.sound.radius(Operation::kInsertion), kLength + 1);
  EXPECT_EQ(answer.sound.radius(Operation::kEdit), kLength / 2);
  ASSERT_TRUE(answer.witness);
  EXPECT_EQ(classifier.certify(answer.witness->applied_to(text), 0).prediction, 1);
}

// More words may come than an int counts.
TEST(VotingClassifier, TheFrontierOfAHugeLeadDoesNotOverflow) {
  constexpr float kMost = kLargestScore;
  const VotingClassifier classifier(tiny_votes({{"a", {kMost, -kMost}}, {"b", {0, 1}}}, {0, 0}));
  const TextWords text(10, "a");
  const Certification answer = classifier.certify(text, 0);
  EXPECT_EQ(answer.sound.radius(Operation::kInsertion), 10.0 * 2 * kLargestScore);
  ASSERT_FALSE(answer.sound.frontier.empty());
  for (const auto& [lost, gained] : answer.sound.frontier) {
    EXPECT_GE(gained, 0);
    EXPECT_LE(gained, (10.0 - lost) * 2 * kLargestScore);
  }
  EXPECT_EQ(answer.sound.frontier.back(), (std::pair{10, 0}));
}

TEST(VotingClassifier, RefusesTablesThatAreNoWholeNumbers) {
  for (const float value : {0.5F, 2.0F * kLargestScore, std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::quiet_NaN()}) {
    const auto refused = [&](const WordScores& scores, const std::vector<float>& bias) {
      return expect_error(ErrorKind::kBadInput,
                          [&] { VotingClassifier(tiny_votes(scores, bias)); });
    };
    EXPECT_THAT(refused({{"a", {value, 0}}}, {0, 0}), HasSubstr("the model's scores: found "));
    EXPECT_THAT(refused({{"a", {1, 0}}}, {value, 0}), HasSubstr("the model's bias: found "));
  }
  EXPECT_THAT(expect_error(ErrorKind::kUsage, [] { VotingClassifier(tiny_cnn("none")); }),
              HasSubstr("a cnn does not cast votes"));
}

TEST(VotingClassifier, WarnsAboutTextsOfUnknownWords) {
  const VotingClassifier classifier(tiny_votes({{"a", {1, 0}}}, {0, 0}));
  EXPECT_EQ(classifier.certify({"x", "y", "a"}, 0).warnings, std::vector{Warning::kMostlyUnknown});
  EXPECT_TRUE(classifier.certify({"x", "a"}, 0).warnings.empty());
}

}  // namespace
}  // namespace textcrs
