// A classifier's answers, its fresh vectors, and its folder on disk.
#include "textcrs/model/classifier.h"

#include <ATen/Context.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <numeric>

#include "expect_error.h"
#include "small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/model/safetensors.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

// The files of a folder and of everything below it, with their bytes.
std::map<std::string, std::string> contents(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files[fs::relative(entry.path(), folder).string()] = read_file(entry.path());
  return files;
}

class ClassifierOf : public testing::TestWithParam<std::string> {
 protected:
  fs::path model() const { return folder_.path() / "model"; }
  std::unique_ptr<Classifier> fresh(uint64_t seed = 1) const {
    return small_classifier(folder_.path(), small_config(GetParam()), seed);
  }
  // The message with which the folder is refused, which names `file` of it.
  void expect_refused(const std::string& file, const std::string& why = "") const {
    const std::string message =
        expect_error(ErrorKind::kBadInput, [&] { Classifier::load(model(), "cpu"); });
    EXPECT_EQ(message.rfind((model() / file).string() + ":", 0), 0u) << message;
    EXPECT_NE(message.find(why), std::string::npos) << message;
  }
  // Saves a model whose weights `change` has been at.
  void save_changed(const std::function<void(std::map<std::string, TensorView>&)>& change) const {
    fresh()->save(model());
    const fs::path weights = model() / "model.safetensors";
    const SafetensorsFile file(weights);
    auto tensors = file.tensors();
    change(tensors);
    write_safetensors(weights, tensors);
  }

  TemporaryFolder folder_;
};

TEST_P(ClassifierOf, SavedAndLoadedGivesTheSameAnswersAndBytes) {
  const auto saved = fresh();
  saved->save(model());
  const auto loaded = Classifier::load(model(), "cpu");
  const CopyBatch batch = random_copies(300, 20, 2);
  const std::vector<int> answers = saved->classify(batch);
  EXPECT_EQ(loaded->classify(batch), answers);
  for (int label = 0; label < 3; ++label)
    EXPECT_GT(std::count(answers.begin(), answers.end(), label), 0) << label;
  EXPECT_EQ(loaded->config().classes, saved->config().classes);
  EXPECT_EQ(loaded->vocabulary().word(22), "w19");
  loaded->save(folder_.path() / "again");
  EXPECT_EQ(contents(folder_.path() / "again"), contents(model()));
}

TEST_P(ClassifierOf, TheSeedDecidesTheWeights) {
  fresh(1)->save(folder_.path() / "a");
  fresh(1)->save(folder_.path() / "b");
  fresh(2)->save(folder_.path() / "c");
  EXPECT_EQ(contents(folder_.path() / "a"), contents(folder_.path() / "b"));
  EXPECT_NE(contents(folder_.path() / "a"), contents(folder_.path() / "c"));
}

TEST_P(ClassifierOf, SavingReplacesTheWholeFolder) {
  fresh(1)->save(model());
  const auto first = contents(model());
  std::ofstream(model() / "left-over") << "x";
  fresh(2)->save(model());
  EXPECT_FALSE(fs::exists(model() / "left-over"));
  EXPECT_NE(contents(model()), first);
  fresh(1)->save(model());
  EXPECT_EQ(contents(model()), first);
  for (const auto& entry : fs::directory_iterator(folder_.path()))  // no temporary folder is left
    EXPECT_TRUE(entry.path() == model() || entry.is_regular_file()) << entry.path();
}

TEST_P(ClassifierOf, RefusesAFolderWithoutAFile) {
  for (const char* file : {"config.json", "model.safetensors", "vocab.txt"}) {
    fresh()->save(model());
    fs::remove(model() / file);
    expect_refused(file);
  }
  fs::remove_all(model());
  const std::string message =
      expect_error(ErrorKind::kBadInput, [&] { Classifier::load(model(), "cpu"); });
  EXPECT_NE(message.find(model().string()), std::string::npos);
}

TEST_P(ClassifierOf, RefusesTruncatedFiles) {
  fresh()->save(model());
  const std::string weights = read_file(model() / "model.safetensors");
  for (const size_t size :
       {size_t{0}, size_t{7}, size_t{100}, weights.size() / 2, weights.size() - 1}) {
    fs::resize_file(model() / "model.safetensors", size);
    expect_refused("model.safetensors");
    std::ofstream(model() / "model.safetensors", std::ios::binary) << weights;
  }
  fs::resize_file(model() / "config.json", fs::file_size(model() / "config.json") / 2);
  expect_refused("config.json");
}

TEST_P(ClassifierOf, RefusesAVocabularyOfAnotherSize) {
  for (const size_t count : {size_t{19}, size_t{21}}) {
    fresh()->save(model());
    auto words = small_words();
    words.resize(count, "more");
    Vocabulary(words).save(model() / "vocab.txt");
    expect_refused("model.safetensors", "embedding.weight");
  }
}

