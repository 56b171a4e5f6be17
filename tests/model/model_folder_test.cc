// The folder of a word model: what is saved is loaded, and whatever is inconsistent is refused.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <functional>
#include <limits>
#include <span>

#include "expect_error.h"
#include "folder_contents.h"
#include "small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/model/safetensors.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

class ModelFolder : public testing::TestWithParam<std::string> {
 protected:
  fs::path model() const { return folder_.path() / "model"; }
  std::unique_ptr<Classifier> fresh(uint64_t seed = 1) const {
    return small_classifier(folder_.path(), small_config(GetParam()), seed);
  }
  // The message with which the folder is refused, which names `file` of it.
  void expect_refused(const std::string& file, const std::string& why = "") const {
    const std::string message =
        expect_error(ErrorKind::kBadInput, [&] { Classifier::load(model()); });
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

TEST_P(ModelFolder, SavedAndLoadedIsTheSame) {
  const auto saved = fresh();
  saved->save(model());
  const auto loaded = Classifier::load(model());
  EXPECT_EQ(loaded->weights(), saved->weights());
  EXPECT_EQ(loaded->vectors(), saved->vectors());
  EXPECT_EQ(loaded->config().classes, saved->config().classes);
  EXPECT_EQ(loaded->vocabulary().size(), saved->vocabulary().size());
  EXPECT_EQ(loaded->vocabulary().word(22), "w19");
  EXPECT_FALSE(loaded->vocabulary().is_open());
  loaded->save(folder_.path() / "again");
  EXPECT_EQ(contents(folder_.path() / "again"), contents(model()));
}

TEST_P(ModelFolder, TheSeedDecidesTheWeights) {
  fresh(1)->save(folder_.path() / "a");
  fresh(1)->save(folder_.path() / "b");
  fresh(2)->save(folder_.path() / "c");
  EXPECT_EQ(contents(folder_.path() / "a"), contents(folder_.path() / "b"));
  EXPECT_NE(contents(folder_.path() / "a"), contents(folder_.path() / "c"));
}

TEST_P(ModelFolder, SavingReplacesTheWholeFolder) {
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

TEST_P(ModelFolder, RefusesAFolderWithoutAFile) {
  for (const char* file : {"config.json", "model.safetensors", "vocab.txt"}) {
    fresh()->save(model());
    fs::remove(model() / file);
    expect_refused(file);
  }
  fs::remove_all(model());
  const std::string message =
      expect_error(ErrorKind::kBadInput, [&] { Classifier::load(model()); });
  EXPECT_NE(message.find(model().string()), std::string::npos);
}

// Neither is waited for, nor read to an end that it does not have.
TEST_P(ModelFolder, RefusesPipesAndDevices) {
  for (const std::string file : {"config.json", "vocab.txt", "model.safetensors"}) {
    fresh()->save(model());
    fs::remove(model() / file);
    ASSERT_EQ(mkfifo((model() / file).c_str(), 0600), 0);
    expect_refused(file, "expected a regular file");
    fs::remove(model() / file);
    fs::create_symlink("/dev/zero", model() / file);
    expect_refused(file, "expected a regular file");
  }
}

TEST_P(ModelFolder, RefusesTruncatedFiles) {
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

TEST_P(ModelFolder, RefusesAVocabularyOfAnotherSize) {
  for (const size_t count : {size_t{19}, size_t{21}}) {
    fresh()->save(model());
    auto words = small_words();
    words.resize(count, "more");
    Vocabulary(words).save(model() / "vocab.txt");
    expect_refused("model.safetensors", "embedding.weight");
  }
}

TEST_P(ModelFolder, RefusesWeightsOfAnotherModel) {
  save_changed([](auto& tensors) { tensors["more"] = tensors["head.bias"]; });
  expect_refused("model.safetensors", "tensors, expected");
  save_changed([](auto& tensors) { tensors.erase("head.bias"); });
  expect_refused("model.safetensors", "'head.bias' is missing");
  save_changed([](auto& tensors) { tensors["head.bias"].shape = {1, 3}; });
  expect_refused("model.safetensors", "'head.bias': found F32 [1, 3], expected F32 [3]");
  save_changed([](auto& tensors) { tensors["head.bias"].dtype = "I32"; });
  expect_refused("model.safetensors", "'head.bias': found I32");
  const std::vector<float> wrong = {0, 1, std::numeric_limits<float>::quiet_NaN()};
  save_changed([&](auto& tensors) { tensors["head.bias"].data = std::as_bytes(std::span(wrong)); });
  expect_refused("model.safetensors", "'head.bias': value 2 is nan, expected finite ones");
  save_changed([](auto& tensors) { std::swap(tensors["head.bias"], tensors["head.weight"]); });
  expect_refused("model.safetensors", "'head.");
}

TEST_P(ModelFolder, RefusesAConfigThatDisagreesWithTheWeights) {
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

INSTANTIATE_TEST_SUITE_P(Architectures, ModelFolder, testing::Values("bilstm", "cnn"),
                         [](const auto& architecture) { return architecture.param; });

TEST(ModelFolderWithSynonyms, KeepsThem) {
  const TemporaryFolder folder;
  const auto words = small_words();
  std::vector<std::vector<WordId>> lists(23);
  lists[3] = {5, 4};
  lists[4] = {3};
  lists[5] = {3};
  const auto saved = Classifier::fresh(small_config("cnn"), Vocabulary(words), {"test", lists},
                                       small_vectors(folder.path(), words), 1);
  saved->save(folder.path() / "model");
  const auto loaded = Classifier::load(folder.path() / "model");
  for (WordId word = 0; word < 23; ++word) {
    const auto found = loaded->synonyms().of(word);
    EXPECT_EQ(std::vector<WordId>(found.begin(), found.end()), lists[static_cast<size_t>(word)]);
  }
}

TEST(ModelFolderWithSynonyms, RefusesListsThatAreNotSymmetric) {
  const TemporaryFolder folder;
  const auto words = small_words();
  const auto path = folder.path() / "model";
  std::vector<std::vector<WordId>> lists(23);
  lists[3] = {4};
  lists[4] = {3};
  Classifier::fresh(small_config("cnn"), Vocabulary(words), {"test", lists},
                    small_vectors(folder.path(), words), 1)
      ->save(path);
  const auto refused = [&](const std::string& synonyms) {
    std::ofstream(path / "synonyms.json") << synonyms;
    return expect_error(ErrorKind::kBadInput, [&] { Classifier::load(path); });
  };
  const std::string file = (path / "synonyms.json").string();
  EXPECT_EQ(refused(R"({"w0": ["w1", "w2"], "w1": ["w0"]})"),
            file + ": w0: lists w2, which does not list it, expected both or none");
  EXPECT_EQ(refused(R"({"w0": ["w1"], "w1": ["w0", "w19"], "w19": []})"),
            file + ": w1: lists w19, which does not list it, expected both or none");
  EXPECT_EQ(refused("{\"w0\": " + std::string(100000, '[')).rfind(file + ": byte ", 0), 0u);
  std::ofstream(path / "synonyms.json") << R"({"w0": ["w2", "unknown"], "w2": ["w0"]})";
  EXPECT_NO_THROW(Classifier::load(path));
}

}  // namespace
}  // namespace textcrs
