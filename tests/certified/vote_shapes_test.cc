// Models with windows, presence and candidates as certified classifiers: what is certified and what
// is covered agree, and hold for edited texts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "model/expect_error.h"
#include "textcrs/base/stream.h"
#include "textcrs/certified/voting_classifier.h"

namespace textcrs {
namespace {

using testing::HasSubstr;
using TextWords = std::vector<std::string>;

// No model knows "new".
const TextWords kTyped = {"a", "b", "c", "d", "new"};

struct Shape {
  const char* name;
  VoteShape votes;
  bool synonyms = false;
};

const Shape kShapes[] = {{.name = "words", .votes = {}},
                         {.name = "windows2", .votes = {.windows = 2, .window_rows = 50}},
                         {.name = "windows3", .votes = {.windows = 3, .window_rows = 7}},
                         {.name = "presence", .votes = {.presence = true}},
                         {.name = "synonyms", .votes = {}, .synonyms = true}};

// a is as good as b, and both are as good as c.
SynonymTable candidates() {
  std::vector<std::vector<WordId>> lists(kFirstWord + 4);
  lists[kFirstWord] = {kFirstWord + 1};
  lists[kFirstWord + 1] = {kFirstWord, kFirstWord + 2};
  return {"a list", lists};
}

std::unique_ptr<Classifier> random_model(const Shape& shape, uint32_t seed) {
  Stream stream(41, seed, 0);
  ModelConfig config;
  config.architecture = "votes";
  config.noise = "none";
  config.votes = shape.votes;
  for (size_t c = 2 + stream.below(2); c > 0; --c)
    config.classes.push_back("c" + std::to_string(c));
  auto classifier = Classifier::fresh(config, Vocabulary({"a", "b", "c", "d"}),
                                      shape.synonyms ? candidates() : SynonymTable());
  Weights weights = classifier->weights();
  for (auto& [name, tensor] : weights)
    for (float& value : tensor.values) value = static_cast<float>(stream.below(5)) - 1;
  std::vector<float>& bias = weights.at("bias").values;
  const uint32_t lead = shape.votes.windows > 1 ? 50 : 12;  // that some edits survive
  bias[stream.below(static_cast<uint32_t>(bias.size()))] += static_cast<float>(stream.below(lead));
  classifier->assign(weights);
  return classifier;
}

TextWords random_text(Stream& stream) {
  TextWords text(1 + stream.below(6));
  for (std::string& word : text) word = kTyped[stream.below(5)];
  return text;
}

// One word substituted, inserted or deleted.
void edit(TextWords& text, Stream& stream) {
  const auto place = [&](size_t places) {
    return text.begin() + static_cast<ptrdiff_t>(stream.below(static_cast<uint32_t>(places)));
  };
  const std::string& word = kTyped[stream.below(5)];
  const uint32_t kind = stream.below(3);
  if (kind == 0 || text.empty())
    text.insert(place(text.size() + 1), word);
  else if (kind == 1)
    *place(text.size()) = word;
  else
    text.erase(place(text.size()));
}

void replace_by_candidates(TextWords& text, Stream& stream) {
  const std::map<std::string, TextWords> lists = {{"a", {"a", "b"}}, {"b", {"a", "b", "c"}}};
  for (std::string& word : text)
    if (const auto list = lists.find(word); list != lists.end())
      word = list->second[stream.below(static_cast<uint32_t>(list->second.size()))];
}

class VoteShapes : public testing::TestWithParam<Shape> {};

TEST_P(VoteShapes, WhatIsCoveredHasTheSameAnswer) {
  size_t covered = 0, others = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const VotingClassifier classifier(random_model(GetParam(), seed));
    Stream stream(42, seed, 0);
    const TextWords text = random_text(stream);
    const Certification answer = classifier.certify(text, 0);
    for (int trial = 0; trial < 30; ++trial) {
      TextWords edited = text;
      if (stream.below(2) == 0) replace_by_candidates(edited, stream);
      for (uint32_t edits = stream.below(5); edits > 0; --edits) edit(edited, stream);
      if (stream.below(3) == 0) stream.shuffle(std::span(edited));
      const bool is_covered = classifier.covers(text, answer, edited).covered;
      ++(is_covered ? covered : others);
      if (is_covered) {
        ASSERT_EQ(classifier.certify(edited, 0).prediction, answer.prediction) << seed;
      }
    }
  }
  EXPECT_GT(covered, 1000u);
  EXPECT_GT(others, 1000u);
}

// The same above a threshold, where the edited text is clear as well.
TEST_P(VoteShapes, WhatIsCoveredAboveAThresholdIsStillAboveIt) {
  size_t covered = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const VotingClassifier classifier(random_model(GetParam(), seed));
    Stream stream(43, seed, 0);
    const TextWords text = random_text(stream);
    const int64_t threshold = stream.below(8);
    const Certification answer = classifier.certify_above(threshold, text);
    for (int trial = 0; trial < 20; ++trial) {
      TextWords edited = text;
      if (stream.below(2) == 0) replace_by_candidates(edited, stream);
      for (uint32_t edits = stream.below(4); edits > 0; --edits) edit(edited, stream);
      if (stream.below(3) == 0) stream.shuffle(std::span(edited));
      if (!classifier.covers_above(threshold, text, edited).covered) continue;
      ++covered;
      ASSERT_TRUE(answer.sound.certified);
      const Certification after = classifier.certify_above(threshold, edited);
      ASSERT_EQ(after.prediction, answer.prediction) << seed;
      ASSERT_TRUE(after.sound.certified) << seed;
    }
  }
  EXPECT_GT(covered, 500u);
}

