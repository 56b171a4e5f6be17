// A window's bounds are the sums of its words' own; the rectifier and the maximum are monotone.
#include <algorithm>

#include "kernels/cnn.h"
#include "torch/batch_boxes.h"
#include "torch/interval_bounds.h"
#include "torch/window_maxima.h"

namespace textcrs {
namespace {

constexpr int kGap = kCnnWidths.back() - 1;

const at::Tensor& part_of(const Network& network, int width, const char* part) {
  return network.parameters().at("conv" + std::to_string(width) + "." + part);
}

// What a word adds to the filters by its place in the window; the first word brings the bias.
struct FirstLayer {
  at::Tensor weight, bias;  // (12 F, D), (12 F)

  explicit FirstLayer(const Network& network) {
    std::vector<at::Tensor> weights, biases;
    for (const int width : kCnnWidths) {
      const at::Tensor& filters = part_of(network, width, "weight");  // (F, D, width)
      for (int place = 0; place < width; ++place) weights.push_back(filters.select(2, place));
      biases.push_back(part_of(network, width, "bias"));
      biases.push_back(at::zeros({(width - 1) * filters.size(0)}, filters.options()));
    }
    weight = at::cat(weights, 0);
    bias = at::cat(biases, 0);
  }
};

// The features of one side of the boxes (U, 12 F).
at::Tensor pooled(const at::Tensor& side, const at::Tensor& rows,
                  const std::vector<int64_t>& lengths) {
  const std::vector<at::Tensor> places = side.split(side.size(1) / kCnnOffsets, 1);
  std::vector<at::Tensor> features;
  size_t first = 0;
  for (const int width : kCnnWidths) {
    const int64_t windows = rows.size(0) - width + 1;
    at::Tensor sum;
    for (int place = 0; place < width; ++place) {
      const at::Tensor part = places[first + static_cast<size_t>(place)].index_select(
          0, rows.narrow(0, place, windows));
      sum = sum.defined() ? sum + part : part;
    }
    features.push_back(at::relu(window_maxima(sum, lengths, width, kGap)));
    first += static_cast<size_t>(width);
  }
  return at::cat(features, 1);
}

}  // namespace

FeatureBounds cnn_bounds(const Network& network, const SynonymTable& synonyms,
                         const CopyView& copies, double scale) {
  // As line_up_copies() has them.
  std::vector<int64_t> lengths, words;
  for (const auto& copy : copies.copies) {
    const size_t seen = std::min(copy.size(), static_cast<size_t>(network.config().slots));
    words.insert(words.end(), copy.begin(), copy.begin() + static_cast<ptrdiff_t>(seen));
    if (seen == 0) words.push_back(kPad);
    lengths.push_back(static_cast<int64_t>(std::max<size_t>(seen, 1)));
    words.insert(words.end(), kGap, kPad);
  }
  const FirstLayer layer(network);
  const BatchBoxes boxes =
      batch_boxes(words, synonyms, network.vectors(), layer.weight, layer.bias, scale);
  const at::Tensor rows = boxes.rows(words);
  return {pooled(boxes.low, rows, lengths), pooled(boxes.high, rows, lengths)};
}

}  // namespace textcrs