TEST_P(ClassifierOf, RefusesWeightsOfAnotherModel) {
  save_changed([](auto& tensors) { tensors["more"] = tensors["head.bias"]; });
  expect_refused("model.safetensors", "tensors, expected");
  save_changed([](auto& tensors) { tensors.erase("head.bias"); });
  expect_refused("model.safetensors", "'head.bias' is missing");
  save_changed([](auto& tensors) { tensors["head.bias"].shape = {1, 3}; });
  expect_refused("model.safetensors", "'head.bias': found F32 [1, 3], expected F32 [3]");
  save_changed([](auto& tensors) { tensors["head.bias"].dtype = "I32"; });
  expect_refused("model.safetensors", "'head.bias': found I32");
  save_changed([](auto& tensors) { std::swap(tensors["head.bias"], tensors["head.weight"]); });
  expect_refused("model.safetensors", "'head.");
}

TEST_P(ClassifierOf, RefusesAConfigThatDisagreesWithTheWeights) {
  for (const char* key : {"hidden", "dimension", "classes", "architecture"}) {
    fresh()->save(model());
    ModelConfig config = ModelConfig::load(model() / "config.json");
    if (key == std::string("hidden")) config.hidden += 1;
    if (key == std::string("dimension")) config.dimension += 1;
    if (key == std::string("classes")) config.classes.push_back("fourth");
    if (key == std::string("architecture"))
      config.architecture = GetParam() == "cnn" ? "bilstm" : "cnn";
    config.save(model() / "config.json");
    expect_refused("model.safetensors");
  }
}

TEST_P(ClassifierOf, AnEmptyCopyIsASinglePad) {
  const auto classifier = fresh();
  const CopyBatch batch{{{}, {kPad}, {5, 6}, {}}, 0, {}};
  const std::vector<int> answers = classifier->classify(batch);
  EXPECT_EQ(answers[0], answers[1]);
  EXPECT_EQ(answers[3], answers[1]);
  // With a Gaussian the PAD's slot is what the answer hangs on: it must be drawn for both alike.
  CopyBatch empty{{}, 2, {}}, pads{{}, 2, {}};
  for (uint32_t i = 0; i < 50; ++i) {
    empty.copies.emplace_back();
    pads.copies.push_back({kPad});
    empty.gaussians.emplace_back(9, i, 0, 1);
    pads.gaussians.emplace_back(9, i, 0, 1);
  }
  const std::vector<int> noisy = classifier->classify(empty);
  EXPECT_EQ(noisy, classifier->classify(pads));
  EXPECT_NE(std::count(noisy.begin(), noisy.end(), noisy[0]), 50);
}

TEST_P(ClassifierOf, CopiesAreCutToTheSlots) {
  const auto classifier = fresh();  // 12 slots
  CopyBatch whole, cut, shorter;
  for (uint32_t i = 0; i < 200; ++i) {
    Stream stream(3, i, 0);
    std::vector<WordId> words(12 + stream.below(10));
    for (WordId& word : words) word = static_cast<WordId>(3 + stream.below(20));
    whole.copies.push_back(words);
    words.resize(12);
    cut.copies.push_back(words);
    words.resize(6);
    shorter.copies.push_back(words);
  }
  EXPECT_EQ(classifier->classify(whole), classifier->classify(cut));
  EXPECT_NE(classifier->classify(whole), classifier->classify(shorter));
}

TEST_P(ClassifierOf, AnswersFollowTheirCopiesThroughTheBatch) {
  const auto classifier = fresh();
  const CopyBatch batch = random_copies(150, 20, 4);
  const std::vector<int> answers = classifier->classify(batch);
  std::vector<size_t> order(batch.copies.size());
  std::iota(order.begin(), order.end(), 0);
  Stream(6, 0, 0).shuffle(std::span(order));
  CopyBatch shuffled;
  for (size_t from : order) shuffled.copies.push_back(batch.copies[from]);
  const std::vector<int> found = classifier->classify(shuffled);
  for (size_t i = 0; i < order.size(); ++i) EXPECT_EQ(found[i], answers[order[i]]) << i;
  for (size_t i = 0; i < 20; ++i)
    EXPECT_EQ(classifier->classify({{batch.copies[i]}, 0, {}}), std::vector<int>{answers[i]}) << i;
}

TEST_P(ClassifierOf, AnEmptyBatchHasNoAnswers) { EXPECT_TRUE(fresh()->classify({}).empty()); }

TEST_P(ClassifierOf, TiesGoToTheLowestClass) {
  // A head of zeros ties all classes; raising the last bias decides for it.
  const std::vector<float> zeros(1000), raised = {0, 0, 1};
  const CopyBatch batch = random_copies(20, 10, 5);
  const auto with_bias = [&](const std::vector<float>& bias) {
    save_changed([&](auto& tensors) {
      auto& head = tensors["head.weight"];
      head.data = std::as_bytes(std::span(zeros)).first(head.data.size());
      tensors["head.bias"].data = std::as_bytes(std::span(bias)).first(12);
    });
    return Classifier::load(model(), "cpu")->classify(batch);
  };
  EXPECT_EQ(with_bias(zeros), std::vector<int>(20, 0));
  EXPECT_EQ(with_bias(raised), std::vector<int>(20, 2));
  EXPECT_EQ(with_bias({-1, 0, 0}), std::vector<int>(20, 1));
}