TEST_P(VoteShapes, EveryCertifiedEditIsCovered) {
  size_t seen = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const VotingClassifier classifier(random_model(GetParam(), seed));
    Stream stream(44, seed, 0);
    const TextWords text = random_text(stream);
    const Certification answer = classifier.certify(text, 0);
    EXPECT_TRUE(classifier.covers(text, answer, text).covered);
    const double radius = std::min(4.0, answer.sound.radius(Operation::kEdit));
    TextWords edited = text;
    for (int edits = 1; edits <= radius; ++edits) {
      edit(edited, stream);
      ++seen;
      EXPECT_TRUE(classifier.covers(text, answer, edited).covered) << seed << " " << edits;
    }
    if (answer.sound.radius(Operation::kReordering) == 0) continue;
    edited = text;
    stream.shuffle(std::span(edited));
    EXPECT_TRUE(classifier.covers(text, answer, edited).covered) << seed;
  }
  EXPECT_GT(seen, 200u);
}

TEST_P(VoteShapes, WhatIsLeftOfTheLeadDecidesAboveAThreshold) {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    const VotingClassifier classifier(random_model(GetParam(), seed));
    Stream stream(45, seed, 0);
    const TextWords text = random_text(stream);
    const std::vector<size_t> edits = {0, 1, 2, 5};
    const VoteLeads leads = classifier.leads(text, edits);
    const Certification answer = classifier.certify(text, 0);
    EXPECT_EQ(leads.prediction, answer.prediction);
    EXPECT_EQ(leads.radius, answer.sound.radius(Operation::kEdit));
    for (int64_t threshold = 0; threshold < 20; ++threshold) {
      const CertifiedSet set = classifier.certify_above(threshold, text).sound;
      for (size_t i = 0; i < edits.size(); ++i)
        EXPECT_EQ(leads.after[i] > threshold,
                  set.certified && set.radius(Operation::kEdit) >= static_cast<double>(edits[i]))
            << seed << " " << threshold << " " << edits[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, VoteShapes, testing::ValuesIn(kShapes),
                         [](const auto& each) { return each.param.name; });

TEST(VoteShapesWitness, OfWordsThatVoteOnceAllCopiesGo) {
  size_t witnesses = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const VotingClassifier classifier(random_model(kShapes[3], seed));
    Stream stream(46, seed, 0);
    const TextWords text = random_text(stream);
    const Certification answer = classifier.certify(text, 0);
    const double radius = answer.sound.radius(Operation::kEdit);
    ASSERT_EQ(answer.witness.has_value(), radius != kUnlimited) << seed;
    if (!answer.witness) continue;
    ++witnesses;
    const TextWords after = answer.witness->applied_to(text);
    EXPECT_EQ(std::max(answer.witness->lost.size(), answer.witness->gained.size()), radius + 1);
    EXPECT_NE(classifier.certify(after, 0).prediction, answer.prediction) << seed;
    EXPECT_FALSE(classifier.covers(text, answer, after).covered);
  }
  EXPECT_GT(witnesses, 50u);
}

TEST(VoteShapesWitness, WindowsHaveNone) {
  for (uint32_t seed = 0; seed < 20; ++seed) {
    const VotingClassifier classifier(random_model(kShapes[1], seed));
    EXPECT_FALSE(classifier.certify({"a", "b", "c"}, 0).witness);
  }
}

// All words replaced, and as many edits on top as are certified.
TEST(VoteShapesSynonyms, EditsBesideThemAreHarmless) {
  size_t none = 0, some = 0;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    const VotingClassifier classifier(random_model(kShapes[4], seed));
    Stream stream(47, seed, 0);
    const TextWords text = random_text(stream);
    const Certification answer = classifier.certify(text, 0);
    EXPECT_EQ(answer.sound.synonyms, "a list");
    const std::optional<double> most = answer.sound.edits_beside_synonyms;
    const std::vector<WordId> ids = Vocabulary({"a", "b", "c", "d"}).encode(text);
    EXPECT_EQ(classifier.harmless_edits(ids, answer.prediction), most);
    EXPECT_FALSE(classifier.harmless_edits(ids, 1 - std::min(1, answer.prediction)));
    if (!most) {
      ++none;
      continue;
    }
    EXPECT_LE(*most, answer.sound.radius(Operation::kEdit));
    for (int trial = 0; trial < 20; ++trial) {
      TextWords edited = text;
      replace_by_candidates(edited, stream);
      for (double edits = std::min(4.0, *most); edits > 0; --edits) edit(edited, stream);
      stream.shuffle(std::span(edited));
      ++some;
      EXPECT_EQ(classifier.certify(edited, 0).prediction, answer.prediction) << seed;
      EXPECT_TRUE(classifier.covers(text, answer, edited).covered) << seed;
    }
  }
  EXPECT_GT(none, 30u);
  EXPECT_GT(some, 500u);
}

