// The vectors of a fresh word model.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "small_model.h"
#include "text/temporary_folder.h"

namespace textcrs {
namespace {

// The rows of a fresh model's embedding, by word.
std::map<std::string, std::vector<float>> fresh_rows(const std::vector<std::string>& words,
                                                     const WordVectors& vectors, uint64_t seed) {
  const Vocabulary vocabulary(words);
  const auto classifier = Classifier::fresh(small_config("bilstm"), vocabulary, {}, vectors, seed);
  EXPECT_EQ(classifier->config().dimension, vectors.dimension());
  const FloatTensor& table = classifier->weights().at("embedding.weight");
  EXPECT_EQ(table.shape, (std::vector<int64_t>{vocabulary.size(), vectors.dimension()}));
  std::map<std::string, std::vector<float>> rows;
  for (WordId id = 0; id < vocabulary.size(); ++id) {
    const auto first = table.values.begin() + id * vectors.dimension();
    rows[vocabulary.word(id)] = {first, first + vectors.dimension()};
  }
  return rows;
}

double norm(const std::vector<float>& vector) {
  double square = 0;
  for (float x : vector) square += static_cast<double>(x) * x;
  return std::sqrt(square);
}

TEST(FreshClassifier, VectorsAreThoseDocumented) {
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
