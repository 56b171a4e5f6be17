#include "textcrs/certified/interval_classifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/interval_model.h"
#include "model/expect_error.h"
#include "model/interval_models.h"
#include "textcrs/certified/load.h"

namespace textcrs {
namespace {

using testing::HasSubstr;

std::vector<std::string> spelled(const Classifier& classifier, const std::vector<WordId>& ids) {
  std::vector<std::string> words;
  for (const WordId id : ids)
    words.push_back(id == kUnk ? "zork" : id == kMask ? "mork" : classifier.vocabulary().word(id));
  return words;
}

class IntervalClassifiers : public testing::TestWithParam<const char*> {};

TEST_P(IntervalClassifiers, NeverFlipsInsideWhatIsCertified) {
  int all = 0, none = 0;
  for (uint64_t seed = 1; seed <= 3; ++seed)
    for (const double spread : {0.02, 1.0}) {
      const std::shared_ptr<const Classifier> model = interval_classifier(GetParam(), spread, seed);
      const IntervalClassifier certified(model);
      for (const auto& ids : interval_texts(14)) {
        const auto words = spelled(*model, ids);
        const Certification answer = certified.certify(words, 0);
        EXPECT_TRUE(answer.sound.certified);
        EXPECT_EQ(answer.sound.candidates, "groups");
        EXPECT_TRUE(answer.exact);
        const double radius = answer.sound.radius(Operation::kSubstitution);
        EXPECT_TRUE(radius == 0 || radius == kUnlimited);
        (radius > 0 ? all : none) += 1;
        if (radius == 0) continue;
        for (const auto& other : all_substitutions(model->synonyms(), ids)) {
          const auto edited = spelled(*model, other);
          ASSERT_TRUE(certified.covers(words, answer, edited).covered);
          ASSERT_EQ(certified.certify(edited, 0).prediction, answer.prediction);
        }
      }
    }
  EXPECT_GT(all, 10);
  EXPECT_GT(none, 10);
}

TEST_P(IntervalClassifiers, CoverNothingButCandidatesInPlace) {
  const std::shared_ptr<const Classifier> model = interval_classifier(GetParam(), 0.001, 2);
  const IntervalClassifier certified(model);
  const std::vector<std::string> words = {"w4", "w0", "w9"};
  const Certification answer = certified.certify(words, 0);
  ASSERT_EQ(answer.sound.radius(Operation::kSubstitution), kUnlimited);
  EXPECT_EQ(answer.sound.replaceable, 2);
  EXPECT_EQ(answer.sound.in_words(),
            "up to 2 of the 2 words that have candidates (groups) substituted, each by one of its "
            "own");
  EXPECT_TRUE(certified.covers(words, answer, words).covered);
  EXPECT_TRUE(certified.covers(words, answer, {"w6", "w0", "w11"}).covered);
  EXPECT_THAT(certified.covers(words, answer, {"w6", "w1", "w9"}).why,
              HasSubstr("'w1' is no candidate of 'w0'"));
  for (const std::vector<std::string>& edited : {std::vector<std::string>{"w6", "w1", "w9"},
                                                 {"w8", "w0", "w9"},
                                                 {"w4", "w0", "zork"},
                                                 {"w4", "w9", "w0"},
                                                 {"w4", "w0"},
                                                 {"w4", "w0", "w9", "w9"}})
    EXPECT_FALSE(certified.covers(words, answer, edited).covered);

  // Where candidates may change the answer, only the text itself is covered.
  const std::shared_ptr<const Classifier> wide = interval_classifier(GetParam(), 3, 2);
  const IntervalClassifier careful(wide);
  const Certification doubtful = careful.certify(words, 0);
  ASSERT_EQ(doubtful.sound.radius(Operation::kSubstitution), 0);
  EXPECT_TRUE(careful.covers(words, doubtful, words).covered);
  EXPECT_FALSE(careful.covers(words, doubtful, {"w6", "w0", "w11"}).covered);
}

TEST_P(IntervalClassifiers, ATextWithoutCandidatesIsItsOwnProof) {
  const IntervalClassifier certified(interval_classifier(GetParam(), 0.5, 2));
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{}, {"zork"}, {"w0", "w1", "w2", "w3"}}) {
    const Certification answer = certified.certify(words, 0);
    EXPECT_EQ(answer.sound.radius(Operation::kSubstitution), kUnlimited);
    EXPECT_EQ(answer.sound.replaceable, 0);
    EXPECT_THAT(answer.sound.in_words(), HasSubstr("no word of it has candidates"));
  }
}

TEST_P(IntervalClassifiers, AFolderIsReadBackAsOne) {
  const TemporaryFolder folder;
  const std::shared_ptr<const Classifier> model = interval_classifier(GetParam(), 0.05, 2);
  model->save(folder.path() / "model");
  const auto loaded = load_certified(folder.path() / "model");
  ASSERT_NE(dynamic_cast<const IntervalClassifier*>(loaded.get()), nullptr);
  EXPECT_EQ(loaded->description().noise, kIntervalBounds);
  EXPECT_FALSE(loaded->description().is_smoothed());
  EXPECT_EQ(loaded->description().precision, "fp64");
  EXPECT_EQ(loaded->description().model, model->fingerprint());
  const IntervalClassifier first(model);
  for (const auto& ids : interval_texts(14)) {
    const auto words = spelled(*model, ids);
    const Certification a = first.certify(words, 0), b = loaded->certify(words, 9);
    EXPECT_EQ(a.prediction, b.prediction);
    EXPECT_EQ(a.sound.radius(Operation::kSubstitution), b.sound.radius(Operation::kSubstitution));
  }
  CertifiedOptions options;
  options.engine.threads = 3;
  EXPECT_EQ(load_certified(folder.path() / "model", options)->texts_at_once(), 3);
}

TEST_P(IntervalClassifiers, OptionsThatMakeNoSenseAreRefused) {
  const TemporaryFolder folder;
  interval_classifier(GetParam(), 0.05, 2)->save(folder.path() / "model");
  std::vector<CertifiedOptions> wrong(5);
  wrong[0].device = "cuda";
  wrong[1].engine_choice = EngineChoice::kReference;
  wrong[2].certifier.stop.automatic = true;
  wrong[3].candidates = 2;
  wrong[4].precision = Precision::kFp32;
  for (const CertifiedOptions& options : wrong)
    expect_error(ErrorKind::kUsage, [&] { load_certified(folder.path() / "model", options); });
}

INSTANTIATE_TEST_SUITE_P(Networks, IntervalClassifiers, testing::Values("cnn", "bilstm"));

TEST(IntervalClassifier, OtherModelsHaveNone) {
  const TemporaryFolder folder;
  ModelConfig config = interval_config("cnn");
  config.intervals = false;
  expect_error(ErrorKind::kUsage, [&] {
    IntervalClassifier(Classifier::fresh(config, Vocabulary(small_words()), groups_of_four(),
                                         grouped_vectors(folder.path(), 1), 1));
  });
  config.intervals = true;  // without a table there is nothing to bound
  expect_error(ErrorKind::kUsage, [&] {
    IntervalClassifier(Classifier::fresh(config, Vocabulary(small_words()), {},
                                         grouped_vectors(folder.path(), 1), 1));
  });
  config.noise = "universal:p=0.5";
  expect_error(ErrorKind::kUsage, [&] {
    IntervalClassifier(Classifier::fresh(config, Vocabulary(small_words()), groups_of_four(),
                                         grouped_vectors(folder.path(), 1), 1));
  });
}

}  // namespace
}  // namespace textcrs
