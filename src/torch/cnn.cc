// Kim's convolutional network: filters over windows of 3, 4 and 5 words, the maximum of each over
// the text, a linear head.
#include "kernels/cnn.h"

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
    const PaddedCopies padded = pad_copies(batch, config().slots, kCnnWidths.back(), vectors(),
                                           training, config().input_dropout);
    const at::Tensor words = padded.words.transpose(1, 2).contiguous();  // (B, D, T)
    const at::Tensor lengths =
        at::tensor(padded.lengths, at::kLong).to(words.device()).unsqueeze(1);  // (B, 1)
    std::vector<at::Tensor> features;
    for (int width : kCnnWidths) {
      const at::Tensor response = at::relu(at::conv1d(
          words, parameter(filter_name(width, "weight")), parameter(filter_name(width, "bias"))));
      // Windows that begin behind the last whole one see PAD only: they do not count. A text
      // shorter than the window has one. relu >= 0, so 0 is the neutral element of the maximum.
      const at::Tensor starts = at::arange(response.size(2), lengths.options()).unsqueeze(0);
      const at::Tensor outside = starts.ge((lengths - (width - 1)).clamp_min(1)).unsqueeze(1);
      features.push_back(std::get<0>(response.masked_fill(outside, 0).max(2)));
    }
    return head(at::cat(features, 1), training);
  }
};

}  // namespace

std::unique_ptr<Network> make_cnn(const Classifier& classifier, const at::Device& device) {
  return std::make_unique<Cnn>(classifier, device);
}

}  // namespace textcrs
