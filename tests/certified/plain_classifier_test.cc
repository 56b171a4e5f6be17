#include "textcrs/certified/plain_classifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "certified/tiny_models.h"
#include "textcrs/certified/load.h"

namespace textcrs {
namespace {

using testing::HasSubstr;

// Texts of w0 .. w25 and of words that no vocabulary holds.
std::vector<std::vector<std::string>> texts() {
  std::vector<std::vector<std::string>> all = {split("zork"), split("good zork film mork"),
                                               split("w1 w2 w3 w4 w5 w6 w7 w8 w9 w10 w11 w12 "
                                                     "w13 w14 w15 w16")};  // more than the slots
  for (uint32_t i = 0; i < 30; ++i) {
    Stream stream(3, i, 0);
    all.emplace_back(1 + stream.below(9));
    for (std::string& word : all.back()) {
      const uint32_t number = stream.below(26);
      word = i % 2 == 0 ? "w" + std::to_string(number)
                        : std::string(1 + number % 3, static_cast<char>('a' + number));
    }
  }
  return all;
}

// What the model says of a text, put together by hand.
int plain_answer(const Classifier& model, const std::vector<std::string>& words) {
  OwnWords own;
  CopyBatch batch;
  batch.copies = {model.vocabulary().encode(words, own)};
  batch.own = {own.list()};
  return make_cpu_engine(model, {.precision = model.config().precision})->classify(batch)[0];
}

TEST(PlainClassifier, AnswersAsTheModelDoesAndCertifiesNothing) {
  for (const bool bert : {false, true}) {
    SCOPED_TRACE(bert);
    const std::shared_ptr<const Classifier> model = bert ? tiny_bert("none") : tiny_cnn("none");
    const PlainClassifier plain(model);
    EXPECT_TRUE(plain.operations().empty());
    std::vector<int64_t> answers(plain.classes().size());
    for (const auto& words : texts()) {
      const Certification c = plain.certify(words, 7);
      EXPECT_EQ(c.prediction, plain_answer(*model, words));
      ++answers[static_cast<size_t>(c.prediction)];
      Votes one(plain.classes().size());
      one[static_cast<size_t>(c.prediction)] = 1;
      EXPECT_EQ(c.counts, one);
      EXPECT_EQ(c.samples, 1u);
      EXPECT_TRUE(c.exact);
      EXPECT_FALSE(c.abstained);
      EXPECT_EQ(c.bounds, (Bounds{1, 0}));
      for (const CertifiedSet* set : {&c.sound, &c.paper}) {
        EXPECT_FALSE(set->certified);
        EXPECT_TRUE(set->guarantees.empty());
      }
      EXPECT_FALSE(c.single_edits);
      const Coverage coverage = plain.covers(words, c, words);
      EXPECT_FALSE(coverage.covered);
      EXPECT_THAT(coverage.why, HasSubstr("without noise"));
    }
    EXPECT_GT(std::count_if(answers.begin(), answers.end(), [](int64_t n) { return n > 0; }), 1);
  }
}

TEST(PlainClassifier, ATextWithoutWordsIsAnswered) {
  const auto model = tiny_cnn("none");
  CopyBatch empty;
  empty.copies.emplace_back();
  const auto engine = make_cpu_engine(*model, {.precision = model->config().precision});
  const Certification c = PlainClassifier(tiny_cnn("none")).certify({}, 0);
  EXPECT_FALSE(c.abstained);
  EXPECT_EQ(c.prediction, engine->classify(empty)[0]);
  EXPECT_EQ(c.samples, 1u);
}

TEST(PlainClassifier, DescribesItself) {
  SmoothedOptions options;
  options.precision = Precision::kFp32;
  const PlainClassifier plain(tiny_cnn("none"), options);
  const Description& description = plain.description();
  EXPECT_EQ(description.noise, "none");
  EXPECT_THAT(description.engine, testing::StartsWith("cpu fp32 "));
  EXPECT_EQ(description.precision, "fp32");
  EXPECT_EQ(description.model, tiny_cnn("none")->fingerprint());
  EXPECT_FALSE(description.samples);
}

TEST(PlainClassifier, StopsWhenAsked) {
  const PlainClassifier plain(tiny_cnn("none"));
  const std::atomic<bool> stop{true};
  EXPECT_THROW(plain.certify({"w1"}, 0, StopToken(stop)), Error);
}

TEST(PlainClassifier, RefusesWhatDoesNotFit) {
  EXPECT_THROW(PlainClassifier(tiny_cnn("universal:p=0.7")), Error);
  SmoothedOptions options;
  options.certifier.stop.at_radius = 1;
  EXPECT_THROW(PlainClassifier(tiny_cnn("none"), options), Error);
}

TEST(LoadCertified, AModelWithoutNoiseAnswersPlainlyUnlessANoiseIsAskedFor) {
  const TemporaryFolder folder;
  tiny_cnn("none")->save(folder.path() / "plain");
  tiny_cnn("universal:p=0.7")->save(folder.path() / "smoothed");
  CertifiedOptions options;
  EXPECT_TRUE(load_certified(folder.path() / "plain")->operations().empty());
  options.noise = "none";
  EXPECT_EQ(load_certified(folder.path() / "plain", options)->description().noise, "none");
  EXPECT_THROW(load_certified(folder.path() / "smoothed", options), Error);
  options.noise = "universal:p=0.7";
  const auto smoothed = load_certified(folder.path() / "plain", options);
  EXPECT_FALSE(smoothed->operations().empty());
  EXPECT_EQ(smoothed->description().noise, "universal:p=0.7");
}

}  // namespace
}  // namespace textcrs
