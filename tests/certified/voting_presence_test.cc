// Words that vote once, however often they stand there: what the witness says against the answer
// for the text it makes.
#include <gtest/gtest.h>

#include <algorithm>

#include "certified/tiny_votes.h"
#include "textcrs/base/stream.h"
#include "textcrs/certified/voting_classifier.h"

namespace textcrs {
namespace {

std::shared_ptr<const Classifier> random_presence_votes(Stream& stream, size_t classes) {
  const auto scores = [&] {
    std::vector<float> row(classes);
    for (float& score : row) score = static_cast<float>(stream.below(9)) - 3;
    return row;
  };
  WordScores words;
  for (const char* word : {"<unk>", "a", "b", "c", "d", "e"}) words.emplace_back(word, scores());
  const auto counting = tiny_votes(words, scores());
  ModelConfig config = counting->config();
  config.votes.presence = true;
  auto classifier = Classifier::fresh(config, counting->vocabulary());
  classifier->assign(counting->weights());
  return classifier;
}

std::vector<std::string> random_text(Stream& stream) {
  std::vector<std::string> text(1 + stream.below(8));
  for (std::string& word : text) word = std::string(1, "abcdez"[stream.below(6)]);
  return text;
}

TEST(VotingPresence, AWitnessIsOneEditMoreThanCertifiedAndChangesTheAnswer) {
  size_t witnesses = 0;
  for (uint32_t seed = 0; seed < 600; ++seed) {
    Stream stream(7, seed, 0);
    const VotingClassifier classifier(random_presence_votes(stream, 2 + seed % 3));
    const std::vector<std::string> text = random_text(stream);
    const Certification answer = classifier.certify(text, 0);
    if (!answer.witness) continue;
    ++witnesses;
    EXPECT_LE(
        static_cast<double>(std::max(answer.witness->lost.size(), answer.witness->gained.size())),
        answer.sound.radius(Operation::kEdit) + 1);
    const Certification after = classifier.certify(answer.witness->applied_to(text), 0);
    EXPECT_NE(after.prediction, answer.prediction) << seed;
    EXPECT_EQ(classifier.classes()[static_cast<size_t>(after.prediction)], answer.witness->answer);
  }
  EXPECT_GT(witnesses, 100u);
}

}  // namespace
}  // namespace textcrs
