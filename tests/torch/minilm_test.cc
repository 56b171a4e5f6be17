// A published BERT gives the numbers that are published of it. Skipped where it was not fetched.
#include <gtest/gtest.h>

#include <cmath>

#include "model/pretrained_bert.h"
#include "model/tensors.h"
#include "textcrs/base/error.h"
#include "textcrs/data/catalogue.h"
#include "torch/bert.h"

namespace textcrs {
namespace {

bool is_there() {
  try {
    return is_fetched(find_asset("minilm"));
  } catch (const Error&) {  // no home folder
    return false;
  }
}

// Sentences as vectors: the mean of all last states, [CLS] and [SEP] included, at length 1.
class SentenceVectors {
 public:
  SentenceVectors() : source_(asset_main_file(find_asset("minilm")), 1) {
    source_.describe(config_);
    vectors_ = to_tensor(source_.vectors());
    for (const auto& list : {bert_embedding_tensors(config_), bert_encoder_tensors(config_)})
      for (const TensorSpec& one : list) tensors_[one.name] = to_tensor(source_.tensor(one));
  }

  at::Tensor operator()(const std::string& text) const {
    const at::NoGradGuard no_grad;
    const std::vector<int32_t> pieces = source_.wordpiece()->encode(text);
    const auto count = static_cast<int32_t>(pieces.size());
    const PackedRows packed = make_packed_rows({0, count}, count, at::kCPU);
    const TensorOf tensor_of = [this](const std::string& name) { return tensors_.at(name); };
    const at::Tensor states = run_bert(
        embed_rows(vectors_.index_select(0, at::tensor(pieces, at::kInt)), packed, tensor_of,
                   config_.bert.epsilon, at::kFloat),
        packed, make_bert_layers(config_, tensor_of, at::kFloat), config_.bert, false, nullptr);
    const at::Tensor mean = states.mean(0);
    return mean / mean.norm();
  }

 private:
  PretrainedBert source_;
  ModelConfig config_;
  at::Tensor vectors_;
  TensorMap tensors_;
};

void expect_begins(const at::Tensor& vector, const std::vector<double>& values) {
  for (size_t d = 0; d < values.size(); ++d)
    EXPECT_NEAR(vector[static_cast<int64_t>(d)].item<double>(), values[d], 1e-3) << d;
}

TEST(MiniLm, HasThePublishedVectorsAndAngles) {
  if (!is_there()) GTEST_SKIP() << "run: textcrs data fetch minilm";
  const SentenceVectors vector_of;
  // What the examples of the model's card (sentence-transformers/all-MiniLM-L6-v2) print.
  expect_begins(vector_of("This is an example sentence"), {0.0677, 0.0635, 0.0487});
  expect_begins(vector_of("Each sentence is converted"), {0.0864, 0.1027, 0.0054});

  const auto cosine = [&](const std::string& a, const std::string& b) {
    return vector_of(a).dot(vector_of(b)).item<double>();
  };
  EXPECT_GT(cosine("A man is eating food.", "A man is eating a piece of bread."), 0.7);
  EXPECT_GT(cosine("The film was wonderful.", "The movie was great."), 0.7);
  EXPECT_LT(cosine("A man is eating food.", "The stock market fell sharply today."), 0.15);
  EXPECT_LT(cosine("The film was wonderful.", "How do I change a flat tire?"), 0.15);
}

}  // namespace
}  // namespace textcrs
