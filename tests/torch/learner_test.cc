// A classifier that learns: its state in the open, its steps, and what it must not touch.
#include "textcrs/torch/learner.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "any_model.h"
#include "model/expect_error.h"
#include "text/temporary_folder.h"
#include "textcrs/torch/backend.h"

namespace textcrs {
namespace {

class LearnerOf : public testing::TestWithParam<std::string> {  // the architecture
 protected:
  std::unique_ptr<Classifier> model(double dropout = 0) const {
    return any_model(GetParam(), folder_.path(), dropout);
  }
  static std::unique_ptr<ClassifierLearner> learner(const Classifier& classifier,
                                                    LearnerOptions options = {}) {
    options.threads = 1;
    return torch_backend().learner(classifier, options);
  }
  static LabelledBatch batch_of(uint64_t seed) {
    LabelledBatch batch{random_copies(12, 10, seed), {}};
    for (int64_t i = 0; i < 12; ++i) batch.labels.push_back(i % 3);
    return batch;
  }
  // The trained weights of a classifier.
  static Weights trained(const Classifier& classifier) {
    Weights chosen;
    for (const TensorSpec& spec : classifier.config().kind().tensors(classifier.config()))
      if (spec.is_trained) chosen[spec.name] = classifier.weights().at(spec.name);
    return chosen;
  }
  static void run(ClassifierLearner& learner, int64_t from, int64_t to) {
    for (int64_t step = from; step < to; ++step)
      learner.step(batch_of(static_cast<uint64_t>(step)), step, 0.01);
  }

