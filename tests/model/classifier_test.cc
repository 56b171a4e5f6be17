// A classifier at rest: its tensors, its words, and whose weights it takes.
#include "textcrs/model/classifier.h"

#include <gtest/gtest.h>

#include <functional>

#include "expect_error.h"
#include "small_model.h"
#include "text/temporary_folder.h"

namespace textcrs {
namespace {

class ClassifierOf : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Classifier> fresh(uint64_t seed = 1) const {
    return small_classifier(folder_.path(), small_config(GetParam()), seed);
  }

  TemporaryFolder folder_;
};

TEST_P(ClassifierOf, HasTheTensorsOfItsArchitecture) {
  const auto classifier = fresh();
  size_t count = 1;
  for (const TensorSpec& spec : classifier->config().kind().tensors(classifier->config())) {
    EXPECT_EQ(classifier->weights().at(spec.name), fresh_tensor(spec, 1)) << spec.name;
    ++count;
  }
  EXPECT_EQ(classifier->weights().size(), count);
  EXPECT_EQ(classifier->weights().at("embedding.weight").shape,
            (std::vector<int64_t>{23, kSmallDimension}));
}

TEST_P(ClassifierOf, TakesNoWeightsOfAnotherModel) {
  const auto classifier = fresh();
  const auto with = [&](const std::function<void(Weights&)>& change) {
    Weights weights = classifier->weights();
    change(weights);
    return Classifier(classifier->config(), classifier->vocabulary(), {}, weights);
  };
  EXPECT_NO_THROW(with([](Weights&) {}));
  EXPECT_THROW(with([](Weights& all) { all.erase("head.bias"); }), std::logic_error);
  EXPECT_THROW(with([](Weights& all) { all.erase("embedding.weight"); }), std::logic_error);
  EXPECT_THROW(with([](Weights& all) { all["more"] = all["head.bias"]; }), std::logic_error);
  EXPECT_THROW(with([](Weights& all) { all["head.bias"].shape = {1, 3}; }), std::logic_error);
  EXPECT_THROW(with([](Weights& all) { all["head.bias"].values.pop_back(); }), std::logic_error);
  EXPECT_THROW(with([](Weights& all) { all["embedding.weight"].values.resize(1); }),
               std::logic_error);
}

TEST_P(ClassifierOf, AssignReplacesTrainedParametersAlone) {
  const auto classifier = fresh();
  const Weights before = classifier->weights();
  FloatTensor bias = before.at("head.bias");
  for (float& x : bias.values) x += 1;
  classifier->assign({{"head.bias", bias}});
  for (const auto& [name, tensor] : classifier->weights())
    EXPECT_EQ(tensor, name == "head.bias" ? bias : before.at(name)) << name;

  const Weights after = classifier->weights();
  FloatTensor longer = bias, shorter = bias;
  longer.shape = {4};
  longer.values.push_back(0);
  shorter.values.pop_back();
  const std::vector<std::pair<std::string, FloatTensor>> wrong = {
      {"head.bias", longer},
      {"head.bias", shorter},
      {"nobody", bias},
      {"embedding.weight", before.at("embedding.weight")}};
  for (const auto& [name, tensor] : wrong)
    EXPECT_THROW(classifier->assign(
                     {{"head.weight", fresh(2)->weights().at("head.weight")}, {name, tensor}}),
                 std::logic_error)
        << name;
  EXPECT_EQ(classifier->weights(), after);  // nothing was taken
}

TEST_P(ClassifierOf, StartsFromAnotherOfItsShape) {
  const auto classifier = fresh(1), other = fresh(2);
  const FloatTensor vectors = classifier->weights().at("embedding.weight");
  classifier->start_from(*other);
  for (const auto& [name, tensor] : classifier->weights())
    EXPECT_EQ(tensor, name == "embedding.weight" ? vectors : other->weights().at(name)) << name;
}

// Its vectors belong to the parameters: rows of the words that both know are taken over.
TEST_P(ClassifierOf, StartsWithTheVectorsThatWereTrained) {
  ModelConfig config = small_config(GetParam());
  config.trained_vectors = true;
  const auto words = small_words();
  std::vector<std::string> fewer(words.rbegin(), words.rbegin() + 5);  // others' ids
  fewer.emplace_back("unheard");
  const auto other =
      Classifier::fresh(config, Vocabulary(fewer), {}, small_vectors(folder_.path(), words), 2);
  FloatTensor moved = other->weights().at("embedding.weight");
  for (size_t i = kSmallDimension; i < moved.values.size(); ++i) moved.values[i] += 1;
  other->assign({{"embedding.weight", moved}});

  const auto classifier = fresh(1);
  const std::vector<float> before = classifier->vectors();
  classifier->start_from(*other);
  const std::vector<float> after = classifier->vectors();
  for (WordId id = 0; id < classifier->vocabulary().size(); ++id) {
    const std::string& word = classifier->vocabulary().word(id);
    const bool known = other->vocabulary().holds(word);
    for (int d = 0; d < kSmallDimension; ++d) {
      const auto at = static_cast<size_t>(id * kSmallDimension + d);
      const auto from = static_cast<size_t>(other->vocabulary().id(word) * kSmallDimension + d);
      EXPECT_EQ(after[at], known ? moved.values[from] : before[at]) << word;
    }
  }
}

TEST_P(ClassifierOf, KeepsItsHeadIfTheClassesDiffer) {
  ModelConfig config = small_config(GetParam());
  config.classes = {"no", "yes", "never"};  // as many
  const auto classifier = fresh(1);
  const auto other = small_classifier(folder_.path(), config, 2);
  const Weights before = classifier->weights();
  classifier->start_from(*other);
  for (const auto& [name, tensor] : classifier->weights()) {
    const bool stays = name.starts_with("head.") || name == "embedding.weight";
    EXPECT_EQ(tensor, (stays ? before : other->weights()).at(name)) << name;
  }
}

TEST_P(ClassifierOf, StartsFromNoneOfAnotherShape) {
  const auto classifier = fresh();
  const Weights before = classifier->weights();
  ModelConfig wider = small_config(GetParam());
  wider.hidden += 1;
  const auto words = small_words();
  std::vector<std::unique_ptr<Classifier>> others;
  others.push_back(small_classifier(folder_.path(), wider, 2));
  others.push_back(
      small_classifier(folder_.path(), small_config(GetParam() == "cnn" ? "bilstm" : "cnn"), 2));
  others.push_back(Classifier::fresh(small_config(GetParam()), Vocabulary(words), {},
                                     small_vectors(folder_.path(), words, 7), 2));
  for (const auto& other : others) {
    const std::string message =
        expect_error(ErrorKind::kUsage, [&] { classifier->start_from(*other); });
    EXPECT_NE(message.find("of another shape"), std::string::npos) << message;
    expect_error(ErrorKind::kUsage, [&] { other->start_from(*classifier); });
  }
  EXPECT_EQ(classifier->weights(), before);  // nothing was taken
}

INSTANTIATE_TEST_SUITE_P(Architectures, ClassifierOf, testing::Values("bilstm", "cnn"),
                         [](const auto& architecture) { return architecture.param; });

TEST(Classifier, ArchitecturesThatAreNotThereAreUsageErrors) {
  const TemporaryFolder folder;
  expect_error(ErrorKind::kUsage,
               [&] { small_classifier(folder.path(), small_config("transformer")); });
  const std::string message = expect_error(
      ErrorKind::kUsage, [&] { small_classifier(folder.path(), small_config("bert")); });
  EXPECT_NE(message.find("begins with a pretrained one"), std::string::npos) << message;
  const WordVectors vectors = small_vectors(folder.path(), small_words());
  const std::string of_votes = expect_error(ErrorKind::kUsage, [&] {
    Classifier::fresh(small_config("votes"), Vocabulary(small_words()), {}, vectors, 1);
  });
  EXPECT_NE(of_votes.find("begins with scores of 0"), std::string::npos) << of_votes;
}

TEST(Classifier, ReadsWordsAndHasNoneBeyondItsVocabulary) {
  const TemporaryFolder folder;
  const auto classifier = small_classifier(folder.path(), small_config("cnn"));
  EXPECT_EQ(classifier->words("It's <br />a GOOD film, w4."),
            (std::vector<std::string>{"it", "a", "good", "film", ",", "w4", "."}));
  EXPECT_EQ(classifier->vocabulary().encode({"w3", "unheard"}), (std::vector<WordId>{6, kUnk}));
  EXPECT_EQ(classifier->vectors().size(), 23u * kSmallDimension);
  EXPECT_TRUE(classifier->vectors(std::vector<std::string>{}).empty());
  EXPECT_THROW(classifier->vectors(std::vector<std::string>{"unheard"}), std::logic_error);
  EXPECT_THROW(classifier->pieces(), std::logic_error);
}

TEST(Classifier, AWordModelHasAClosedVocabularyAndNoWordPiece) {
  const TemporaryFolder folder;
  const auto classifier = small_classifier(folder.path(), small_config("cnn"));
  EXPECT_THROW(
      Classifier(classifier->config(), Vocabulary(small_words(), Vocabulary::Growth::kOpen), {},
                 classifier->weights()),
      std::logic_error);
}

}  // namespace
}  // namespace textcrs
