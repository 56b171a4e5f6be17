// The cuda engine beside the cpu engine, and what its answers depend on.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <thread>

#include "card.h"
#include "engine/draw_copies.h"
#include "model/small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/engine/cuda_backend.h"

namespace textcrs {
namespace {

using Votes = std::vector<int64_t>;

struct Kind {
  std::string name, architecture;
  int hidden;
  VoteShape votes = {};
  bool noise_mean = false;
  int reconstruction = 0;
};

const std::vector<Kind> kKinds = {
    {"bilstm", "bilstm", 37},
    {"bilstm150", "bilstm", 150},
    {"bilstm200", "bilstm", 200},
    {"cnn", "cnn", 37},
    {"cnn300", "cnn", 300},
    {"bilstm_mean", "bilstm", 37, {}, true},
    {"bilstm_map", "bilstm", 37, {}, true, 5},  // fewer units than dimensions: not the identity
    {"bilstm_wide_map", "bilstm", 150, {}, false, 700},
    {"cnn_map", "cnn", 37, {}, true, 5},
    {"linear", "linear", 9},
    {"presence", "linear", 9, {.presence = true}},
    {"windows", "linear", 9, {.windows = 3, .window_rows = 50}},
};

Words words_of(size_t count) {
  Words text;
  for (size_t i = 0; i < count; ++i) text.push_back(static_cast<WordId>(3 + i * 7 % 20));
  return text;
}

class CudaEngine : public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    SKIP_WITHOUT_A_CARD();
    ModelConfig config = small_config(GetParam().architecture);
    config.hidden = GetParam().hidden;
    config.votes = GetParam().votes;
    config.noise_mean = GetParam().noise_mean;
    config.reconstruction = GetParam().reconstruction;
    classifier_ = small_classifier(folder_.path(), config, 2);
    balance();
    cpu_ = make_cpu_engine(*classifier_);
  }

  // With a head that answers each class about as often.
  void balance() {
    const TextSamples samples{text_, {1, 0, 0, 200}};
    CopyBatch batch;
    SampleList({&samples, 1}, *noise("universal:p=0.3")).draw(0, 200, batch);
    const auto scores = make_cpu_engine(*classifier_)->scores(batch);
    const std::string name = GetParam().architecture == "linear" ? "bias" : "head.bias";
    FloatTensor bias = classifier_->weights().at(name);
    std::vector<double> means(3);
    for (size_t i = 0; i < scores.size(); ++i) means[i % 3] += scores[i] / 200;
    const double most = *std::max_element(means.begin(), means.end());
    for (size_t c = 0; c < 3; ++c)  // whole numbers where they have to be, and none below 0
      bias.values[c] +=
          static_cast<float>(name == "bias" ? std::floor(most - means[c]) : -means[c]);
    classifier_->assign({{name, bias}});
  }

  std::unique_ptr<Noise> noise(const std::string& spec) const {
    return make_noise(spec, {&classifier_->vocabulary(), nullptr, classifier_->config().slots});
  }
  std::vector<std::string> specs() const {
    std::vector<std::string> list = {"none", "universal:p=0.3", "reorder:full", "mask:p=0.5"};
    list.push_back("adapt:keep=3");
    if (GetParam().architecture != "linear") {
      list.push_back("insert:sigma=0.5");
      list.push_back("gaussian:sigma=0.5");
    }
    return list;
  }
  std::unique_ptr<Engine> engine(int batch_size = 0) const {
    return cuda_backend().engine(*classifier_, {.batch_size = batch_size});
  }

  const Words text_ = words_of(11);
  TemporaryFolder folder_;
  std::unique_ptr<Classifier> classifier_;
  std::unique_ptr<Engine> cpu_;
};

// Copies without words, of one, and longer than the model's twelve slots.
CopyBatch odd_copies(double sigma) {
  CopyBatch batch = random_copies(500, 30, 3);
  batch.sigma = sigma;
  for (uint32_t i = 0; i < 500 && sigma > 0; ++i) batch.gaussians.emplace_back(4, 5, i, 1);
  return batch;
}

TEST_P(CudaEngine, ScoresAreTheCpusUpToRounding) {
  const bool exact = GetParam().architecture == "linear";
  for (const double sigma : {0.0, 0.5}) {
    if (sigma > 0 && exact) continue;
    const CopyBatch batch = odd_copies(sigma);
    const auto found = engine()->scores(batch), expected = cpu_->scores(batch);
    ASSERT_EQ(found.size(), expected.size());
    const auto [least, most] = std::minmax_element(expected.begin(), expected.end());
    for (size_t i = 0; i < found.size(); ++i)
      EXPECT_NEAR(found[i], expected[i], exact ? 0 : 0.01 * (*most - *least)) << sigma << " " << i;
  }
}

