// Small models for the tests of model, engine, torch and train: twenty words with random vectors.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "textcrs/base/stream.h"
#include "textcrs/model/classifier.h"
#include "textcrs/model/copy_batch.h"

namespace textcrs {

constexpr int kSmallDimension = 6;

// w0 .. w19: the ids 3 .. 22.
inline std::vector<std::string> small_words() {
  std::vector<std::string> words;
  for (int i = 0; i < 20; ++i) words.push_back(std::string("w").append(std::to_string(i)));
  return words;
}

// Standard normal vectors for `words`, keyed by their place.
inline WordVectors small_vectors(const std::filesystem::path& folder,
                                 const std::vector<std::string>& words,
                                 int dimension = kSmallDimension) {
  const std::filesystem::path source = folder / "vectors.txt", cache = folder / "vectors.cache";
  {
    std::ofstream out(source);
    out.precision(9);
    std::vector<float> vector(static_cast<size_t>(dimension));
    for (size_t i = 0; i < words.size(); ++i) {
      Stream(5, static_cast<uint32_t>(i), 0).normals(vector);
      out << words[i];
      for (float x : vector) out << ' ' << x;
      out << '\n';
    }
  }
  convert_glove_text(source, cache);
  return WordVectors::open(cache);
}

inline ModelConfig small_config(const std::string& architecture) {
  ModelConfig config;
  config.architecture = architecture;
  config.hidden = 9;
  config.slots = 12;
  config.classes = {"no", "yes", "maybe"};
  return config;
}

// Random votes of the words.
inline std::unique_ptr<Classifier> small_votes(const ModelConfig& config) {
  auto classifier = Classifier::fresh(config, Vocabulary(small_words()));
  Weights trained = classifier->weights();
  Stream stream(6, 0, 0);
  for (auto& [name, tensor] : trained)
    for (float& value : tensor.values) value = static_cast<float>(stream.below(4096));
  classifier->assign(trained);
  return classifier;
}

inline std::unique_ptr<Classifier> small_classifier(const std::filesystem::path& folder,
                                                    const ModelConfig& config, uint64_t seed = 1) {
  const auto words = small_words();
  if (config.kind().casts_votes) return small_votes(config);
  return Classifier::fresh(config, Vocabulary(words), {}, small_vectors(folder, words), seed);
}

// Copies of 0 .. `longest` - 1 words; specials and repeats among them.
inline CopyBatch random_copies(int count, int longest, uint64_t seed) {
  CopyBatch batch;
  for (int i = 0; i < count; ++i) {
    Stream stream(seed, static_cast<uint32_t>(i), 0);
    std::vector<WordId> copy(stream.below(static_cast<uint32_t>(longest)));
    for (WordId& word : copy) word = static_cast<WordId>(stream.below(23));
    batch.copies.push_back(std::move(copy));
  }
  return batch;
}

}  // namespace textcrs