INSTANTIATE_TEST_SUITE_P(Architectures, ClassifierOf, testing::Values("bilstm", "cnn"),
                         [](const auto& architecture) { return architecture.param; });

TEST(Classifier, DevicesAndArchitecturesThatAreNotThereAreUsageErrors) {
  const TemporaryFolder folder;
  small_classifier(folder.path(), small_config("cnn"))->save(folder.path() / "model");
  expect_error(ErrorKind::kUsage, [&] { Classifier::load(folder.path() / "model", "tpu"); });
  if (!at::hasCUDA()) {
    const std::string message =
        expect_error(ErrorKind::kUsage, [&] { Classifier::load(folder.path() / "model", "cuda"); });
    EXPECT_NE(message.find("cuda"), std::string::npos) << message;
  }
  expect_error(ErrorKind::kUsage,
               [&] { small_classifier(folder.path(), small_config("transformer")); });
}

TEST(Classifier, KeepsItsSynonyms) {
  const TemporaryFolder folder;
  const auto words = small_words();
  std::vector<std::vector<WordId>> lists(23);
  lists[3] = {5, 4};
  lists[4] = {3};
  lists[5] = {3};
  const auto saved = Classifier::fresh(small_config("cnn"), Vocabulary(words), {"test", lists},
                                       small_vectors(folder.path(), words), 1, "cpu");
  saved->save(folder.path() / "model");
  const auto loaded = Classifier::load(folder.path() / "model", "cpu");
  for (WordId word = 0; word < 23; ++word) {
    const auto found = loaded->synonyms().of(word);
    EXPECT_EQ(std::vector<WordId>(found.begin(), found.end()), lists[static_cast<size_t>(word)]);
  }
}

// The rows of a fresh model's embedding, by word.
std::map<std::string, std::vector<float>> fresh_rows(const std::vector<std::string>& words,
                                                     const WordVectors& vectors, uint64_t seed) {
  const TemporaryFolder folder;
  const Vocabulary vocabulary(words);
  const auto classifier =
      Classifier::fresh(small_config("bilstm"), vocabulary, {}, vectors, seed, "cpu");
  EXPECT_EQ(classifier->config().dimension, vectors.dimension());
  classifier->save(folder.path() / "model");
  const SafetensorsFile file(folder.path() / "model" / "model.safetensors");
  const auto& view = file.get("embedding.weight", "F32", {vocabulary.size(), vectors.dimension()});
  std::map<std::string, std::vector<float>> rows;
  const auto size = static_cast<size_t>(vectors.dimension());
  for (WordId id = 0; id < vocabulary.size(); ++id) {
    std::vector<float>& row = rows[vocabulary.word(id)];
    row.resize(size);
    std::memcpy(row.data(), view.data.data() + static_cast<size_t>(id) * size * 4, size * 4);
  }
  return rows;
}

double norm(const std::vector<float>& vector) {
  double square = 0;
  for (float x : vector) square += static_cast<double>(x) * x;
  return std::sqrt(square);
}

TEST(Classifier, FreshVectorsAreThoseDocumented) {
  const TemporaryFolder folder;
  const WordVectors vectors = small_vectors(folder.path(), {"x", "a", "b", "c", "y"});
  auto rows = fresh_rows({"c", "lost", "a", "b"}, vectors, 1);

  EXPECT_EQ(rows["<pad>"], std::vector<float>(kSmallDimension));
  double length = 0;
  std::vector<double> mean(kSmallDimension);
  for (const char* word : {"a", "b", "c"}) {
    const auto row = vectors.row(*vectors.find(word));
    EXPECT_EQ(rows[word], std::vector<float>(row.begin(), row.end()));
    length += norm(rows[word]) / 3;
    for (size_t d = 0; d < mean.size(); ++d) mean[d] += row[d] / 3;
  }
  for (size_t d = 0; d < mean.size(); ++d) EXPECT_NEAR(rows["<unk>"][d], mean[d], 1e-6);
  for (const char* word : {"<mask>", "lost"}) EXPECT_NEAR(norm(rows[word]), length, 1e-5);
  EXPECT_NE(rows["<mask>"], rows["lost"]);

  // Keyed by the spelling: not by the place in the vocabulary, and not by the seed.
  EXPECT_EQ(fresh_rows({"lost", "a", "b", "c"}, vectors, 2)["lost"], rows["lost"]);
  EXPECT_NE(fresh_rows({"gone", "a", "b", "c"}, vectors, 2)["gone"], rows["lost"]);
}

}  // namespace
}  // namespace textcrs
