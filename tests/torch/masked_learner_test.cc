// A masked language model that learns: its state in the open, its steps and its guesses.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "model/tiny_bert.h"
#include "text/temporary_folder.h"
#include "textcrs/torch/backend.h"
#include "torch/masked_lm_network.h"

namespace textcrs {
namespace {

const std::string kBias = "cls.predictions.bias";

// Two sequences, three places.
MaskedBatch two_sequences() {
  MaskedBatch batch;
  batch.rows.pieces = {2, 57, 58, 4, 3, 2, 60, 4, 4, 61, 3};
  batch.rows.starts = {0, 5, 11};
  batch.rows.longest = 6;
  batch.rows.places = {3, 7, 9};
  batch.targets = {59, 58, 7};
  return batch;
}
const MaskedBatch kBatch = two_sequences();

class MaskedLearnerTest : public testing::Test {
 protected:
  MaskedLearnerTest() { TinyBert().write(folder()); }
  std::filesystem::path folder() const { return folder_.path() / "bert"; }
  std::unique_ptr<MaskedLm> load() const { return torch_backend().masked_lm(folder(), "cpu"); }
  static std::unique_ptr<MaskedLearner> learner(MaskedLm& model,
                                                MaskedLearnerOptions options = {}) {
    options.threads = 1;
    return model.learner(options);
  }
  static void run(MaskedLearner& learner, int64_t from, int64_t to) {
    for (int64_t step = from; step < to; ++step) learner.step(kBatch, step, 0.01);
  }