  TemporaryFolder folder_;
};

TEST_P(LearnerOf, BeginsWithTheClassifiersWeightsAndLeavesThemAlone) {
  const auto classifier = model();
  const Weights before = classifier->weights();
  const auto one = learner(*classifier);
  EXPECT_EQ(one->parameters(), trained(*classifier));
  run(*one, 0, 2);
  EXPECT_NE(one->parameters(), trained(*classifier));
  EXPECT_EQ(classifier->weights(), before);
}

TEST_P(LearnerOf, ReturnsTheMeanCrossEntropyBeforeTheStep) {
  const auto classifier = model();
  const LabelledBatch batch = batch_of(1);
  const std::vector<double> scores =
      torch_backend().reference_engine(*classifier, "cpu")->scores(batch.copies);
  double expected = 0;
  for (size_t i = 0; i < batch.labels.size(); ++i) {
    double total = 0;
    for (size_t c = 0; c < 3; ++c) total += std::exp(scores[3 * i + c]);
    expected += std::log(total) - scores[3 * i + static_cast<size_t>(batch.labels[i])];
  }
  expected /= static_cast<double>(batch.labels.size());
  EXPECT_NEAR(learner(*classifier)->step(batch, 0, 0.01), expected, 1e-5);
  EXPECT_NEAR(learner(*classifier, {.accumulate = 5})->step(batch, 0, 0.01), expected, 1e-5);
}

TEST_P(LearnerOf, StepsLowerTheLoss) {
  const auto classifier = model();
  const auto one = learner(*classifier);
  const double first = one->step(batch_of(1), 0, 0.01);
  for (int64_t step = 1; step < 40; ++step) one->step(batch_of(1), step, 0.01);
  EXPECT_LT(one->step(batch_of(1), 40, 0.01), 0.5 * first);
}

TEST_P(LearnerOf, AssignedAndRestoredGoesOnBitForBit) {
  const auto classifier = model(0.3);
  const LearnerOptions options = {.weight_decay = 0.1, .gradient_clip = 1};
  const auto whole = learner(*classifier, options), half = learner(*classifier, options);
  run(*whole, 0, 6);
  run(*half, 0, 3);
  const Weights parameters = half->parameters();
  Weights moments = half->moments();
  EXPECT_EQ(moments.size(), 2 * parameters.size());
  for (const auto& [name, tensor] : parameters) {
    EXPECT_EQ(moments.at("m." + name).shape, tensor.shape) << name;
    EXPECT_EQ(moments.at("v." + name).shape, tensor.shape) << name;
  }

  const auto rest = learner(*classifier, options), forgetful = learner(*classifier, options);
  rest->assign(parameters);
  moments["somebody else's"] = {{1}, {1}};
  rest->restore(moments, 3);
  moments.erase("somebody else's");
  EXPECT_EQ(rest->parameters(), parameters);
  EXPECT_EQ(rest->moments(), moments);
  run(*rest, 3, 6);
  EXPECT_EQ(rest->parameters(), whole->parameters());
  EXPECT_EQ(rest->moments(), whole->moments());

  forgetful->assign(parameters);
  run(*forgetful, 3, 6);
  EXPECT_NE(forgetful->parameters(), whole->parameters());
}

TEST_P(LearnerOf, TheNumberOfStepsIsPartOfTheState) {
  const auto classifier = model();
  const auto one = learner(*classifier), other = learner(*classifier);
  run(*one, 0, 2);
  for (const auto& [steps, same] : {std::pair(2, true), std::pair(50, false)}) {
    other->assign(one->parameters());
    other->restore(one->moments(), steps);
    const auto twin = learner(*classifier);
    twin->assign(one->parameters());
    twin->restore(one->moments(), 2);
    run(*twin, 2, 3);
    run(*other, 2, 3);
    EXPECT_EQ(other->parameters() == twin->parameters(), same) << steps;
  }
}

TEST_P(LearnerOf, RefusesParametersOfAnotherShape) {
  const auto classifier = model();
  const auto one = learner(*classifier);
  Weights parameters = one->parameters(), moments = one->moments();
  parameters["head.bias"] = {{4}, {0, 0, 0, 0}};
  EXPECT_THROW(one->assign(parameters), std::logic_error);
  parameters["head.bias"] = {{3}, {0, 0}};
  EXPECT_THROW(one->assign(parameters), std::logic_error);
  parameters.erase("head.bias");
  EXPECT_THROW(one->assign(parameters), std::logic_error);
  moments.erase("v.head.bias");
  EXPECT_THROW(one->restore(moments, 1), std::logic_error);
}

// Nothing of such a step is left: not in the parameters, the moments or the gradients.
TEST_P(LearnerOf, ALossThatIsNotFiniteChangesNothing) {
  const auto classifier = model();
  const auto one = learner(*classifier, {.gradient_clip = 1}),
             other = learner(*classifier, {.gradient_clip = 1});
  run(*one, 0, 2);
  run(*other, 0, 2);
  const Weights good = one->parameters(), moments = one->moments();
  for (const float bad : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::max(),
                          -std::numeric_limits<float>::max()}) {
    Weights wrong = good;
    wrong["head.weight"].values[1] = bad;
    wrong["head.bias"].values = {bad, 0, -bad};
    one->assign(wrong);
    EXPECT_FALSE(std::isfinite(one->step(batch_of(7), 2, 0.01))) << bad;
    EXPECT_EQ(one->parameters(), wrong);
    EXPECT_EQ(one->moments(), moments);
  }
  one->assign(good);
  run(*one, 2, 4);
  run(*other, 2, 4);
  EXPECT_EQ(one->parameters(), other->parameters());
}

TEST_P(LearnerOf, DropoutDependsOnTheSeedAndTheStepAlone) {
  const auto classifier = model(0.4);
  const auto one = learner(*classifier, {.seed = 3});
  const auto loss = [&](int64_t step) { return one->step(batch_of(1), step, 0); };
  const double fifth = loss(5), sixth = loss(6);
  EXPECT_NE(fifth, sixth);
  EXPECT_EQ(loss(5), fifth);
  EXPECT_EQ(learner(*classifier, {.seed = 3})->step(batch_of(1), 6, 0), sixth);
  EXPECT_NE(learner(*classifier, {.seed = 4})->step(batch_of(1), 6, 0), sixth);
}

TEST_P(LearnerOf, ItsEngineIsTheModelAsItIsNow) {
  const auto classifier = model();
  const auto one = learner(*classifier);
  const CopyBatch batch = random_copies(40, 10, 9);
  const auto engine = one->engine({.threads = 1});
  EXPECT_EQ(engine->name(), "reference");
  const std::vector<double> before = engine->scores(batch);
  EXPECT_EQ(before, torch_backend().reference_engine(*classifier, "cpu")->scores(batch));
  run(*one, 0, 3);
  const std::vector<double> after = one->engine({.threads = 1})->scores(batch);
  EXPECT_NE(after, before);
  classifier->assign(one->parameters());
  EXPECT_EQ(torch_backend().reference_engine(*classifier, "cpu")->scores(batch), after);
}

TEST_P(LearnerOf, WeightDecayAndClippingAreThoseOfTheOptions) {
  const auto classifier = model();
  const auto norm = [](const Weights& moments) {
    double square = 0;
    for (const auto& [name, tensor] : moments)
      if (name.starts_with("m."))
        for (const float x : tensor.values)
          square += 100.0 * x * x;  // m is a tenth of the gradient
    return std::sqrt(square);
  };
  const auto free = learner(*classifier), clipped = learner(*classifier, {.gradient_clip = 0.01}),
             decayed = learner(*classifier, {.weight_decay = 0.5});
  for (ClassifierLearner* one : {free.get(), clipped.get(), decayed.get()}) run(*one, 0, 1);
  EXPECT_GT(norm(free->moments()), 0.02);
  EXPECT_NEAR(norm(clipped->moments()), 0.01, 1e-4);
  const Weights plain = free->parameters(), smaller = decayed->parameters();
  const Weights before = trained(*classifier);
  for (const auto& [name, tensor] : plain)
    for (size_t i = 0; i < tensor.values.size(); ++i) {
      const float decay = tensor.shape.size() > 1 ? 0.01f * 0.5f * before.at(name).values[i] : 0;
      EXPECT_NEAR(smaller.at(name).values[i], tensor.values[i] - decay, 1e-6) << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Architectures, LearnerOf, testing::ValuesIn(learnt_architectures()),
                         [](const auto& architecture) { return architecture.param; });

TEST(FreezeLayers, LeavesTheFirstOnesAsTheyAre) {
  const TemporaryFolder folder;
  const auto classifier = any_model("bert", folder.path());
  const auto one = torch_backend().learner(*classifier, {.threads = 1, .freeze_layers = 1});
  LabelledBatch batch{random_copies(6, 10, 1), {0, 1, 2, 0, 1, 2}};
  one->step(batch, 0, 0.01);
  for (const TensorSpec& spec : bert_tensors(classifier->config()))
    EXPECT_EQ(one->parameters().contains(spec.name),
              spec.is_trained && !spec.name.starts_with("encoder.layer.0."))
        << spec.name;
  const Weights before = classifier->weights();
  classifier->assign(one->parameters());
  EXPECT_EQ(torch_backend().reference_engine(*classifier, "cpu")->scores(batch.copies),
            one->engine({})->scores(batch.copies));
  for (const auto& [name, tensor] : classifier->weights())
    if (name.starts_with("encoder.layer.0.")) EXPECT_EQ(tensor, before.at(name)) << name;
}

TEST(FreezeLayers, MoreThanThereAreIsAUsageError) {
  const TemporaryFolder folder;
  const auto refusal = [&](const std::string& architecture, int layers) {
    const auto classifier = any_model(architecture, folder.path());
    return expect_error(ErrorKind::kUsage, [&] {
      torch_backend().learner(*classifier, {.threads = 1, .freeze_layers = layers});
    });
  };
  EXPECT_NE(refusal("bert", 3).find("3 layers are to be frozen, the bert has 2"),
            std::string::npos);
  refusal("bilstm", 1);
  refusal("cnn", 1);
}

}  // namespace
}  // namespace textcrs
