// Every architecture of the table is whole: a graph in LibTorch, an engine of its own, a folder.
#include <gtest/gtest.h>

#include <cmath>

#include "any_model.h"
#include "text/temporary_folder.h"
#include "textcrs/model/architecture.h"
#include "textcrs/torch/backend.h"
#include "torch/network.h"

namespace textcrs {
namespace {

class EveryArchitecture : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Classifier> model() const { return any_model(GetParam(), folder_.path()); }

  TemporaryFolder folder_;
};

TEST_P(EveryArchitecture, HasAGraphOfItsTensors) {
  const auto classifier = model();
  const auto network = make_network(*classifier, at::kCPU);
  EXPECT_EQ(network->config().architecture, GetParam());
  Weights all = to_plain(network->parameters());
  for (const auto& [name, tensor] : all)
    EXPECT_TRUE(network->parameters().at(name).requires_grad()) << name;
  all.merge(to_plain(network->frozen()));
  all[classifier->config().kind().embedding] = to_plain(network->vectors());
  EXPECT_EQ(all, classifier->weights());
  for (const TensorSpec& spec : classifier->config().kind().tensors(classifier->config()))
    EXPECT_EQ(network->parameters().contains(spec.name), spec.is_trained) << spec.name;
}

// The graph's parameters are its own, so that a learner leaves the classifier alone.
TEST_P(EveryArchitecture, TheGraphLeavesTheClassifierAlone) {
  const auto classifier = model();
  const Weights before = classifier->weights();
  const auto network = make_network(*classifier, at::kCPU);
  for (const auto& [name, parameter] : network->parameters())
    network->assign(name, parameter.detach() + 1);
  EXPECT_EQ(classifier->weights(), before);
  EXPECT_THROW(network->assign("head.bias", at::zeros({4})), std::logic_error);
}

TEST_P(EveryArchitecture, HasACpuEngineThatAgreesWithTheGraph) {
  const auto classifier = model();
  const auto reference = torch_backend().reference_engine(*classifier, "cpu");
  const auto own = make_cpu_engine(*classifier, {.precision = Precision::kFp32});
  const CopyBatch batch = random_copies(200, 15, 3);
  const std::vector<double> expected = reference->scores(batch), found = own->scores(batch);
  ASSERT_EQ(found.size(), 600u);
  ASSERT_EQ(expected.size(), 600u);
  double spread = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    EXPECT_NEAR(found[i], expected[i], 1e-4) << i;
    spread = std::max(spread, std::abs(expected[i] - expected[i % 3]));
  }
  EXPECT_GT(spread, 0.01);  // the text matters
  EXPECT_EQ(own->classify(batch), reference->classify(batch));
}

// Noise may delete every word, and a text may have none to begin with.
TEST_P(EveryArchitecture, ReadsEmptyCopiesAlone) {
  const auto classifier = model();
  const auto reference = torch_backend().reference_engine(*classifier, "cpu");
  const auto own = make_cpu_engine(*classifier, {.precision = Precision::kFp32});
  const auto half = make_cpu_engine(*classifier, {.precision = Precision::kBf16});
  CopyBatch batch;
  batch.copies.resize(3);
  const std::vector<double> expected = reference->scores(batch), found = own->scores(batch);
  ASSERT_EQ(expected.size(), 9u);
  ASSERT_EQ(found.size(), 9u);
  for (size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-4) << i;
  const auto noise = make_noise("universal:p=0.5");
  for (const Engine* engine : {reference.get(), own.get(), half.get()}) {
    const std::vector<int> answers = engine->classify(batch);
    EXPECT_EQ(answers, std::vector<int>(3, answers[0])) << engine->name();
    std::vector<int64_t> votes(3);
    votes[static_cast<size_t>(answers[0])] = 300;
    EXPECT_EQ(engine->votes(Text(), *noise, {.begin = 0, .end = 300}), votes) << engine->name();
    EXPECT_TRUE(engine->classify({}).empty()) << engine->name();
  }
}

TEST_P(EveryArchitecture, SavedAndLoadedIsTheSame) {
  const auto saved = model();
  saved->save(folder_.path() / "model");
  const auto loaded = Classifier::load(folder_.path() / "model");
  EXPECT_EQ(loaded->weights(), saved->weights());
  EXPECT_EQ(loaded->fingerprint(), saved->fingerprint());
  const CopyBatch batch = random_copies(50, 15, 4);
  EXPECT_EQ(torch_backend().reference_engine(*loaded, "cpu")->scores(batch),
            torch_backend().reference_engine(*saved, "cpu")->scores(batch));
  EXPECT_EQ(make_cpu_engine(*loaded)->scores(batch), make_cpu_engine(*saved)->scores(batch));
}

INSTANTIATE_TEST_SUITE_P(Table, EveryArchitecture, testing::ValuesIn(architecture_names()),
                         [](const auto& architecture) { return architecture.param; });

}  // namespace
}  // namespace textcrs
