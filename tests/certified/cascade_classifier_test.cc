#include "textcrs/certified/cascade_classifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "certified/fake_fallback.h"
#include "certified/named_votes.h"
#include "certified/tiny_models.h"
#include "textcrs/base/error.h"
#include "textcrs/certified/load.h"
#include "textcrs/certified/plain_classifier.h"

namespace textcrs {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

using Words = std::vector<std::string>;

const std::vector<std::string> kClasses = {"no", "yes"};

// "good" is worth 4, "bad" -6, "film" nothing: the strongest vote is 6.
std::unique_ptr<VotingClassifier> votes(std::vector<float> bias = {}) {
  return std::make_unique<VotingClassifier>(
      named_votes(kClasses, {{"good", {-2, 2}}, {"bad", {3, -3}}, {"film", {0, 0}}}, bias));
}

std::unique_ptr<FakeFallback> always(int answer, int* calls = nullptr,
                                     std::vector<std::string> classes = kClasses) {
  return std::make_unique<FakeFallback>(
      std::move(classes), [answer](const std::string&) { return answer; }, calls);
}

TEST(Threshold, IsGivenInStrongestVotes) {
  EXPECT_EQ(votes()->strongest_vote(), 6);
  EXPECT_EQ(threshold_in_votes(0, 6), std::nullopt);
  EXPECT_EQ(threshold_in_votes(1.5, 6), 9);
  EXPECT_EQ(threshold_in_votes(0.01, 6), 0);  // a lead, however small
  EXPECT_EQ(threshold_in_votes(0.29, 100), 29);
  for (const double bad : {-0.1, 1.1 * kLargestThreshold, std::nan(""), kUnlimited})
    EXPECT_THROW(threshold_in_votes(bad, 6), Error) << bad;
}

TEST(Threshold, IsWrittenShortAndReadsBack) {
  EXPECT_EQ(threshold_of_votes(9, 6), 1.5);
  EXPECT_EQ(threshold_of_votes(4096, 4096), 1);
  EXPECT_EQ(threshold_of_votes(4097, 4096), 1.0002);
  for (int64_t strongest = 1; strongest < 3000; strongest += 7)
    for (int64_t limit = 1; limit < 20000; limit += 131) {
      const double threshold = threshold_of_votes(limit, strongest);
      EXPECT_EQ(threshold_in_votes(threshold, strongest), limit) << strongest;
    }
}

TEST(Cascade, TheVotesAnswerWhereTheyAreClear) {
  int calls = 0;
  const CascadeClassifier cascade(votes(), always(0, &calls), 1);
  const Words clear = split("good good film");  // leads by 8 > 6
  const Certification answer = cascade.certify(clear, 0);
  EXPECT_EQ(answer.prediction, 1);
  EXPECT_FALSE(answer.by_fallback);
  EXPECT_EQ(answer.counts, (Votes{-4, 4}));
  EXPECT_TRUE(answer.sound.certified);
  EXPECT_EQ(answer.sound.radius(Operation::kDeletion), 0);  // without a "good" the lead is 4
  EXPECT_EQ(answer.sound.radius(Operation::kReordering), kUnlimited);
  EXPECT_FALSE(answer.witness);  // what the fallback says of other texts is not known
  EXPECT_EQ(calls, 0);
  const Coverage same = cascade.covers(clear, answer, split("film good good"));
  EXPECT_TRUE(same.covered);
  const Coverage other = cascade.covers(clear, answer, split("good film"));
  EXPECT_FALSE(other.covered);
  EXPECT_THAT(other.why, HasSubstr("as many can leave the votes unclear"));
  // Without the threshold they are sure of more.
  EXPECT_EQ(votes()->certify(clear, 0).sound.radius(Operation::kDeletion), 1);
}

TEST(Cascade, TheFallbackAnswersElsewhereAndNothingIsCertified) {
  int calls = 0;
  const CascadeClassifier cascade(votes(), always(0, &calls), 1);
  const Words unclear = split("good film");
  const Certification answer = cascade.certify(unclear, 0);
  EXPECT_EQ(answer.prediction, 0);
  EXPECT_TRUE(answer.by_fallback);
  EXPECT_FALSE(answer.abstained);
  EXPECT_EQ(answer.counts, (Votes{1, 0}));
  EXPECT_EQ(answer.samples, 1u);
  EXPECT_FALSE(answer.sound.certified);
  EXPECT_FALSE(answer.paper.certified);
  for (const Operation operation : cascade.operations()) {
    ASSERT_NE(answer.sound.find(operation), nullptr);
    EXPECT_EQ(answer.sound.radius(operation), 0);
  }
  EXPECT_FALSE(answer.witness);
  EXPECT_EQ(calls, 1);
  const Coverage coverage = cascade.covers(unclear, answer, unclear);
  EXPECT_FALSE(coverage.covered);
  EXPECT_EQ(coverage.why, kAnsweredByFallback);
  EXPECT_EQ(calls, 1);
}

TEST(Cascade, AThresholdOf0IsThePlainVotes) {
  int calls = 0;
  const CascadeClassifier cascade(votes(), always(1, &calls), 0);
  const auto plain = votes();
  for (const char* text : {"", "good bad film", "film", "good", "bad bad good zork"}) {
    const Certification answer = cascade.certify(split(text), 0),
                        same = plain->certify(split(text), 0);
    EXPECT_EQ(answer.prediction, same.prediction);
    EXPECT_EQ(answer.sound.frontier, same.sound.frontier);
    EXPECT_EQ(answer.witness, same.witness);
    EXPECT_EQ(answer.sound.radius(Operation::kEdit), same.sound.radius(Operation::kEdit));
  }
  EXPECT_EQ(calls, 0);  // not even for a tie
}

TEST(Cascade, TheFallbackReadsTheWordsAgain) {
  std::string read;
  const CascadeClassifier cascade(votes(),
                                  std::make_unique<FakeFallback>(kClasses,
                                                                 [&](const std::string& text) {
                                                                   read = text;
                                                                   return 1;
                                                                 }),
                                  100);
  const Words words = cascade.words("It ISN'T a  good film!");
  EXPECT_EQ(cascade.certify(words, 0).prediction, 1);
  EXPECT_EQ(read, "it is not a good film !");
  EXPECT_TRUE(cascade.certify({}, 0).by_fallback);
  EXPECT_EQ(read, "");
}

TEST(Cascade, ClassesMayComeInAnotherOrder) {
  const std::vector<std::string> three = {"a", "b", "c"};
  const auto voter = [&] {
    return std::make_unique<VotingClassifier>(
        named_votes(three, {{"x", {1, 0, 0}}, {"y", {0, 1, 0}}, {"z", {0, 0, 1}}}));
  };
  for (int said = 0; said < 3; ++said) {
    const std::vector<std::string> other = {"c", "a", "b"};
    const CascadeClassifier cascade(voter(), always(said, nullptr, other), 5);
    const Certification answer = cascade.certify(split("x"), 0);
    EXPECT_EQ(cascade.classes(), three);
    EXPECT_EQ(three[static_cast<size_t>(answer.prediction)], other[static_cast<size_t>(said)]);
    EXPECT_EQ(answer.counts[static_cast<size_t>(answer.prediction)], 1);
  }
}

std::string refusal(std::unique_ptr<FakeFallback> fallback, double threshold = 1) {
  try {
    const CascadeClassifier cascade(votes(), std::move(fallback), threshold);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "";
}

TEST(Cascade, RefusesWhatDoesNotFit) {
  EXPECT_THAT(refusal(always(0, nullptr, {"no", "maybe"})),
              AllOf(HasSubstr("no, yes"), HasSubstr("no, maybe")));
  EXPECT_THAT(refusal(always(0, nullptr, {"no", "yes", "maybe"})), HasSubstr("no, yes, maybe"));
  EXPECT_THAT(refusal(always(0), -1), HasSubstr("threshold is -1"));
  auto sampled = always(0);
  sampled->description_of().samples = true;
  sampled->description_of().noise = "universal:p=0.9";
  EXPECT_THAT(refusal(std::move(sampled)), HasSubstr("universal:p=0.9"));
}

TEST(Cascade, DescribesBothModels) {
  const CascadeClassifier cascade(votes(), always(0), 1.5);
  const Description& description = cascade.description();
  EXPECT_EQ(description.model, votes()->description().model);
  EXPECT_EQ(description.fallback, "fedcba9876543210");
  EXPECT_EQ(description.engine, "votes, else fake");
  EXPECT_FALSE(description.samples);
  EXPECT_THAT(description.settings, testing::Contains(Setting{"threshold", 1.5}));
}

TEST(Cascade, ATextWithoutWordsIsAnswered) {
  const CascadeClassifier clear(votes({0, 7}), always(0), 1), unclear(votes({0, 6}), always(0), 1);
  EXPECT_EQ(clear.certify({}, 0).prediction, 1);
  EXPECT_EQ(clear.certify({}, 0).sound.radius(Operation::kEdit), 0);
  const Certification answer = unclear.certify({}, 0);
  EXPECT_EQ(answer.prediction, 0);
  EXPECT_TRUE(answer.by_fallback);
  const CascadeClassifier with_bert(votes(), std::make_unique<PlainClassifier>(tiny_bert("none")),
                                    1);
  EXPECT_TRUE(with_bert.certify({}, 0).by_fallback);
}

TEST(Cascade, IsExplainedByWhoeverAnswers) {
  const CascadeClassifier cascade(
      votes(),
      std::make_unique<FakeFallback>(
          kClasses,
          [](const std::string& text) { return text.find("warm") == std::string::npos ? 0 : 1; }),
      1);
  const Explanation explanation = cascade.explain(split("a warm film"), 1, 0);
  EXPECT_EQ(explanation.share, 1);
  ASSERT_EQ(explanation.words.size(), 1u);
  EXPECT_EQ(explanation.words[0].word, "warm");
  EXPECT_EQ(explanation.words[0].positions, (std::vector<size_t>{1}));
  EXPECT_EQ(explanation.words[0].change, -1);
}

TEST(Cascade, StopsWhenAsked) {
  const CascadeClassifier cascade(votes(), always(0), 1);
  const std::atomic<bool> stop{true};
  EXPECT_THROW(cascade.certify({"good"}, 0, StopToken(stop)), Error);
}

// Everything that an adversary can write with three words and one that is unknown.
std::vector<Words> all_texts(size_t longest) {
  const Words vocabulary = {"a", "b", "c", "zork"};
  std::vector<Words> texts = {{}};
  for (size_t begin = 0, length = 1; length <= longest; ++length) {
    const size_t end = texts.size();
    for (; begin < end; ++begin)
      for (const std::string& word : vocabulary) {
        texts.push_back(texts[begin]);
        texts.back().push_back(word);
      }
  }
  return texts;
}

struct Change {
  int lost = 0, gained = 0;
  int edits() const { return std::max(lost, gained); }
};

Change change_of(const Words& from, const Words& to) {
  std::map<std::string, int> counts;
  for (const std::string& word : to) ++counts[word];
  for (const std::string& word : from) --counts[word];
  Change change;
  for (const auto& [word, count] : counts)
    (count > 0 ? change.gained : change.lost) += std::abs(count);
  return change;
}

constexpr size_t kLongest = 5, kLongestCertified = 3;

std::vector<NamedScores> random_scores(Stream& stream, size_t classes) {
  std::vector<NamedScores> table = {{"a", {}}, {"b", {}}, {"c", {}}};
  for (NamedScores& row : table)
    for (size_t c = 0; c < classes; ++c)
      row.scores.push_back(static_cast<float>(stream.below(7)) - 3);
  return table;
}

// B11: whatever the fallback is. One that always says the same other class is the worst there is:
// against it the radius is the true one.
TEST(Cascade, ItsCertificateHoldsForAnyFallback) {
  const std::vector<Words> texts = all_texts(kLongest);
  int clear = 0, unclear = 0, certified_edits = 0;
  for (uint32_t trial = 0; trial < 40; ++trial) {
    SCOPED_TRACE(trial);
    Stream stream(17, trial, 0);
    const std::vector<std::string> names = trial % 2 == 0 ? std::vector<std::string>{"A", "B"}
                                                          : std::vector<std::string>{"A", "B", "C"};
    const std::vector<NamedScores> table = random_scores(stream, names.size());
    std::vector<float> bias;
    for (size_t c = 0; c < names.size(); ++c)
      bias.push_back(static_cast<float>(stream.below(15)) - 7);
    const double threshold = 0.25 * (1 + stream.below(6));
    // Constant ones, and one that depends on the order of the words, too.
    std::vector<std::unique_ptr<CascadeClassifier>> cascades;
    for (int f = 0; f <= static_cast<int>(names.size()); ++f) {
      const size_t classes = names.size();
      const bool constant = f < static_cast<int>(classes);
      cascades.push_back(std::make_unique<CascadeClassifier>(
          std::make_unique<VotingClassifier>(named_votes(names, table, bias)),
          std::make_unique<FakeFallback>(
              names,
              [=](const std::string& text) {
                return constant ? f : static_cast<int>(std::hash<std::string>()(text) % classes);
              }),
          threshold));
    }
    std::vector<std::vector<int>> answers;  // per cascade, per text
    for (const auto& cascade : cascades) {
      answers.emplace_back();
      for (const Words& text : texts)
        answers.back().push_back(cascade->certify(text, 0).prediction);
    }
    for (size_t t = 0; t < texts.size() && texts[t].size() <= kLongestCertified; ++t) {
      const Certification answer = cascades[0]->certify(texts[t], 0);
      ++(answer.by_fallback ? unclear : clear);
      if (answer.by_fallback) continue;
      const CertifiedSet& set = answer.sound;
      const double edits = set.radius(Operation::kEdit);
      certified_edits += edits > 0;
      int harmful = INT_MAX;
      for (size_t u = 0; u < texts.size(); ++u) {
        const Change change = change_of(texts[t], texts[u]);
        const bool in_frontier =
            std::any_of(set.frontier.begin(), set.frontier.end(), [&](const auto& pair) {
              return change.lost <= pair.first && change.gained <= pair.second;
            });
        const bool promised =
            in_frontier || change.edits() <= edits ||
            (change.gained == 0 && change.lost <= set.radius(Operation::kDeletion)) ||
            (change.lost == 0 && change.gained <= set.radius(Operation::kInsertion)) ||
            (change.lost == change.gained && change.lost <= set.radius(Operation::kSubstitution)) ||
            cascades[0]->covers(texts[t], answer, texts[u]).covered;
        for (size_t f = 0; f < cascades.size(); ++f) {
          if (answers[f][u] == answer.prediction) continue;
          harmful = std::min(harmful, change.edits());
          ASSERT_FALSE(promised) << "fallback " << f << ", text " << t << " edited to " << u;
        }
      }
      const int reach = static_cast<int>(kLongest - texts[t].size());
      if (harmful <= reach)
        EXPECT_EQ(edits, harmful - 1);
      else
        EXPECT_GE(edits, reach);
    }
  }
  EXPECT_GT(clear, 500);
  EXPECT_GT(unclear, 500);
  EXPECT_GT(certified_edits, 100);
}

TEST(LoadCascade, OfTwoFolders) {
  const TemporaryFolder folder;
  const auto path = [&](const char* name) { return folder.path() / name; };
  named_votes({"no", "yes", "maybe"}, {{"w1", {2, 0, 0}}})->save(path("votes"));
  named_votes({"no", "yes"}, {{"w1", {2, 0}}})->save(path("two"));
  tiny_cnn("none")->save(path("plain"));
  tiny_cnn("universal:p=0.7")->save(path("smoothed"));
  const auto cascade = load_cascade(path("votes"), path("plain"), 0.4);
  EXPECT_THAT(cascade->description().engine, StartsWith("votes, else cpu "));
  EXPECT_FALSE(cascade->certify({"w1"}, 0).by_fallback);
  EXPECT_TRUE(cascade->certify({"w2"}, 0).by_fallback);
  EXPECT_EQ(cascade->certify({"w2"}, 0).prediction,
            PlainClassifier(tiny_cnn("none")).certify({"w2"}, 0).prediction);
  EXPECT_THROW(load_cascade(path("plain"), path("plain"), 1), Error);
  EXPECT_THROW(load_cascade(path("votes"), path("smoothed"), 1), Error);
  EXPECT_THROW(load_cascade(path("two"), path("plain"), 1), Error);
  CertifiedOptions noisy;
  noisy.noise = "universal:p=0.7";
  EXPECT_THROW(load_cascade(path("votes"), path("plain"), 1, noisy), Error);
}

}  // namespace
}  // namespace textcrs
