// Kim's convolutional network: filters over windows of 3, 4 and 5 words, the maximum of each over
// the text, a linear head.
#include "kernels/cnn.h"

#include <algorithm>

#include "torch/network.h"

namespace textcrs {
namespace {

std::string filter_name(int width, const char* part) {
  return "conv" + std::to_string(width) + "." + part;
}

class Cnn : public Network {
 public:
  using Network::Network;

  at::Tensor forward(const CopyView& batch, const TrainingStep* training) const override {
    const LinedUpCopies copies =
        line_up_copies(batch, config().slots, kGap, vectors(), training, config().input_dropout);
    std::vector<at::Tensor> features;
    for (int width : kCnnWidths)
      features.push_back(at::relu(maxima(responses(copies.words, width), copies.lengths, width)));
    return head(at::cat(features, 1), training);
  }

 private:
  static constexpr int kGap = kCnnWidths.back() - 1;

  // (R - width + 1, F): the filters on the window that begins in each row. A convolution as one
  // product per word of the window, so that no copy is padded to another's length.
  at::Tensor responses(const at::Tensor& words, int width) const {
    const at::Tensor& weight = parameter(filter_name(width, "weight"));  // (F, D, width)
    const int64_t windows = words.size(0) - width + 1;
    at::Tensor sum = parameter(filter_name(width, "bias"));
    for (int64_t t = 0; t < width; ++t)
      sum = at::addmm(sum, words.narrow(0, t, windows), weight.select(2, t).t());
    return sum;
  }

  // (B, F): over the windows that begin in a copy and end in it; a copy shorter than the window has
  // one. The windows behind them are segments of their own, which nobody reads.
  static at::Tensor maxima(const at::Tensor& responses, const std::vector<int64_t>& lengths,
                           int width) {
    at::Tensor segments = at::empty({static_cast<int64_t>(lengths.size()), 2}, at::kLong);
    int64_t* const sizes = segments.data_ptr<int64_t>();
    for (size_t b = 0; b < lengths.size(); ++b) {
      sizes[2 * b] = std::max<int64_t>(lengths[b] - (width - 1), 1);
      sizes[2 * b + 1] = lengths[b] + kGap - sizes[2 * b];
    }
    sizes[2 * lengths.size() - 1] -= width - 1;  // the last rows begin no window
    const at::Tensor all =
        at::segment_reduce(responses, "max", segments.view({-1}).to(responses.device()));
    return all.view({-1, 2, responses.size(1)}).select(1, 0);
  }
};

}  // namespace

std::unique_ptr<Network> make_cnn(const Classifier& classifier, const at::Device& device) {
  return std::make_unique<Cnn>(classifier, device);
}

}  // namespace textcrs
