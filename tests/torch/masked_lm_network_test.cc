// The graph of the masked language model: its head in exact arithmetic, and its gradients.
#include "torch/masked_lm_network.h"

#include <gtest/gtest.h>

#include <cmath>

#include "masked_lm_folder.h"

namespace textcrs {
namespace {

using MaskedLmGraph = MaskedLmFolder;

// gelu(x W^T + b), normalized, times the vectors of the pieces.
std::vector<double> head_by_hand(const FloatTensor& state, const Weights& head,
                                 const FloatTensor& table) {
  const auto width = static_cast<size_t>(table.shape[1]);
  const auto values = [](const FloatTensor& tensor) {
    return std::vector<double>(tensor.values.begin(), tensor.values.end());
  };
  const auto x = values(state), w = values(head.at(kDense + ".weight")),
             b = values(head.at(kDense + ".bias")), gain = values(head.at(kNorm + ".weight")),
             shift = values(head.at(kNorm + ".bias")), bias = values(head.at(kBias)),
             rows = values(table);
  std::vector<double> inner(width);
  double mean = 0, variance = 0;
  for (size_t i = 0; i < width; ++i) {
    double sum = b[i];
    for (size_t j = 0; j < width; ++j) sum += w[i * width + j] * x[j];
    inner[i] = sum * (1 + std::erf(sum / std::sqrt(2.0))) / 2;
    mean += inner[i] / static_cast<double>(width);
  }
  for (const double y : inner) variance += (y - mean) * (y - mean) / static_cast<double>(width);
  std::vector<double> all = bias;
  for (size_t piece = 0; piece < all.size(); ++piece)
    for (size_t i = 0; i < width; ++i)
      all[piece] += rows[piece * width + i] *
                    ((inner[i] - mean) / std::sqrt(variance + 1e-12) * gain[i] + shift[i]);
  return all;
}

TEST_F(MaskedLmGraph, ScoresAreTheHeadOnTheStatesOfTheEncoder) {
  const auto model = network(write("", head()));
  const at::Tensor found = scores(*model);
  ASSERT_EQ(found.sizes().vec(), (std::vector<int64_t>{3, model->wordpiece().size()}));

  const Weights encoder = tiny_.tensors();
  const TensorOf tensor_of = [&](const std::string& name) { return to_tensor(encoder.at(name)); };
  const PackedRows packed = make_packed_rows(kRows.starts, kRows.longest, at::kCPU);
  const at::Tensor table = tensor_of(kPieceEmbedding);
  const at::Tensor states =
      run_bert(embed_rows(table.index_select(0, at::tensor(kRows.pieces, at::kInt)), packed,
                          tensor_of, 1e-12, at::kFloat),
               packed, make_bert_layers(tiny_.config(), tensor_of, at::kFloat), tiny_.config().bert,
               false, nullptr);
  for (size_t m = 0; m < kRows.places.size(); ++m) {
    const auto expected =
        head_by_hand(to_plain(states[kRows.places[m]]), head(), encoder.at(kPieceEmbedding));
    for (size_t piece = 0; piece < expected.size(); ++piece)
      EXPECT_NEAR(found[static_cast<int64_t>(m)][static_cast<int64_t>(piece)].item<double>(),
                  expected[piece], 1e-4 * (1 + std::abs(expected[piece])));
  }
}

TEST_F(MaskedLmGraph, ASequenceDoesNotSeeItsNeighbours) {
  const auto model = network(write("", head()));
  const MaskedRows alone = {
      .pieces = {2, 60, 4, 4, 61, 3}, .starts = {0, 6}, .longest = 6, .places = {2, 4}};
  EXPECT_TRUE(at::allclose(scores(*model).narrow(0, 1, 2), scores(*model, alone), 1e-4, 1e-4));
}

// The tied table has two ways into the loss: the pieces that are read and the scores.
TEST_F(MaskedLmGraph, TheGradientOfTheTableIsThatOfBothItsUses) {
  const auto model = network(write("", head()));
  const at::Tensor targets = at::tensor(std::vector<int64_t>{59, 58, 7}, at::kLong);
  const auto loss = [&] { return at::cross_entropy_loss(model->scores(kRows, nullptr), targets); };
  loss().backward();
  const at::Tensor gradient = model->parameters().at(kPieceEmbedding).grad().clone();
  const at::Tensor table = model->parameters().at(kPieceEmbedding).detach().clone();
  const auto slope = [&](int64_t piece, int64_t column) {
    const at::NoGradGuard no_grad;
    constexpr double kStep = 4e-3;
    double difference = 0;
    for (const double sign : {1.0, -1.0}) {
      at::Tensor moved = table.clone();
      moved[piece][column] += sign * kStep;
      assign(*model, kPieceEmbedding, moved);
      difference += sign * loss().item<double>();
    }
    return difference / (2 * kStep);
  };
  // Read and scored, [MASK], a target that is not read, neither.
  for (const int64_t piece : {57, 4, 59, 30})
    for (const int64_t column : {0, 5, 11}) {
      const double expected = slope(piece, column);
      EXPECT_NEAR(gradient[piece][column].item<double>(), expected,
                  2e-3 + 0.02 * std::abs(expected))
          << piece << " " << column;
    }
  for (const auto& [name, parameter] : model->parameters())
    EXPECT_TRUE(parameter.grad().defined()) << name;
}

TEST_F(MaskedLmGraph, ScoresFollowItsParameters) {
  const auto model = network(write("", head()));
  for (const auto& [name, parameter] : model->parameters()) {
    const at::Tensor before = scores(*model).clone(), values = parameter.detach().clone();
    assign(*model, name, values.flip(0) + 0.1);
    // A key's bias shifts all scores of a query alike, which the softmax takes back.
    if (!name.ends_with("key.bias")) EXPECT_FALSE(at::equal(scores(*model), before)) << name;
    assign(*model, name, values);
    EXPECT_TRUE(at::equal(scores(*model), before)) << name;
  }
}

}  // namespace
}  // namespace textcrs
