#include <gmock/gmock.h>

#include "model/tensors.h"
#include "text/scratch_home.h"
#include "textcrs/base/error.h"
#include "textcrs/model/safetensors.h"
#include "textcrs/model/weights.h"
#include "textcrs/plot/embedding_figures.h"

namespace textcrs::plot {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

const FloatTensor kTable = {{3, 2}, {1, 2, 0, 0, 3, 4}};  // the second row is left out

class Words : public testing::Test {
 protected:
  fs::path weights(const std::string& name, const Weights& tensors) const {
    const fs::path path = home_.write(name, "");
    save_weights(path, tensors);
    return path;
  }
  std::string refused(const fs::path& source) const {
    try {
      load_word_matrix(source.string());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput) << error.what();
      return error.what();
    }
    return "";
  }
  ScratchHome home_;
};

void expect_table(const WordMatrix& matrix, const std::string& name) {
  EXPECT_EQ(matrix.name, name);
  EXPECT_EQ(matrix.dimension, 2u);
  EXPECT_EQ(matrix.words(), 2u);
  EXPECT_THAT(matrix.values, ElementsAre(1, 2, 3, 4));
}

TEST_F(Words, AreReadFromAFileOfVectors) {
  const fs::path file = home_.write("small.txt", "the 1 2\nof 0 0\nand 3 4\n");
  expect_table(load_word_matrix(file.string()), "small.txt");
}

TEST_F(Words, AreReadFromTheWeightsOfModelsAndEncoders) {
  const FloatTensor other = {{1, 2}, {9, 9}};
  for (const std::string& table : {std::string("embedding.weight"), std::string(kPieceEmbedding),
                                   "bert." + std::string(kPieceEmbedding)}) {
    SCOPED_TRACE(table);
    const fs::path file =
        weights("model/model.safetensors", {{table, kTable}, {"head.weight", other}});
    expect_table(load_word_matrix(file.string()), "model.safetensors");
    expect_table(load_word_matrix(file.parent_path().string()), "model");
    expect_table(load_word_matrix(file.parent_path().string() + "/"), "model");
  }
  expect_table(
      load_word_matrix(
          weights("encoder/x.safetensors", {{"embedding.weight", kTable}}).parent_path().string()),
      "encoder");
}

TEST_F(Words, AreReadInHalfPrecision) {
  const std::vector<uint16_t> values = {0x3c00, 0x4000, 0, 0, 0x4200, 0x4400};  // as above
  const fs::path file = home_.folder() / "half.safetensors";
  write_safetensors(file, {{kPieceEmbedding, {"F16", {3, 2}, std::as_bytes(std::span(values))}}});
  expect_table(load_word_matrix(file.string()), "half.safetensors");
}

TEST_F(Words, AreRefusedWhereThereAreNone) {
  EXPECT_THAT(refused(home_.folder() / "none.txt"), HasSubstr("none.txt"));
  EXPECT_THAT(refused(weights("a/model.safetensors", {{"head.weight", kTable}})),
              HasSubstr("found no word vectors, expected a tensor named embedding.weight or"));
  EXPECT_THAT(refused(weights("b/model.safetensors", {{"embedding.weight", {{6}, kTable.values}}})),
              HasSubstr("tensor 'embedding.weight': found F32 [6]"));
  EXPECT_THAT(refused(weights("c/model.safetensors", {{"embedding.weight", {{1, 2}, {0, 0}}}})),
              HasSubstr("all word vectors are zero"));
  weights("d/one.safetensors", {{"embedding.weight", kTable}});
  EXPECT_THAT(refused(weights("d/two.safetensors", {{"embedding.weight", kTable}}).parent_path()),
              HasSubstr("found 2 .safetensors files, expected model.safetensors"));
  const std::vector<uint16_t> infinite = {0x7c00, 0};
  write_safetensors(home_.folder() / "e.safetensors",
                    {{"embedding.weight", {"F16", {1, 2}, std::as_bytes(std::span(infinite))}}});
  EXPECT_THAT(refused(home_.folder() / "e.safetensors"), HasSubstr("e.safetensors"));
  EXPECT_THAT(refused(home_.write("f.safetensors", "no weights")), HasSubstr("f.safetensors"));
}

TEST_F(Words, OfAnAssetThatIsNotHereSayHowToFetchIt) {
  for (const char* name : {"glove", "minilm"}) {
    try {
      load_word_matrix(name);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(std::string("textcrs data fetch ") + name));
    }
  }
}

}  // namespace
}  // namespace textcrs::plot
