// A step whose texts go through in several parts takes the gradients of the whole.
#include <gtest/gtest.h>

#include <cmath>

#include "model/small_model.h"
#include "text/temporary_folder.h"
#include "train/tiny_task.h"

namespace textcrs {
namespace {

struct Step {
  double loss = 0;
  Weights tensors;  // "m.NAME" is a tenth of the gradient
};

class Accumulate : public testing::TestWithParam<std::string> {  // the architecture
 protected:
  Accumulate() {
    config_ = GetParam() == "bert" ? TinyBert().config() : small_config(GetParam());
    config_.classes = {"zero", "one"};
    config_.noise = "universal:p=0.3";
    config_.dropout = config_.input_dropout = 0;
    options_.epochs = 1;
    options_.batch_size = 100;
    options_.gradient_clip = 0.05;  // of all parts together
    options_.validation_share = 0;
    options_.threads = 1;
    options_.checkpoint = folder_.path() / "checkpoint";
  }

  // The only step of a training on these texts.
  Step step(int parts, const std::vector<EncodedText>& texts = tiny_texts(10)) const {
    const auto classifier = GetParam() == "bert"
                                ? tiny_classifier(TinyBert(), config_, folder_.path())
                                : small_classifier(folder_.path(), config_);
    TrainOptions options = options_;
    options.accumulate = parts;
    Step step;
    train(*classifier, texts, options, [&](const auto& p) { step.loss = p.loss; });
    step.tensors = load_weights(options.checkpoint / "state.safetensors");
    return step;
  }

  TemporaryFolder folder_;
  ModelConfig config_;
  TrainOptions options_;
};

TEST_P(Accumulate, IsTheSameStep) {
  const Step whole = step(1);
  for (const int parts : {2, 4, 10, 1000}) {
    SCOPED_TRACE(parts);
    const Step summed = step(parts);
    EXPECT_NEAR(summed.loss, whole.loss, 1e-5);
    double norm = 0;
    for (const auto& [name, expected] : whole.tensors) {
      const FloatTensor& found = summed.tensors.at(name);
      if (!name.starts_with("m.")) continue;
      ASSERT_EQ(found.shape, expected.shape);
      for (size_t i = 0; i < expected.values.size(); ++i) {
        norm += 100 * expected.values[i] * expected.values[i];
        EXPECT_NEAR(found.values[i], expected.values[i], 1e-7) << name;
      }
    }
    EXPECT_NEAR(std::sqrt(norm), 0.05, 1e-4);
  }
}

// A text twice, in parts with the same masks, would be the text once.
TEST_P(Accumulate, PartsHaveDropoutOfTheirOwn) {
  config_.dropout = 0.4;
  config_.noise = "none";
  const auto once = tiny_texts(1);
  auto twice = once;
  twice.push_back(once[0]);
  EXPECT_GT(std::abs(step(2, twice).loss - step(1, once).loss), 1e-4);
  EXPECT_EQ(step(2, twice).loss, step(2, twice).loss);
  config_.dropout = 0;
  EXPECT_NEAR(step(2, twice).loss, step(1, once).loss, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Models, Accumulate, testing::Values("bilstm", "cnn", "bert"));

}  // namespace
}  // namespace textcrs