TEST(VoteShapesSynonyms, OtherModelsSayNothingOfThem) {
  for (const Shape& shape : {kShapes[0], kShapes[1], kShapes[3]}) {
    const CertifiedSet set = VotingClassifier(random_model(shape, 1)).certify({"a"}, 0).sound;
    EXPECT_TRUE(set.synonyms.empty()) << shape.name;
    EXPECT_FALSE(set.edits_beside_synonyms) << shape.name;
  }
}

// What candidates do to windows, and to words that vote once, is not known.
// Its votes would be those of "well", "-" and "made".
TEST(VoteShapesSynonyms, AreOneWordEach) {
  ModelConfig config;
  config.architecture = "votes";
  config.classes = {"a", "b"};
  const Vocabulary words({"good", "well-made"});
  std::vector<std::vector<WordId>> lists(static_cast<size_t>(words.size()));
  lists[static_cast<size_t>(words.id("good"))] = {words.id("well-made")};
  const std::shared_ptr<const Classifier> model =
      Classifier::fresh(config, words, SynonymTable("a table", lists));
  EXPECT_THROW(VotingClassifier{model}, Error);
}

TEST(VoteShapesSynonyms, GoWithWordsAlone) {
  for (Shape shape : {kShapes[1], kShapes[2], kShapes[3]}) {
    const auto model = random_model(shape, 1);
    EXPECT_THROW(VotingClassifier(std::make_unique<Classifier>(model->config(), model->vocabulary(),
                                                               candidates(), model->weights())),
                 Error);
    shape.synonyms = true;
    EXPECT_THAT(expect_error(ErrorKind::kUsage, [&] { random_model(shape, 1); }),
                HasSubstr("synonyms are given, expected none with"))
        << shape.name;
  }
}

// Of windows, any order is certified as such, without edits on top.
TEST(VoteShapesWindows, AnyOrderIsCoveredAlone) {
  size_t seen = 0;
  for (uint32_t seed = 0; seed < 300; ++seed) {
    const VotingClassifier classifier(random_model(kShapes[1], seed));
    const TextWords text = {"a", "b", "c", "d", "a", "new"};
    const Certification answer = classifier.certify(text, 0);
    EXPECT_EQ(answer.sound.in_words().find("together"), std::string::npos);
    if (answer.sound.radius(Operation::kReordering) == 0) continue;
    ++seen;
    TextWords turned(text.rbegin(), text.rend());
    const Coverage coverage = classifier.covers(text, answer, turned);
    EXPECT_TRUE(coverage.covered);
    EXPECT_EQ(coverage.operation, Operation::kReordering);
    EXPECT_EQ(classifier.certify(turned, 0).prediction, answer.prediction);
  }
  EXPECT_GT(seen, 20u);
}

}  // namespace
}  // namespace textcrs
