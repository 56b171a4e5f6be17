// A model that learns: what it begins with, what a step changes, and that it can be put back.
#include <gtest/gtest.h>

#include <cmath>

#include "model/expect_error.h"
#include "model/small_model.h"
#include "model/tiny_bert.h"
#include "text/temporary_folder.h"
#include "textcrs/torch/backend.h"

namespace textcrs {
namespace {

class ClassifierLearners : public testing::TestWithParam<std::string> {  // the architecture
 protected:
  ClassifierLearners() : classifier_(make()) {
    const auto words = static_cast<uint32_t>(classifier_->vocabulary().size());
    for (uint32_t i = 0; i < 16; ++i) {
      Stream stream(3, i, 0);
      Words copy(stream.below(10));
      for (WordId& word : copy) word = static_cast<WordId>(stream.below(words));
      batch_.copies.copies.push_back(std::move(copy));
      batch_.labels.push_back(stream.below(2));
    }
  }
  std::unique_ptr<Classifier> make() const {
    if (GetParam() == "bert") return TinyBert().classifier({"good", "bad", "film", "films"});
    return small_classifier(folder_.path(), small_config(GetParam()));
  }
  std::unique_ptr<ClassifierLearner> learner(const Classifier& classifier) const {
    return torch_backend().learner(
        classifier, {.threads = 1, .seed = 4, .weight_decay = 0.01, .gradient_clip = 1});
  }
  double step(ClassifierLearner& learner, int64_t number) const {
    return learner.step(batch_, number, 3e-3);
  }

  TemporaryFolder folder_;
  std::unique_ptr<Classifier> classifier_;
  LabelledBatch batch_;
};

TEST_P(ClassifierLearners, BeginWithTheWeightsAndLeaveTheClassifierAlone) {
  const Weights before = classifier_->weights();
  const auto one = learner(*classifier_);
  const Weights first = one->parameters();
  for (const auto& [name, tensor] : first) EXPECT_EQ(tensor, before.at(name)) << name;
  const double loss = step(*one, 0);
  for (int64_t number = 1; number < 40; ++number) step(*one, number);
  EXPECT_LT(step(*one, 40), loss);
  EXPECT_TRUE(classifier_->weights() == before);
  for (const auto& [name, tensor] : one->parameters()) EXPECT_NE(tensor, first.at(name)) << name;
}

// What inference keeps ready is made of the parameters as they are now.
TEST_P(ClassifierLearners, InferenceFollowsEveryStep) {
  const auto one = learner(*classifier_);
  std::vector<double> last = one->engine({.threads = 1})->scores(batch_.copies);
  const auto now = make();
  for (int64_t number = 0; number < 18; ++number) {
    step(*one, number);
    now->assign(one->parameters());
    const auto scores = one->engine({.threads = 1})->scores(batch_.copies);
    EXPECT_NE(scores, last);
    ASSERT_EQ(scores,
              torch_backend().reference_engine(*now, "cpu", {.threads = 1})->scores(batch_.copies))
        << number;
    last = scores;
  }
  // And if they were put back.
  now->assign(learner(*classifier_)->parameters());
  one->assign(now->weights());
  EXPECT_EQ(one->engine({.threads = 1})->scores(batch_.copies),
            torch_backend().reference_engine(*now, "cpu", {.threads = 1})->scores(batch_.copies));
}

TEST_P(ClassifierLearners, PutBackGoOnAsTheyWould) {
  const auto one = learner(*classifier_);
  for (int64_t number = 0; number < 4; ++number) step(*one, number);
  const Weights parameters = one->parameters(), moments = one->moments();
  EXPECT_EQ(moments.size(), 2 * parameters.size());
  for (const auto& [name, tensor] : parameters)
    for (const char* kind : {"m.", "v."}) EXPECT_EQ(moments.at(kind + name).shape, tensor.shape);
  const auto other = learner(*classifier_);
  step(*other, 0);
  other->assign(parameters);
  other->restore(moments, 4);
  for (int64_t number = 4; number < 8; ++number)
    EXPECT_EQ(step(*other, number), step(*one, number));
  EXPECT_TRUE(other->parameters() == one->parameters());
  EXPECT_TRUE(other->moments() == one->moments());
}

TEST_P(ClassifierLearners, ALossThatIsNotFiniteLeavesNoTrace) {
  const auto one = learner(*classifier_), other = learner(*classifier_);
  step(*one, 0);
  step(*other, 0);
  const Weights parameters = one->parameters(), moments = one->moments();
  Weights broken = parameters;
  broken.at("head.bias").values[0] = NAN;
  one->assign(broken);
  EXPECT_FALSE(std::isfinite(step(*one, 1)));
  EXPECT_TRUE(one->moments() == moments);
  one->assign(parameters);
  EXPECT_EQ(step(*one, 1), step(*other, 1));
  EXPECT_TRUE(one->parameters() == other->parameters());
}

TEST_P(ClassifierLearners, RefuseLayersAndDevicesThatAreNotThere) {
  expect_error(ErrorKind::kUsage,
               [&] { torch_backend().learner(*classifier_, {.freeze_layers = 3}); });
  expect_error(ErrorKind::kUsage,
               [&] { torch_backend().learner(*classifier_, {.device = "abacus"}); });
}

INSTANTIATE_TEST_SUITE_P(Models, ClassifierLearners, testing::Values("bilstm", "cnn", "bert"));

}  // namespace
}  // namespace textcrs
