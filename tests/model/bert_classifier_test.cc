// A classifier on a BERT: its answers, its words, and its folder on disk.
#include <gtest/gtest.h>

#include <fstream>

#include "expect_error.h"
#include "small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/base/parallel.h"
#include "tiny_bert.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::directory_iterator(folder))
    files[entry.path().filename().string()] = read_file(entry.path());
  return files;
}

class BertClassifier : public testing::Test {
 protected:
  fs::path model() const { return folder_.path() / "model"; }

  std::unique_ptr<Classifier> fresh(const TinyBert& tiny = {}, uint64_t seed = 1,
                                    const ModelConfig& config = TinyBert().config()) const {
    const fs::path pretrained = folder_.path() / "pretrained";
    tiny.write(pretrained);
    auto classifier = Classifier::from_bert(
        config, Vocabulary({"film", "good", "films"}, Vocabulary::Growth::kOpen), {}, pretrained,
        seed, "cpu");
    fs::remove_all(pretrained);  // it is never asked again
    return classifier;
  }
  static CopyBatch batch_of(const Classifier& classifier, const std::vector<std::string>& texts) {
    CopyBatch batch;
    for (const std::string& text : texts)
      batch.copies.push_back(classifier.vocabulary().encode(classifier.words(text)));
    return batch;
  }
  static at::Tensor logits(const Classifier& classifier, const CopyBatch& batch) {
    const at::NoGradGuard no_grad;
    return classifier.network().forward(batch, nullptr);
  }
  static at::Tensor parameter(const Classifier& classifier, const std::string& name) {
    return classifier.network().parameters().at(name).detach().clone();
  }
  void expect_refused(const std::string& file, const std::string& why = "") const {
    const std::string message =
        expect_error(ErrorKind::kBadInput, [&] { Classifier::load(model(), "cpu"); });
    EXPECT_EQ(message.rfind((model() / file).string() + ":", 0), 0u) << message;
    EXPECT_NE(message.find(why), std::string::npos) << message;
  }

  TemporaryFolder folder_;
  const std::vector<std::string> texts_ = {"A good film.", "", "bad, BAD films!",
                                           "the warm story of a dull film and a zebra", "\u0436"};
};

TEST_F(BertClassifier, ReadsWordsAsItsTokenizerDoes) {
  const auto classifier = fresh();
  EXPECT_EQ(classifier->words("A Caf\u00e9,<br />it&#39;s"),
            (std::vector<std::string>{"a", "cafe", ",", "it", "'", "s"}));
  EXPECT_EQ(batch_of(*classifier, {"good new films"}).copies[0], (std::vector<WordId>{4, 6, 5}));
  EXPECT_EQ(classifier->vocabulary().word(6), "new");
  const std::vector<float> vectors = classifier->vectors();
  EXPECT_EQ(vectors.size(), 7u * 16);
  EXPECT_EQ(classifier->vectors(6, 7), std::vector<float>(vectors.end() - 16, vectors.end()));
}

TEST_F(BertClassifier, SavedAndLoadedIsTheSame) {
  const auto saved = fresh();
  const CopyBatch batch = batch_of(*saved, texts_);
  saved->save(model());
  EXPECT_EQ(contents(model()).size(), 4u);  // config.json, model.safetensors, both tokenizers
  const auto loaded = Classifier::load(model(), "cpu");
  EXPECT_EQ(loaded->vocabulary().size(), saved->vocabulary().size());
  EXPECT_EQ(batch_of(*loaded, texts_).copies, batch.copies);
  EXPECT_TRUE(logits(*loaded, batch).equal(logits(*saved, batch)));
  EXPECT_EQ(loaded->classify(batch), saved->classify(batch));
  EXPECT_EQ(loaded->vectors(), saved->vectors());
  EXPECT_EQ(loaded->config().bert, saved->config().bert);
  loaded->save(folder_.path() / "again");
  EXPECT_EQ(contents(folder_.path() / "again"), contents(model()));

  // Words that neither has met.
  const std::vector<std::string> unseen = {"an unmet word", "xylophones, warmly"};
  EXPECT_EQ(batch_of(*loaded, unseen).copies, batch_of(*saved, unseen).copies);
  EXPECT_TRUE(
      logits(*loaded, batch_of(*loaded, unseen)).equal(logits(*saved, batch_of(*saved, unseen))));
  EXPECT_FALSE(logits(*loaded, batch_of(*loaded, {"an unmet word"}))
                   .equal(logits(*loaded, batch_of(*loaded, {"an unmet world"}))));
}

