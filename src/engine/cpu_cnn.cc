// The CNN on the CPU: a table of what every word adds to the windows (kernels/cnn.h).
#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "engine/cpu_model.h"
#include "engine/linear_head.h"
#include "engine/parameters.h"
#include "engine/word_rows.h"
#include "kernels/cnn.h"
#include "kernels/normals.h"

namespace textcrs {
namespace {

CnnFilters make_filters(const Network& network, Isa isa) {
  std::array<std::vector<float>, kCnnWidths.size()> weights, biases;
  std::array<CnnFilters::Width, kCnnWidths.size()> widths;
  for (size_t i = 0; i < widths.size(); ++i) {
    const std::string name = "conv" + std::to_string(kCnnWidths[i]);
    weights[i] = parameter_values(network, name + ".weight");
    biases[i] = parameter_values(network, name + ".bias");
    widths[i] = {weights[i], biases[i]};
  }
  return {isa, static_cast<int>(biases[0].size()), static_cast<int>(network.vectors().size(1)),
          widths};
}

class CpuCnn : public CpuModel {
 public:
  CpuCnn(const Network& network, Isa isa)
      : isa_(isa),
        slots_(static_cast<size_t>(network.config().slots)),
        dimension_(static_cast<size_t>(network.vectors().size(1))),
        vectors_(network.vectors().detach().to(at::kCPU).contiguous()),
        filters_(make_filters(network, isa)),
        head_(network),
        rows_(static_cast<int>(vectors_.size(0)), static_cast<size_t>(filters_.row_size()),
              [this](WordId word, float* row) {
                const float* vectors = vectors_.data_ptr<float>();
                filters_.make_row({vectors + static_cast<size_t>(word) * dimension_, dimension_},
                                  row);
              }) {}

  void classify(std::span<const Words> copies, double sigma, std::span<const Stream> gaussians,
                std::span<int> classes) const override {
    if (classes.size() != copies.size() || (sigma > 0 && gaussians.size() != copies.size()))
      throw std::logic_error("CpuCnn: one class, and with sigma one stream, a copy");
    // Noise is drawn for one copy at a time: it is much larger than the copy.
    const size_t at_a_time = sigma > 0 ? 1 : kAtATime;
    Work work;
    for (size_t begin = 0; begin < copies.size(); begin += at_a_time) {
      const size_t count = std::min(at_a_time, copies.size() - begin);
      look_up(copies.subspan(begin, count), sigma > 0, work);
      if (sigma > 0) draw(copies[begin], gaussians[begin], sigma, work);
      filter(work);
      const auto features = static_cast<size_t>(filters_.features());
      for (size_t k = 0; k < count; ++k)
        classes[begin + k] = head_.classify({work.features.data() + k * features, features});
    }
  }

 private:
  static constexpr size_t kAtATime = 128;

  // The buffers of one call.
  struct Work {
    std::vector<int> lengths;
    std::vector<const float*> rows;           // of the words of all copies
    std::vector<const float* const*> starts;  // of the copies in `rows`
    std::vector<float> noise, features;
    AlignedBytes scratch;
  };

  // A noisy vector is multiplied as it comes, so its row is that of the zero vector: PAD's.
  void look_up(std::span<const Words> copies, bool noisy, Work& work) const {
    work.lengths.clear();
    work.rows.clear();
    for (const Words& copy : copies) {
      const size_t length = std::min(copy.size(), slots_);
      for (size_t s = 0; s < length; ++s) work.rows.push_back(rows_.of(noisy ? kPad : copy[s]));
      if (length == 0) work.rows.push_back(rows_.of(kPad));
      work.lengths.push_back(static_cast<int>(std::max<size_t>(length, 1)));
    }
    work.starts.clear();
    const float* const* start = work.rows.data();
    for (const int length : work.lengths) {
      work.starts.push_back(start);
      start += length;
    }
  }

  // The noisy vectors of a copy. The certificate (docs/certificates.md, B5) needs a classifier of
  // vector + noise, so the sum goes through the filters as a whole.
  void draw(const Words& copy, const Stream& gaussian, double sigma, Work& work) const {
    const size_t slots = work.rows.size();
    work.noise.resize(slots * dimension_);
    normals_at(isa_, gaussian, 0, work.noise);
    for (size_t s = 0; s < slots; ++s) {
      const float* const vector = vectors_.data_ptr<float>() +
                                  static_cast<size_t>(copy.empty() ? kPad : copy[s]) * dimension_;
      float* const noisy = work.noise.data() + s * dimension_;
      for (size_t d = 0; d < dimension_; ++d)
        noisy[d] = vector[d] + static_cast<float>(sigma) * noisy[d];
    }
  }

  // With noise in the work, there is one copy in it.
  void filter(Work& work) const {
    work.features.resize(work.lengths.size() * static_cast<size_t>(filters_.features()));
    const float* const noise = work.noise.data();
    CnnTexts texts;
    texts.count = static_cast<int>(work.lengths.size());
    texts.lengths = work.lengths.data();
    texts.rows = work.starts.data();
    texts.noise = work.noise.empty() ? nullptr : &noise;
    texts.features = work.features.data();
    filters_.run(texts, work.scratch);
  }

  Isa isa_;
  size_t slots_, dimension_;
  at::Tensor vectors_;  // (V, D)
  CnnFilters filters_;
  LinearHead head_;
  WordRows rows_;
};

}  // namespace

// The precision changes nothing: no product is left at run time but that of the filters with
// Gaussian noise, which is computed in fp32.
std::unique_ptr<CpuModel> make_cpu_cnn(const Network& network, Isa isa, Precision) {
  return std::make_unique<CpuCnn>(network, isa);
}

}  // namespace textcrs
