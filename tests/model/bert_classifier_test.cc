// A classifier on a BERT at rest: its words and their vectors, its folder on disk, and whose
// weights it takes.
#include <gtest/gtest.h>

#include <functional>

#include "expect_error.h"
#include "folder_contents.h"
#include "model/piece_table.h"
#include "small_model.h"
#include "text/temporary_folder.h"
#include "tiny_bert.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

class BertClassifier : public testing::Test {
 protected:
  fs::path model() const { return folder_.path() / "model"; }

  std::unique_ptr<Classifier> fresh(const TinyBert& tiny = {}, uint64_t seed = 1,
                                    const ModelConfig& config = TinyBert().config()) const {
    const fs::path pretrained = folder_.path() / "pretrained";
    tiny.write(pretrained);
    auto classifier = Classifier::from_bert(
        config, Vocabulary({"film", "good", "films"}, Vocabulary::Growth::kOpen), {}, pretrained,
        seed);
    fs::remove_all(pretrained);  // it is never asked again
    return classifier;
  }
  // The same with other values for all trained parameters.
  std::unique_ptr<Classifier> shifted(uint64_t seed) const {
    auto classifier = fresh({}, seed);
    Weights trained;
    for (const TensorSpec& spec : bert_tensors(classifier->config())) {
      if (!spec.is_trained) continue;
      FloatTensor& tensor = trained[spec.name] = classifier->weights().at(spec.name);
      for (float& x : tensor.values) x += 0.25f;
    }
    classifier->assign(trained);
    return classifier;
  }
  void expect_refused(const std::string& file, const std::string& why = "") const {
    const std::string message =
        expect_error(ErrorKind::kBadInput, [&] { Classifier::load(model()); });
    EXPECT_EQ(message.rfind((model() / file).string() + ":", 0), 0u) << message;
    EXPECT_NE(message.find(why), std::string::npos) << message;
  }

  TemporaryFolder folder_;
};

TEST_F(BertClassifier, ReadsWordsAsItsTokenizerDoes) {
  const auto classifier = fresh();
  EXPECT_EQ(classifier->words("A Caf\u00e9,<br />it&#39;s"),
            (Strings{"a", "cafe", ",", "it", "'", "s"}));
  OwnWords own;
  EXPECT_EQ(classifier->vocabulary().encode(classifier->words("good new films"), own),
            (std::vector<WordId>{4, 6, 5}));
  EXPECT_EQ(own.list(), Strings{"new"});
  EXPECT_EQ(classifier->vocabulary().word(6, own.list()), "new");
}

// The vector of a word is the mean of its pieces' vectors, whoever names the word.
TEST_F(BertClassifier, AWordsVectorIsTheMeanOfItsPieces) {
  const auto classifier = fresh();
  const FloatTensor& table = classifier->weights().at(kPieceEmbedding);
  const std::vector<float> vectors = classifier->vectors();
  ASSERT_EQ(vectors.size(), 6u * 16);
  const Strings own = {"new", "films", "\u0436", "good"};
  const std::vector<float> own_vectors = classifier->vectors(own);
  ASSERT_EQ(own_vectors.size(), 4u * 16);

  const auto expect_mean = [&](const std::vector<float>& rows, size_t row, const Strings& pieces) {
    for (size_t d = 0; d < 16; ++d) {
      double mean = 0;
      for (const std::string& piece : pieces) {
        const auto all = TinyBert::default_pieces();
        const auto id = static_cast<size_t>(std::find(all.begin(), all.end(), piece) - all.begin());
        mean += table.values[id * 16 + d] / static_cast<double>(pieces.size());
      }
      EXPECT_NEAR(rows[row * 16 + d], mean, 1e-6) << row;
    }
  };
  EXPECT_EQ(std::vector<float>(vectors.begin(), vectors.begin() + 16), std::vector<float>(16));
  expect_mean(vectors, kUnk, {"[UNK]"});
  expect_mean(vectors, kMask, {"[MASK]"});
  expect_mean(vectors, 3, {"film"});
  expect_mean(vectors, 4, {"good"});
  expect_mean(vectors, 5, {"film", "##s"});
  expect_mean(own_vectors, 0, {"n", "##e", "##w"});
  expect_mean(own_vectors, 2, {"[UNK]"});
  for (size_t d = 0; d < 16; ++d) {
    EXPECT_EQ(own_vectors[1 * 16 + d], vectors[5 * 16 + d]);
    EXPECT_EQ(own_vectors[3 * 16 + d], vectors[4 * 16 + d]);
  }
  EXPECT_TRUE(classifier->vectors(Strings{}).empty());
}