TEST_F(BertClassifier, AnswersTheHighestScore) {
  ModelConfig config = TinyBert().config();
  config.classes = {"a", "b", "c"};
  const auto classifier = fresh({}, 1, config);
  const CopyBatch batch = random_copies(50, 10, 3);
  classifier->vocabulary().encode(small_words());  // the batch names their ids
  const at::Tensor expected = logits(*classifier, batch).argmax(1);
  const std::vector<int> answers = classifier->classify(batch);
  for (size_t b = 0; b < answers.size(); ++b)
    EXPECT_EQ(answers[b], expected[static_cast<int64_t>(b)].item<int64_t>());
  EXPECT_TRUE(classifier->classify({}).empty());
}

TEST_F(BertClassifier, ThreadsLearnWordsAndClassifyAtOnce) {
  const auto classifier = fresh();
  std::vector<std::vector<int>> answers(8);
  parallel_for(answers.size(), 4, [&](size_t i) {
    std::vector<std::string> texts = texts_;
    texts.push_back("word" + std::string(i + 1, 'x'));
    answers[i] = classifier->classify(batch_of(*classifier, texts));
    answers[i].pop_back();
  });
  for (const auto& one : answers) EXPECT_EQ(one, answers[0]);
}

TEST_F(BertClassifier, TheInsertionNoiseNeedsAPositionASlot) {
  ModelConfig config = TinyBert().config();
  config.pool_all_slots = true;
  config.slots = 22;  // of 24 positions
  fresh({}, 1, config)->save(model());
  EXPECT_TRUE(Classifier::load(model(), "cpu")->config().pool_all_slots);
  config.slots = 23;
  const std::string message = expect_error(ErrorKind::kUsage, [&] { fresh({}, 1, config); });
  EXPECT_NE(message.find("found 23 slots, expected at most 22"), std::string::npos) << message;
}

TEST_F(BertClassifier, StartsFromAnotherOfItsShape) {
  const auto classifier = fresh({}, 1), other = fresh({}, 2);
  for (const auto& [name, values] : other->network().parameters())
    other->network().assign(name, values.detach() + 0.25);
  const CopyBatch batch = batch_of(*classifier, texts_);
  batch_of(*other, texts_);  // gives the words the same ids
  EXPECT_FALSE(logits(*classifier, batch).equal(logits(*other, batch)));
  classifier->start_from(*other);
  EXPECT_TRUE(logits(*classifier, batch).equal(logits(*other, batch)));
}

TEST_F(BertClassifier, KeepsItsHeadIfTheClassesDiffer) {
  ModelConfig config = TinyBert().config();
  config.classes = {"a", "b", "c"};
  const auto classifier = fresh({}, 1, config), other = fresh();
  for (const auto& [name, values] : other->network().parameters())
    other->network().assign(name, values.detach() + 0.25);
  const at::Tensor head = parameter(*classifier, "head.weight");
  classifier->start_from(*other);
  EXPECT_TRUE(parameter(*classifier, "head.weight").equal(head));
  EXPECT_TRUE(parameter(*classifier, "head.bias").eq(0).all().item<bool>());
  for (const char* name : {"pooler.dense.weight", "encoder.layer.1.output.dense.bias"})
    EXPECT_TRUE(parameter(*classifier, name).equal(parameter(*other, name))) << name;
}

TEST_F(BertClassifier, StartsFromNoneOfAnotherShape) {
  const auto classifier = fresh();
  const CopyBatch batch = batch_of(*classifier, texts_);
  const at::Tensor before = logits(*classifier, batch);
  std::vector<std::unique_ptr<Classifier>> others;
  others.push_back(fresh({.layers = 1}));
  others.push_back(fresh({.layers = 3}));
  others.push_back(fresh({.heads = 1}));  // the same tensors, read otherwise
  others.push_back(fresh({.width = 32}));
  others.push_back(fresh({.inner = 40}));
  others.push_back(fresh({.positions = 30}));
  others.push_back(small_classifier(folder_.path(), small_config("cnn")));
  for (const auto& other : others) {
    const std::string message =
        expect_error(ErrorKind::kUsage, [&] { classifier->start_from(*other); });
    EXPECT_NE(message.find("of another shape"), std::string::npos) << message;
    expect_error(ErrorKind::kUsage, [&] { other->start_from(*classifier); });
  }
  EXPECT_TRUE(logits(*classifier, batch).equal(before));  // nothing was taken
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