  TemporaryFolder folder_;
};

TEST_F(MaskedLearnerTest, TrainsTheModelItself) {
  const auto model = load();
  const auto one = learner(*model);
  const Weights before = model->parameters();
  EXPECT_EQ(one->parameters(), before);
  run(*one, 0, 2);
  EXPECT_EQ(one->parameters(), model->parameters());
  for (const auto& [name, tensor] : model->parameters()) EXPECT_NE(tensor, before.at(name)) << name;
  model->save(folder_.path() / "trained");
  EXPECT_EQ(torch_backend().masked_lm(folder_.path() / "trained", "cpu")->parameters(),
            one->parameters());
}

TEST_F(MaskedLearnerTest, TheLossIsTheMeanCrossEntropyOfTheTargets) {
  const MaskedLmNetwork network(folder(), PretrainedBert(folder(), 1), at::kCPU);
  const at::NoGradGuard no_grad;
  const at::Tensor scores = network.scores(kBatch.rows, nullptr).to(at::kDouble);
  double expected = 0;
  int64_t right = 0;
  for (size_t m = 0; m < kBatch.targets.size(); ++m) {
    const at::Tensor row = scores[static_cast<int64_t>(m)];
    expected += row.logsumexp(0).item<double>() - row[kBatch.targets[m]].item<double>();
    right += row.argmax().item<int64_t>() == kBatch.targets[m];
  }
  const auto model = load();
  const auto one = learner(*model);
  const GuessCounts counts = one->guess(kBatch);
  EXPECT_NEAR(counts.loss, expected, 1e-4);
  EXPECT_EQ(counts.right, right);
  EXPECT_EQ(counts.places, 3);
  const at::AutoGradMode with_gradients(true);
  EXPECT_NEAR(one->step(kBatch, 0, 0.01), expected / 3, 1e-4);
}

TEST_F(MaskedLearnerTest, StepsLowerTheLossUntilAllIsGuessedRight) {
  const auto model = load();
  const auto one = learner(*model);
  const double before = one->guess(kBatch).loss;
  run(*one, 0, 40);
  const GuessCounts after = one->guess(kBatch);
  EXPECT_LT(after.loss, 0.1 * before);
  EXPECT_EQ(after.right, 3);
}

TEST_F(MaskedLearnerTest, GuessesFollowAssignedParameters) {
  const auto model = load();
  const auto one = learner(*model);
  const Weights before = one->parameters();
  const auto first = model->fill({"film"}, 0, 1);
  Weights changed = before;
  const auto pieces = TinyBert::default_pieces();
  const auto dull = std::find(pieces.begin(), pieces.end(), "dull") - pieces.begin();
  changed[kBias].values[static_cast<size_t>(dull)] += 1000;
  one->assign(changed);
  EXPECT_EQ(model->fill({"film"}, 0, 1)[0].word, "dull");
  EXPECT_EQ(model->parameters(), changed);
  one->assign(before);
  EXPECT_EQ(model->fill({"film"}, 0, 1)[0].probability, first[0].probability);
  changed[kBias] = {{3}, {0, 0, 0}};
  EXPECT_THROW(one->assign(changed), std::logic_error);
}

TEST_F(MaskedLearnerTest, AssignedAndRestoredGoesOnBitForBit) {
  const MaskedLearnerOptions options = {.dropout = 0.1, .weight_decay = 0.1, .gradient_clip = 1};
  const auto model = load(), other = load();
  const auto whole = learner(*model, options), half = learner(*other, options);
  run(*whole, 0, 5);
  run(*half, 0, 3);
  const Weights parameters = half->parameters(), moments = half->moments();
  EXPECT_EQ(moments.size(), 2 * parameters.size());
  const auto fresh = load();
  const auto rest = learner(*fresh, options);
  rest->assign(parameters);
  rest->restore(moments, 3);
  EXPECT_EQ(rest->moments(), moments);
  run(*rest, 3, 5);
  EXPECT_EQ(rest->parameters(), whole->parameters());
  EXPECT_EQ(rest->moments(), whole->moments());
}

TEST_F(MaskedLearnerTest, ALossThatIsNotFiniteChangesNothing) {
  const auto model = load(), other = load();
  const auto one = learner(*model, {.gradient_clip = 1}),
             twin = learner(*other, {.gradient_clip = 1});
  run(*one, 0, 2);
  run(*twin, 0, 2);
  const Weights good = one->parameters(), moments = one->moments();
  Weights wrong = good;
  wrong[kBias].values[5] = std::numeric_limits<float>::infinity();
  one->assign(wrong);
  EXPECT_FALSE(std::isfinite(one->step(kBatch, 2, 0.01)));
  EXPECT_EQ(one->parameters(), wrong);
  EXPECT_EQ(one->moments(), moments);
  one->assign(good);
  run(*one, 2, 4);
  run(*twin, 2, 4);
  EXPECT_EQ(one->parameters(), twin->parameters());
}

TEST_F(MaskedLearnerTest, FrozenEmbeddingsStayAndThawForTheNext) {
  const auto model = load();
  const Weights before = model->parameters();
  {
    const auto frozen = learner(*model, {.freeze_embeddings = true});
    run(*frozen, 0, 2);
    for (const auto& [name, tensor] : before) {
      const bool stays = name.starts_with("embeddings.");
      EXPECT_EQ(frozen->parameters().contains(name), !stays) << name;
      EXPECT_EQ(model->parameters().at(name) == tensor, stays) << name;
    }
  }
  const auto free = learner(*model);
  run(*free, 0, 1);
  for (const auto& [name, tensor] : before) EXPECT_NE(model->parameters().at(name), tensor) << name;
}

TEST_F(MaskedLearnerTest, DropoutDependsOnTheSeedAndTheStepAlone) {
  const auto model = load();
  const auto one = learner(*model, {.seed = 3, .dropout = 0.3});
  const auto loss = [&](int64_t step) { return one->step(kBatch, step, 0); };
  const double fifth = loss(5), sixth = loss(6);
  EXPECT_NE(fifth, sixth);
  EXPECT_EQ(loss(5), fifth);
  EXPECT_EQ(learner(*model, {.seed = 3, .dropout = 0.3})->step(kBatch, 6, 0), sixth);
  EXPECT_NE(learner(*model, {.seed = 4, .dropout = 0.3})->step(kBatch, 6, 0), sixth);
}

}  // namespace
}  // namespace textcrs
