// Attacks that know a certificate, and what they find: nothing inside of it, and at once beyond.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "certified/tiny_votes.h"
#include "text/temporary_folder.h"
#include "textcrs/base/files.h"
#include "textcrs/base/stream.h"
#include "textcrs/certified/attack_target.h"
#include "textcrs/certified/load.h"
#include "textcrs/certified/voting_classifier.h"
#include "textcrs/report/attack_run.h"

namespace textcrs {
namespace {

using Texts = std::vector<std::string>;

class AttackAndCertificate : public testing::Test {
 protected:
  AttackRunOptions out(const std::string& name) const {
    AttackRunOptions options;
    options.folder = folder_.path() / name;
    return options;
  }

  TemporaryFolder folder_;
};

std::vector<AttackRecord> records_of(const std::filesystem::path& folder) {
  std::vector<AttackRecord> list;
  std::istringstream content(read_file(folder / "results.jsonl"));
  for (std::string line; std::getline(content, line);) list.push_back(parse_attack_record(line));
  return list;
}

// Texts of the words of a model, labelled by the classifier itself.
Dataset random_texts(const CertifiedClassifier& classifier, const Texts& words, uint32_t longest) {
  Dataset texts{"random", classifier.classes(), {}};
  for (uint32_t id = 0; id < 60; ++id) {
    Stream stream(41, id, 0);
    std::string text;
    for (uint32_t i = stream.below(longest + 1); i > 0; --i)
      text += words[stream.below(static_cast<uint32_t>(words.size()))] + " ";
    texts.examples.push_back({id, text, classifier.certify(classifier.words(text), id).prediction});
  }
  return texts;
}

class AttackOnVotes : public AttackAndCertificate {
 protected:
  AttackOnVotes() {
    WordScores scores;
    Stream stream(42, 0, 0);
    for (const char* word : {"<unk>", "a", "b", "c", "d"}) {
      scores.push_back({word, {}});
      for (int c = 0; c < 3; ++c)
        scores.back().second.push_back(static_cast<float>(stream.below(9)) - 4);
    }
    tiny_votes(scores, {1, 0, 0})->save(folder_.path() / "votes");
    target_ = load_attack_target(folder_.path() / "votes", {}, 300);
    classifier_ = std::make_unique<VotingClassifier>(Classifier::load(folder_.path() / "votes"));
    texts_ = random_texts(*classifier_, {"a", "b", "c", "d", "new"}, 12);
  }

