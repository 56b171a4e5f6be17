#include "textcrs/text/build_vocabulary.h"

#include <gtest/gtest.h>

#include "scratch_home.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace {

TEST(BuildVocabulary, KeepsFrequentWordsAndCountsCoverage) {
  const ScratchHome home;
  const auto source = home.folder() / "vectors.txt", cache = home.folder() / "vectors.bin";
  write_file_atomically(source, "good 1 0\nfilm 0 1\nrare 1 1\nunused 2 2\n");
  convert_glove_text(source, cache);
  const WordVectors vectors = WordVectors::open(cache);
  const std::vector<std::vector<std::string>> texts = {
      {"a", "good", "film", "a"}, {"film", "a", "zzz"}, {"film", "good", "rare"}};

  const BuiltVocabulary built = build_vocabulary(texts, vectors, /*min_count=*/2,
                                                 /*min_count_without_vector=*/3);
  EXPECT_EQ(built.tokens, 10);
  EXPECT_EQ(built.covered_tokens, 6);  // film 3, good 2, rare 1
  ASSERT_EQ(built.vocabulary.size(), kFirstWord + 3);
  EXPECT_EQ(built.vocabulary.word(kFirstWord), "a");  // 3 times, like film: by spelling
  EXPECT_EQ(built.vocabulary.word(kFirstWord + 1), "film");
  EXPECT_EQ(built.vocabulary.word(kFirstWord + 2), "good");
  EXPECT_EQ(built.vocabulary.id("rare"), kUnk);
}

TEST(BuildOpenVocabulary, KeepsFrequentWordsAndLeavesTheOthersToTheTexts) {
  const std::vector<std::vector<std::string>> texts = {
      {"a", "good", "film", "a"}, {"film", "a", "zzz"}, {}, {"film", "good", "rare"}};
  const BuiltVocabulary built = build_open_vocabulary(texts, /*min_count=*/2);
  EXPECT_EQ(built.tokens, 10);
  EXPECT_EQ(built.covered_tokens, 10);  // a model that reads every word covers all
  ASSERT_EQ(built.vocabulary.size(), kFirstWord + 3);
  EXPECT_EQ(built.vocabulary.word(kFirstWord), "a");  // 3 times, like film: by spelling
  EXPECT_EQ(built.vocabulary.word(kFirstWord + 1), "film");
  EXPECT_EQ(built.vocabulary.word(kFirstWord + 2), "good");
  OwnWords own;
  EXPECT_EQ(built.vocabulary.encode({"rare", "film"}, own),
            (std::vector<WordId>{kFirstWord + 3, kFirstWord + 1}));

  EXPECT_EQ(build_open_vocabulary(texts, 1).vocabulary.size(), kFirstWord + 5);
  EXPECT_EQ(build_open_vocabulary(texts, 4).vocabulary.size(), kFirstWord);
  EXPECT_EQ(build_open_vocabulary({}, 1).tokens, 0);
}

}  // namespace
}  // namespace textcrs
