// Batch size and epochs by the number of texts.
#include <gtest/gtest.h>

#include "textcrs/train/trainer.h"

namespace textcrs {
namespace {

TrainOptions for_texts(const char* architecture, size_t texts) {
  return TrainOptions::recommended(find_architecture(architecture), texts);
}

size_t steps(const TrainOptions& options, size_t texts) {
  const auto batch = static_cast<size_t>(options.batch_size);
  return static_cast<size_t>(options.epochs) * ((texts + batch - 1) / batch);
}

TEST(Recommended, FewTextsGetAsManyStepsAsTheyNeed) {
  for (const char* architecture : {"bilstm", "cnn"})
    for (const size_t texts : {950, 2000, 4237, 5180, 10000, 19000, 23750, 200000})
      EXPECT_GE(steps(for_texts(architecture, texts), texts), 1500u) << texts;
  for (const size_t texts : {800, 950, 4237, 23750})
    EXPECT_GE(steps(for_texts("bert", texts), texts), 500u) << texts;
}

TEST(Recommended, TheLargestBatchThatGivesThemIsTaken) {
  const auto shape = [](const char* architecture, size_t texts) {
    const TrainOptions options = for_texts(architecture, texts);
    return std::pair(options.batch_size, options.epochs);
  };
  EXPECT_EQ(shape("bilstm", 1), std::pair(32, 50));
  EXPECT_EQ(shape("bilstm", 950), std::pair(32, 50));
  EXPECT_EQ(shape("bilstm", 4237), std::pair(32, 12));
  EXPECT_EQ(shape("bilstm", 4768), std::pair(32, 11));
  EXPECT_EQ(shape("bilstm", 4769), std::pair(32, 10));
  EXPECT_EQ(shape("cnn", 9536), std::pair(32, 10));
  EXPECT_EQ(shape("cnn", 9537), std::pair(64, 10));
  EXPECT_EQ(shape("cnn", 19072), std::pair(64, 10));
  EXPECT_EQ(shape("cnn", 19073), std::pair(128, 10));
  EXPECT_EQ(shape("cnn", 23750), std::pair(128, 10));
  EXPECT_EQ(shape("bert", 950), std::pair(32, 17));
  EXPECT_EQ(shape("bert", 23750), std::pair(32, 3));
}

TEST(Recommended, TheRestDependsOnTheArchitectureOnly) {
  for (const size_t texts : {100, 100000}) {
    EXPECT_EQ(for_texts("cnn", texts).learning_rate, 3e-3);
    EXPECT_EQ(for_texts("bert", texts).learning_rate, 5e-5);
    EXPECT_EQ(for_texts("bert", texts).weight_decay, 0.01);
  }
}

}  // namespace
}  // namespace textcrs