  std::unique_ptr<AttackTarget> target_;
  std::unique_ptr<VotingClassifier> classifier_;
  Dataset texts_;
};

TEST_F(AttackOnVotes, TheWorstCaseFlipsByOneEditMoreThanIsCertified) {
  RecipeParts parts;
  parts.worst = witness_texts(*classifier_);
  const Attack worst = make_attack("worst-case", parts, {});
  const AttackSummary summary =
      run_attack(worst, *target_, {{"target", classifier_.get()}}, texts_, out("worst"));
  EXPECT_EQ(summary.succeeded, texts_.examples.size());
  EXPECT_EQ(summary.attack_accuracy, 0.0);
  ASSERT_EQ(summary.models.size(), 1u);
  EXPECT_EQ(summary.models[0].all.texts, texts_.examples.size());
  EXPECT_EQ(summary.models[0].all.flipped, texts_.examples.size());
  EXPECT_EQ(summary.models[0].all.certified, texts_.examples.size());
  EXPECT_EQ(summary.models[0].all.covered, 0u);
  EXPECT_TRUE(summary.contradictions.empty());
  std::set<double> radii;
  for (const AttackRecord& record : records_of(out("worst").folder)) {
    Texts lost = classifier_->words(record.original),
          gained = classifier_->words(record.adversarial);
    const double radius = classifier_->certify(lost, record.id).sound.radius(Operation::kEdit);
    radii.insert(radius);
    // As multisets: what one has and the other has not.
    for (auto word = lost.begin(); word != lost.end();) {
      const auto same = std::find(gained.begin(), gained.end(), *word);
      if (same == gained.end()) {
        ++word;
        continue;
      }
      gained.erase(same);
      word = lost.erase(word);
    }
    EXPECT_EQ(static_cast<double>(std::max(lost.size(), gained.size())), radius + 1) << record.id;
    EXPECT_NE(record.after, record.label);
  }
  EXPECT_GT(radii.size(), 2u);
}

// The words that speak for a class, for attacks that insert some.
ClassWords class_words(const Dataset& texts, const CertifiedClassifier& classifier) {
  std::vector<LabelledWords> list;
  for (const Example& example : texts.examples)
    list.push_back({classifier.words(example.text), example.label});
  return ClassWords(list, texts.classes.size(), /*least=*/1);
}

void expect_inside(const AttackSummary& summary, size_t texts) {
  ASSERT_EQ(summary.models.size(), 1u);
  EXPECT_EQ(summary.succeeded, 0u);
  EXPECT_GT(summary.models[0].all.texts, texts / 2);
  EXPECT_EQ(summary.models[0].all.covered, summary.models[0].all.texts);
  EXPECT_EQ(summary.models[0].all.right, summary.models[0].all.texts);
  EXPECT_EQ(summary.models[0].all.flipped, 0u);
  EXPECT_TRUE(summary.contradictions.empty());
}

TEST_F(AttackOnVotes, InsideTheFrontierIsCoveredAndNothingFlips) {
  const ClassWords words = class_words(texts_, *classifier_);
  RecipeParts parts;
  parts.budgets = certified_budgets(*classifier_);
  parts.class_words = &words;
  const std::vector<Defence> defences = {{"target", classifier_.get()}};
  expect_inside(run_attack(make_attack("frontier:form=inside", parts, {}), *target_, defences,
                           texts_, out("inside")),
                texts_.examples.size());
  const AttackSummary beyond =
      run_attack(make_attack("frontier", parts, {}), *target_, defences, texts_, out("beyond"));
  EXPECT_GT(beyond.succeeded, texts_.examples.size() / 2);
  EXPECT_EQ(beyond.models.at(0).successes.covered, 0u);
  EXPECT_TRUE(beyond.contradictions.empty());
}

// A model whose outcomes are all run: a finite noise, and sampled ones on short texts.
class AttackOnNoise : public AttackAndCertificate,
                      public testing::WithParamInterface<const char*> {};

TEST_P(AttackOnNoise, InsideTheFrontierIsCoveredAndNothingFlips) {
  const Texts good = {"good", "great", "fine"}, bad = {"bad", "poor", "dull"};
  WordScores scores = {{"film", {0, 1}}};
  for (size_t i = 0; i < good.size(); ++i) {
    const auto score = static_cast<float>(i + 1);
    scores.push_back({good[i], {0, score}});
    scores.push_back({bad[i], {score, 0}});
  }
  tiny_votes(scores, {0, 0}, "linear")->save(folder_.path() / "linear");
  SmoothedOptions options;
  options.noise = GetParam();
  options.engine.threads = 1;
  options.certifier.estimation_samples = 20000;  // so many outcomes may a text have
  const auto classifier = load_certified(folder_.path() / "linear", options);
  const auto target = load_attack_target(folder_.path() / "linear", options, 400);
  Dataset texts{"good or bad", classifier->classes(), {}};
  for (uint32_t id = 0; id < 60; ++id) {
    Stream stream(43, id, 0);
    std::string text = "film";
    for (uint32_t i = 3 + stream.below(4); i > 0; --i)
      text += " " + ((id + (stream.below(8) == 0)) % 2 == 1 ? good : bad)[stream.below(3)];
    texts.examples.push_back({id, text, static_cast<int>(id % 2)});
  }
  const ClassWords words = class_words(texts, *classifier);
  RecipeParts parts;
  parts.budgets = certified_budgets(*classifier);
  parts.class_words = &words;
  const std::vector<Defence> defences = {{"target", classifier.get()}};
  expect_inside(run_attack(make_attack("frontier:form=inside", parts, {}), *target, defences, texts,
                           out("inside")),
                texts.examples.size());
  const AttackSummary beyond =
      run_attack(make_attack("frontier", parts, {}), *target, defences, texts, out("beyond"));
  EXPECT_GT(beyond.succeeded, texts.examples.size() / 2);
  EXPECT_TRUE(beyond.contradictions.empty());
}

INSTANTIATE_TEST_SUITE_P(Noises, AttackOnNoise,
                         testing::Values("hash:buckets=4,functions=25", "universal:p=0.5",
                                         "delete:p=0.5"),
                         [](const auto& noise) {
                           const std::string name = noise.param;
                           return name.substr(0, name.find(':'));
                         });

}  // namespace
}  // namespace textcrs
