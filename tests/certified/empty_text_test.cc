// A text without words: it is answered, and as the certificates of other texts promise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "certified/expect_same.h"
#include "certified/tiny_models.h"
#include "textcrs/certified/fitting_noise.h"
#include "textcrs/certified/smoothed_classifier.h"
#include "textcrs/certify/deterministic.h"

namespace textcrs {
namespace {

// w0 - w1, w0 - w2.
SynonymTable synonyms() {
  std::vector<std::vector<WordId>> lists(23);
  lists[3] = {4, 5};
  lists[4] = {3};
  lists[5] = {3};
  return SynonymTable("table", lists);
}

std::shared_ptr<const Classifier> model_for(const std::string& architecture,
                                            const std::string& noise, uint64_t seed) {
  const bool vectors = noise.starts_with("insert") || noise.starts_with("gaussian");
  const std::string trained = vectors ? noise : "universal:p=0.7";
  if (architecture == "bert") return tiny_bert(trained, seed);
  return noise.starts_with("substitute") ? tiny_cnn(noise, synonyms(), seed)
                                         : tiny_cnn(trained, {}, seed);
}

SmoothedOptions options_for(const std::string& noise) {
  SmoothedOptions options;
  options.noise = noise;
  options.certifier.estimation_samples = 3000;
  return options;
}

int answer_to_nothing(const Classifier& model) {
  CopyBatch batch;
  batch.copies.emplace_back();
  return make_cpu_engine(model, {.precision = model.config().precision})->classify(batch)[0];
}

const std::vector<std::string> kOneCopy = {"universal:p=0.9",
                                           "delete:p=0.9",
                                           "delete:p=0.7,order=shuffled",
                                           "mask:p=0.9",
                                           "reorder:full",
                                           "reorder:block=3",
                                           "reorder:groups=3",
                                           "substitute:kernel=graph",
                                           "adapt:keep=1",
                                           "adapt:keep=0.5,growth=1.01,order=shuffled"};
const std::vector<std::string> kFinite = {"hash:buckets=3,functions=5",
                                          "reorder:block=4,order=sorted"};

// Its one noisy copy is the empty one, so nothing is sampled, whatever was asked for.
TEST(EmptyText, IsAnsweredAsTheModelReadsIt) {
  for (const std::string& noise : kOneCopy)
    for (const bool exact : {true, false}) {
      SCOPED_TRACE(noise);
      const auto model = model_for("cnn", noise, 2);
      SmoothedOptions options = options_for(noise);
      options.exact = exact;
      options.certifier.stop.automatic = true;
      const SmoothedClassifier smoothed(model, options);
      EXPECT_TRUE(smoothed.words(" ").empty());
      const Certification answer = smoothed.certify({}, 0);
      EXPECT_EQ(answer.prediction, answer_to_nothing(*model));
      EXPECT_FALSE(answer.abstained);
      EXPECT_TRUE(answer.exact);
      EXPECT_EQ(answer.samples, 1u);
      EXPECT_EQ(answer.sound.certified, noise != "reorder:groups=3");
      EXPECT_EQ(answer.bounds.pa, 1 - kShareError);
      expect_same(answer, smoothed.certify({}, 41));
      EXPECT_EQ(smoothed.covers({}, answer, {}).covered, answer.sound.certified);
    }
}

// Of an empty text words can be inserted only: as many as leave the empty copy more than half of
// the mass, p^b > 1/2.
TEST(EmptyText, IsCertifiedForInsertions) {
  const SmoothedClassifier smoothed(tiny_cnn("universal:p=0.9"), options_for(""));
  const Certification answer = smoothed.certify({}, 0);
  EXPECT_EQ(answer.sound.radius(Operation::kDeletion), 0);
  EXPECT_EQ(answer.sound.radius(Operation::kInsertion), 6);
  EXPECT_EQ(answer.sound.radius(Operation::kEdit), 6);
  EXPECT_EQ(answer.sound.frontier, (std::vector<std::pair<int, int>>{{0, 6}}));
  EXPECT_TRUE(smoothed.covers({}, answer, split("w1 w2 w3 w4 w5 w6")).covered);
  EXPECT_FALSE(smoothed.covers({}, answer, split("w1 w2 w3 w4 w5 w6 w7")).covered);
}

TEST(EmptyText, UnderNoiseOnVectorsItsSlotsAreSampled) {
  for (const std::string architecture : {"cnn", "bert"})
    for (const std::string noise : {"insert:sigma=0.3", "gaussian:sigma=0.3"}) {
      const SmoothedClassifier smoothed(model_for(architecture, noise, 8), options_for(noise));
      const Certification answer = smoothed.certify({}, 0);
      EXPECT_FALSE(answer.exact);
      EXPECT_EQ(answer.samples, 3100u);
      EXPECT_FALSE(answer.single_edits);  // no word has neighbours
    }
}

// Empty pieces cast no vote.
TEST(EmptyText, IsAbstainedOnWhereEmptyCopiesAreSilent) {
  for (const std::string architecture : {"cnn", "bert"})
    for (const std::string& noise : kFinite) {
      const SmoothedClassifier smoothed(model_for(architecture, noise, 2), options_for(noise));
      const Certification answer = smoothed.certify({}, 0);
      EXPECT_TRUE(answer.abstained);
      EXPECT_FALSE(answer.sound.certified);
      EXPECT_EQ(answer.counts, Votes(smoothed.classes().size()));
      EXPECT_EQ(answer.samples, 0u);
      EXPECT_FALSE(smoothed.covers({}, answer, {}).covered);
      EXPECT_FALSE(smoothed.covers({}, answer, {"w1"}).covered);
    }
}

struct Findings {
  int certified = 0;  // texts
  int covered = 0;    // of which every word may go
};

// Random models and short texts: wherever the certificate covers the empty text, the empty text has
// the answer that it promises.
Findings compare(const std::string& architecture, const std::string& noise) {
  Findings findings;
  const auto vocabulary =
      architecture == "bert" ? split("good bad film story zork mork") : split("w0 w1 w2 w5 w9 w17");
  for (uint64_t seed = 1; seed <= 6; ++seed) {
    const SmoothedClassifier smoothed(model_for(architecture, noise, seed), options_for(noise));
    const Certification empty = smoothed.certify({}, 1000);
    for (uint32_t i = 0; i < 8; ++i) {
      Stream stream(9, i, static_cast<uint32_t>(seed));
      std::vector<std::string> words;
      for (uint32_t left = 1 + stream.below(4); left > 0; --left)
        words.push_back(vocabulary[stream.below(6)]);
      const Certification answer = smoothed.certify(words, i);
      findings.certified += answer.sound.certified;
      if (!smoothed.covers(words, answer, {}).covered) continue;
      ++findings.covered;
      // Two estimates of one sampled margin may fail to call it; they never call it differently.
      if (noise.starts_with("insert") && empty.abstained) continue;
      EXPECT_FALSE(empty.abstained);
      EXPECT_EQ(empty.prediction, answer.prediction);
    }
  }
  return findings;
}

TEST(EmptyText, HasTheAnswerThatIsPromisedWhenEveryWordMayGo) {
  for (const std::string architecture : {"cnn", "bert"})
    for (const std::string noise :
         {"universal:p=0.9", "universal:p=0.5", "delete:p=0.9", "delete:p=0.7,order=shuffled",
          "adapt:keep=0.4,growth=1.01", "adapt:keep=0.3,order=shuffled", "insert:sigma=3",
          "insert:sigma=6"}) {
      SCOPED_TRACE(architecture + " " + noise);
      const Findings findings = compare(architecture, noise);
      EXPECT_GT(findings.covered, 0);
    }
}

TEST(EmptyText, IsNeverPromisedByTheOtherNoises) {
  for (const std::string noise : {"hash:buckets=3,functions=5", "hash:buckets=9,functions=2",
                                  "reorder:block=4,order=sorted", "reorder:block=3", "reorder:full",
                                  "mask:p=0.9", "substitute:kernel=graph", "gaussian:sigma=3"}) {
    SCOPED_TRACE(noise);
    const Findings findings = compare("cnn", noise);
    EXPECT_GT(findings.certified, 5);
    EXPECT_EQ(findings.covered, 0);
  }
}

}  // namespace
}  // namespace textcrs