TEST_F(BertClassifier, NothingOfOwnWordsStays) {
  const auto classifier = fresh();
  const auto vectors = classifier->vectors();
  const std::string fingerprint = classifier->fingerprint();
  classifier->save(model());
  const auto before = contents(model());
  {
    OwnWords own;
    const auto ids = classifier->vocabulary().encode({"new", "words", "new"}, own);
    EXPECT_EQ(ids, (std::vector<WordId>{6, 7, 6}));
    std::vector<int32_t> pieces;
    for (const WordId id : ids) classifier->pieces().append(id, own.list(), pieces);
    EXPECT_FALSE(pieces.empty());
    classifier->vectors(own.list());
  }
  EXPECT_EQ(classifier->vocabulary().size(), 6);
  EXPECT_EQ(classifier->vocabulary().id("new"), kUnk);
  EXPECT_THROW(classifier->vocabulary().word(6), std::out_of_range);
  std::vector<int32_t> pieces;
  EXPECT_THROW(classifier->pieces().append(6, {}, pieces), std::out_of_range);
  // Another text's own words get the same ids.
  OwnWords other;
  EXPECT_EQ(classifier->vocabulary().encode({"words"}, other), std::vector<WordId>{6});
  classifier->pieces().append(6, other.list(), pieces);
  std::vector<int32_t> expected;
  classifier->pieces().wordpiece().append_pieces("words", expected);
  EXPECT_EQ(pieces, expected);
  EXPECT_EQ(classifier->vectors(), vectors);
  EXPECT_EQ(classifier->fingerprint(), fingerprint);
  classifier->save(model());
  EXPECT_EQ(contents(model()), before);
}

TEST_F(BertClassifier, SavedAndLoadedIsTheSame) {
  const auto saved = fresh();
  saved->save(model());
  EXPECT_EQ(contents(model()).size(), 4u);  // config.json, model.safetensors, both tokenizers
  const auto loaded = Classifier::load(model());
  EXPECT_EQ(loaded->weights(), saved->weights());
  EXPECT_EQ(loaded->vectors(), saved->vectors());
  EXPECT_EQ(loaded->config().bert, saved->config().bert);
  EXPECT_TRUE(loaded->vocabulary().is_open());
  EXPECT_EQ(loaded->vocabulary().size(), saved->vocabulary().size());
  const Strings unseen = loaded->words("an unmet word, xylophones");
  EXPECT_EQ(unseen, saved->words("an unmet word, xylophones"));
  EXPECT_EQ(loaded->vectors(unseen), saved->vectors(unseen));
  loaded->save(folder_.path() / "again");
  EXPECT_EQ(contents(folder_.path() / "again"), contents(model()));
}

TEST_F(BertClassifier, AnOpenVocabularyAndWordPieceBelongToIt) {
  const auto classifier = fresh();
  const auto wordpiece = std::make_shared<WordPiece>(TinyBert::default_pieces());
  EXPECT_THROW(
      Classifier(classifier->config(), Vocabulary({"film"}), {}, classifier->weights(), wordpiece),
      std::logic_error);
  EXPECT_THROW(
      Classifier(classifier->config(), classifier->vocabulary(), {}, classifier->weights()),
      std::logic_error);
}

TEST_F(BertClassifier, TheInsertionNoiseNeedsAPositionASlot) {
  ModelConfig config = TinyBert().config();
  config.pool_all_slots = true;
  config.slots = 22;  // of 24 positions
  fresh({}, 1, config)->save(model());
  EXPECT_TRUE(Classifier::load(model())->config().pool_all_slots);
  config.slots = 23;
  const std::string message = expect_error(ErrorKind::kUsage, [&] { fresh({}, 1, config); });
  EXPECT_NE(message.find("found 23 slots, expected at most 22"), std::string::npos) << message;
}

