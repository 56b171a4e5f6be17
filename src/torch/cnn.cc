// Kim's convolutional network: filters over windows of 3, 4 and 5 words, the maximum of each over
// the text, a linear head.
#include "kernels/cnn.h"

#include "torch/network.h"
#include "torch/window_maxima.h"

namespace textcrs {
namespace {

std::string filter_name(int width, const char* part) {
  return "conv" + std::to_string(width) + "." + part;
}

class Cnn : public Network {
 public:
  using Network::Network;

  at::Tensor forward(const CopyView& batch, const TrainingStep* training) const override {
    const LinedUpCopies copies = line_up_copies(batch, config().slots, kGap, vectors(), training,
                                                config().input_dropout, slot_map());
    std::vector<at::Tensor> features;
    for (int width : kCnnWidths)
      features.push_back(
          at::relu(window_maxima(responses(copies.words, width), copies.lengths, width, kGap)));
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
};

}  // namespace

std::unique_ptr<Network> make_cnn(const Classifier& classifier, const at::Device& device) {
  return std::make_unique<Cnn>(classifier, device);
}

}  // namespace textcrs