// Near ties apart, which are counted.
TEST_P(CudaEngine, ClassesAreTheCpus) {
  for (const std::string& spec : specs()) {
    const TextSamples samples{text_, {5, 2, 60, 2060}};
    CopyBatch batch;
    SampleList({&samples, 1}, *noise(spec)).draw(0, 2000, batch);
    const auto found = engine()->classify(batch), expected = cpu_->classify(batch);
    int differ = 0;
    for (size_t i = 0; i < found.size(); ++i) differ += found[i] != expected[i];
    EXPECT_LE(differ, GetParam().architecture == "linear" ? 0 : 20) << spec;
    RecordProperty(spec, differ);
  }
}

TEST_P(CudaEngine, VotesAreTheClassesOfTheSamples) {
  for (const std::string& spec : specs()) {
    const auto drawn = noise(spec);
    const TextSamples samples{text_, {5, 2, 60, 1060}};
    CopyBatch batch;
    SampleList({&samples, 1}, *drawn).draw(0, 1000, batch);
    const auto one = engine();
    Votes expected(3);
    for (const int answer : one->classify(batch)) ++expected[static_cast<size_t>(answer)];
    EXPECT_EQ(one->votes(text_, *drawn, samples.range), expected) << spec;
  }
}

TEST_P(CudaEngine, SaysWhatItsLastBitsDependOn) {
  EXPECT_EQ(engine()->name(), "cuda bf16 sm" + std::to_string(gpu_properties().capability));
  EXPECT_FALSE(engine()->votes_depend_on_batch());
}

TEST_P(CudaEngine, ACopysScoresAreItsOwn) {
  for (const double sigma : {0.0, 0.5}) {
    if (sigma > 0 && GetParam().architecture == "linear") continue;
    const CopyBatch batch = odd_copies(sigma);
    const auto expected = engine()->scores(batch);
    for (const int size : {1, 7, 64, 333}) EXPECT_EQ(engine(size)->scores(batch), expected) << size;
    CopyBatch one = {.copies = {batch.copies[77]}, .sigma = sigma};
    if (sigma > 0) one.gaussians = {batch.gaussians[77]};
    const auto alone = engine()->scores(one);
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), expected.begin() + 77 * 3));
  }
}

TEST_P(CudaEngine, VotesDependOnTheSamplesAlone) {
  const std::vector<Words> texts = {text_, {}, words_of(1), words_of(30)};
  const std::vector<TextSamples> samples = {
      {texts[0], {5, 2, 0, 300}},   {texts[1], {5, 3, 0, 40}},
      {texts[2], {6, 2, 70, 70}},  // none
      {texts[2], {5, 4, 100, 331}}, {texts[3], {5, 2, 0, 129}},
      {texts[0], {5, 2, 17, 18}},   {texts[0], {5, 2, 0, 300, 104, 105}}};
  for (const std::string& spec : specs()) {
    const auto drawn = noise(spec);
    const auto whole = engine();
    std::vector<Votes> expected;
    for (const auto& [text, range] : samples) expected.push_back(whole->votes(text, *drawn, range));
    for (const int size : {0, 1, 50, 10000})
      EXPECT_EQ(engine(size)->votes(samples, *drawn), expected) << spec << " " << size;
    // From many threads at once.
    std::vector<Votes> found(samples.size());
    std::vector<std::thread> threads;
    for (size_t i = 0; i < samples.size(); ++i)
      threads.emplace_back(
          [&, i] { found[i] = whole->votes(samples[i].text, *drawn, samples[i].range); });
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(found, expected) << spec;
  }
}

// A noise of a user's own, which the card can not draw.
TEST_P(CudaEngine, RunsCopiesThatAreDrawnOnTheHost) {
  class Unplanned final : public Noise {
   public:
    explicit Unplanned(const Noise& noise) : noise_(noise) {}
    std::string spec() const override { return noise_.spec(); }
    void sample(Text text, Stream& stream, Words& out) const override {
      noise_.sample(text, stream, out);
    }
    Law law(Text text) const override { return noise_.law(text); }

   private:
    const Noise& noise_;
  };
  const auto drawn = noise("universal:p=0.3");
  const auto one = engine(100);
  EXPECT_EQ(one->votes(text_, Unplanned(*drawn), {5, 2, 7, 1000}),
            one->votes(text_, *drawn, {5, 2, 7, 1000}));
}

INSTANTIATE_TEST_SUITE_P(Architectures, CudaEngine, ::testing::ValuesIn(kKinds),
                         [](const auto& kind) { return kind.param.name; });

}  // namespace
}  // namespace textcrs