TEST_F(BertClassifier, StartsFromAnotherOfItsShape) {
  const auto classifier = fresh({}, 1), other = shifted(2);
  EXPECT_NE(classifier->weights(), other->weights());
  classifier->start_from(*other);
  EXPECT_EQ(classifier->weights(), other->weights());
}

TEST_F(BertClassifier, KeepsItsHeadIfTheClassesDiffer) {
  ModelConfig config = TinyBert().config();
  config.classes = {"a", "b", "c"};
  const auto classifier = fresh({}, 1, config), other = shifted(1);
  const FloatTensor head = classifier->weights().at("head.weight");
  classifier->start_from(*other);
  EXPECT_EQ(classifier->weights().at("head.weight"), head);
  EXPECT_EQ(classifier->weights().at("head.bias"), (FloatTensor{{3}, {0, 0, 0}}));
  for (const auto& [name, tensor] : other->weights())
    if (!name.starts_with("head.")) EXPECT_EQ(classifier->weights().at(name), tensor) << name;
}

TEST_F(BertClassifier, StartsFromNoneOfAnotherShape) {
  const auto classifier = fresh();
  const Weights before = classifier->weights();
  std::vector<std::unique_ptr<Classifier>> others;
  others.push_back(fresh({.layers = 1}));
  others.push_back(fresh({.layers = 3}));
  others.push_back(fresh({.heads = 1}));  // the same tensors, read otherwise
  others.push_back(fresh({.width = 32}));
  others.push_back(fresh({.inner = 40}));
  others.push_back(fresh({.positions = 30}));
  others.push_back(fresh({.seed = 2}));  // other embeddings
  others.push_back(small_classifier(folder_.path(), small_config("cnn")));
  for (const auto& other : others) {
    const std::string message =
        expect_error(ErrorKind::kUsage, [&] { classifier->start_from(*other); });
    EXPECT_NE(message.find("of another shape"), std::string::npos) << message;
    expect_error(ErrorKind::kUsage, [&] { other->start_from(*classifier); });
  }
  EXPECT_EQ(classifier->weights(), before);  // nothing was taken
}

TEST_F(BertClassifier, RefusesAFolderWithoutAFile) {
  for (const char* file : {"config.json", "model.safetensors", "vocab.txt", "tokenizer.json"}) {
    fresh()->save(model());
    fs::remove(model() / file);
    expect_refused(file);
  }
}

TEST_F(BertClassifier, RefusesATokenizerOfAnotherSize) {
  for (const bool more : {false, true}) {
    fresh()->save(model());
    std::vector<std::string> pieces = TinyBert::default_pieces();
    more ? pieces.push_back("more") : pieces.pop_back();
    WordPiece(pieces).save(model() / "tokenizer.json");
    expect_refused("model.safetensors", kPieceEmbedding);
  }
}

TEST_F(BertClassifier, RefusesAConfigThatDisagreesWithTheWeights) {
  const auto saved_with = [&](const std::function<void(ModelConfig&)>& change) {
    fresh()->save(model());
    ModelConfig config = ModelConfig::load(model() / "config.json");
    change(config);
    config.save(model() / "config.json");
  };
  saved_with([](ModelConfig& config) { config.bert.layers = 3; });
  expect_refused("model.safetensors", "is missing");
  saved_with([](ModelConfig& config) { config.bert.layers = 1; });
  expect_refused("model.safetensors", "tensors, expected");
  saved_with([](ModelConfig& config) { config.bert.positions = 25; });
  expect_refused("model.safetensors", "expected F32 [25, 16]");
  saved_with([](ModelConfig& config) { config.hidden = 33; });
  expect_refused("model.safetensors", "intermediate");
  saved_with([](ModelConfig& config) { config.dimension = 32; });
  expect_refused("model.safetensors", kPieceEmbedding);
  saved_with([](ModelConfig& config) { config.classes.push_back("c"); });
  expect_refused("model.safetensors", "'head.");
  saved_with([](ModelConfig& config) { config.architecture = "cnn"; });
  expect_refused("model.safetensors", "embedding.weight");
  saved_with([](ModelConfig& config) { config.bert.heads = 4; });
  expect_refused("config.json", "heads");
}

}  // namespace
}  // namespace textcrs
