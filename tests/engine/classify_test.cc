// The class of single copies: each by itself, whatever else is asked for at the same time.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "model/network.h"
#include "model/small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/engine/engine.h"

namespace textcrs {
namespace {

class Classify : public testing::TestWithParam<std::string> {
 protected:
  Classify() {
    classifier_ = small_classifier(folder_.path(), small_config(GetParam()), 2);
    Stream stream(31, 0, 0);
    for (size_t i = 0; i < 300; ++i) {
      Words copy(stream.below(20));  // some are empty, some longer than the slots
      for (WordId& word : copy) word = static_cast<WordId>(1 + stream.below(22));
      copies_.push_back(copy);
    }
  }

  TemporaryFolder folder_;
  std::unique_ptr<Classifier> classifier_;
  std::vector<Words> copies_;
};

TEST_P(Classify, IsTheClassifierOnOneCopyAfterTheOther) {
  std::vector<int> expected;
  for (const Words& copy : copies_) expected.push_back(classifier_->classify({{copy}, 0, {}})[0]);
  EXPECT_GT(std::set<int>(expected.begin(), expected.end()).size(), 1u) << "the case is trivial";
  for (const int threads : {0, 1, 2, 5})
    for (const int batch_size : {0, 1, 1000})
      EXPECT_EQ(
          make_reference_engine(*classifier_, {threads, batch_size})->classify({copies_, 0, {}}),
          expected)
          << threads << " " << batch_size;
  EXPECT_TRUE(make_reference_engine(*classifier_)->classify(CopyBatch()).empty());
}

INSTANTIATE_TEST_SUITE_P(Models, Classify, testing::Values("bilstm", "cnn"));

// A network whose answer is decided by the size of the batch: class min(size, 6).
class SizeTelling : public Network {
 public:
  using Network::Network;
  at::Tensor forward(const CopyBatch& batch, const TrainingStep*) const override {
    const auto size = static_cast<int64_t>(batch.copies.size());
    at::Tensor logits = at::zeros({size, 7});
    logits.select(1, std::min<int64_t>(size, 6)).fill_(1);
    return logits;
  }
};

TEST(ClassifyAlone, AnAnswerDependsOnItsCopyAlone) {
  ModelConfig config = small_config("bilstm");
  config.classes.assign(7, "class");
  const Classifier classifier(config, Vocabulary(small_words()), {},
                              std::make_unique<SizeTelling>(config, at::zeros({23, 6})));
  const std::vector<Words> copies(100, Words{3, 4, 5});
  EXPECT_EQ(make_reference_engine(classifier)->classify({copies, 0, {}}), std::vector<int>(100, 1));
}

}  // namespace
}  // namespace textcrs
