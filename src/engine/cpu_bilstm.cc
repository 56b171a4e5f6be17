// The BiLSTM of src/model/bilstm.cc in the kernels of one ISA.
#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "engine/cpu_model.h"
#include "engine/linear_head.h"
#include "engine/parameters.h"
#include "engine/word_rows.h"
#include "kernels/lstm.h"
#include "kernels/normals.h"

namespace textcrs {
namespace {

constexpr size_t kTile = 96;  // sequences whose states stay in the L2 cache together

// One direction: its weights, and the pre-activations of every word.
class Direction {
 public:
  Direction(const Network& network, const std::string& suffix, Isa isa, Precision precision)
      : units_(network.config().hidden),
        weight_ih_(parameter_values(network, "lstm.weight_ih_l0" + suffix)),
        bias_(parameter_values(network, "lstm.bias_ih_l0" + suffix)),
        vectors_(network.vectors().detach().to(at::kCPU).contiguous()),
        lstm_(isa, precision, units_, parameter_values(network, "lstm.weight_hh_l0" + suffix)),
        noisy_(isa, precision, units_, parameter_values(network, "lstm.weight_hh_l0" + suffix),
               weight_ih_),
        rows_(static_cast<int>(network.vectors().size(0)), static_cast<size_t>(lstm_.row_size()),
              [this](WordId word, float* row) { make_row(word, row); }) {
    const auto second = parameter_values(network, "lstm.bias_hh_l0" + suffix);
    for (size_t i = 0; i < bias_.size(); ++i) bias_[i] += second[i];
  }

  const WordRows& rows() const { return rows_; }
  const Lstm& lstm(bool noisy) const { return noisy ? noisy_ : lstm_; }

 private:
  void make_row(WordId word, float* row) const {
    const size_t dimension = weight_ih_.size() / bias_.size();
    const float* vector = vectors_.data_ptr<float>() + static_cast<size_t>(word) * dimension;
    std::vector<float> gates(bias_.size());
    for (size_t g = 0; g < gates.size(); ++g) {
      const float* weights = weight_ih_.data() + g * dimension;
      double sum = bias_[g];
      for (size_t d = 0; d < dimension; ++d) sum += double{weights[d]} * double{vector[d]};
      gates[g] = static_cast<float>(sum);
    }
    lstm_.make_row(gates, row);
  }

  int units_;
  std::vector<float> weight_ih_, bias_;
  at::Tensor vectors_;  // (V, D)
  Lstm lstm_, noisy_;   // noisy_ also multiplies weight_ih with the Gaussian
  WordRows rows_;
};

// The copies of a call, longest first, as rows of one direction's table.
class Sequences {
 public:
  Sequences(std::span<const Words> copies, int slots) : copies_(copies) {
    for (const Words& copy : copies)
      lengths_.push_back(std::clamp<int>(static_cast<int>(copy.size()), 1, slots));
    order_.resize(copies.size());
    std::iota(order_.begin(), order_.end(), size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](size_t a, size_t b) { return lengths_[a] > lengths_[b]; });
  }

  size_t copy_at(size_t place) const { return order_[place]; }
  int length_at(size_t place) const { return lengths_[order_[place]]; }
  WordId word(size_t place, int slot) const {
    const Words& copy = copies_[order_[place]];
    return copy.empty() ? kPad : copy[static_cast<size_t>(slot)];
  }

 private:
  std::span<const Words> copies_;
  std::vector<int> lengths_;
  std::vector<size_t> order_;
};

class CpuBiLstm final : public CpuModel {
 public:
  CpuBiLstm(const Network& network, Isa isa, Precision precision)
      : isa_(isa),
        slots_(network.config().slots),
        units_(static_cast<size_t>(network.config().hidden)),
        dimension_(static_cast<size_t>(network.config().dimension)),
        forward_(network, "", isa, precision),
        backward_(network, "_reverse", isa, precision),
        head_(network) {}

  void classify(std::span<const Words> copies, double sigma, std::span<const Stream> gaussians,
                std::span<int> classes) const override {
    if (classes.size() != copies.size() || (sigma > 0 && gaussians.size() != copies.size()))
      throw std::logic_error("CpuBiLstm: a class and, with sigma, a Gaussian for each copy");
    const Sequences sequences(copies, slots_);
    std::vector<float> pooled[2], features(2 * units_);
    AlignedBytes scratch;
    for (size_t first = 0; first < copies.size(); first += kTile) {
      const size_t count = std::min(kTile, copies.size() - first);
      for (const bool reverse : {false, true}) {
        pooled[reverse].resize(count * units_);
        run(sequences, first, count, reverse, sigma, gaussians, pooled[reverse].data(), scratch);
      }
      for (size_t k = 0; k < count; ++k) {
        for (const bool reverse : {false, true})
          std::copy_n(pooled[reverse].data() + k * units_, units_,
                      features.data() + (reverse ? units_ : 0));
        classes[sequences.copy_at(first + k)] = head_.classify(features);
      }
    }
  }

 private:
  // Draws the Gaussian of a step of a tile where it is used.
  struct Gaussian {
    Isa isa;
    const Sequences& sequences;
    size_t first;
    bool reverse;
    float sigma;
    std::span<const Stream> streams;
    size_t dimension;

    void draw(int k, int s, float* out) const {
      const size_t place = first + static_cast<size_t>(k);
      const int slot = reverse ? sequences.length_at(place) - 1 - s : s;
      const std::span<float> values(out, dimension);
      normals_at(isa, streams[sequences.copy_at(place)], static_cast<size_t>(slot) * dimension,
                 values);
      for (float& x : values) x *= sigma;
    }
  };

  void run(const Sequences& sequences, size_t first, size_t count, bool reverse, double sigma,
           std::span<const Stream> gaussians, float* pooled, AlignedBytes& scratch) const {
    const Direction& direction = reverse ? backward_ : forward_;
    std::vector<int> lengths(count);
    size_t total = 0;
    for (size_t k = 0; k < count; ++k) {
      lengths[k] = sequences.length_at(first + k);
      total += static_cast<size_t>(lengths[k]);
    }
    std::vector<const float*> rows(total);
    std::vector<const float* const*> starts(count);
    size_t at = 0;
    for (size_t k = 0; k < count; ++k) {
      for (int slot = 0; slot < lengths[k]; ++slot)
        rows[at + static_cast<size_t>(slot)] = direction.rows().of(sequences.word(first + k, slot));
      starts[k] = rows.data() + at + (reverse ? lengths[k] - 1 : 0);
      at += static_cast<size_t>(lengths[k]);
    }
    LstmSequences tile;
    tile.count = static_cast<int>(count);
    tile.lengths = lengths.data();
    tile.rows = starts.data();
    tile.stride = reverse ? -1 : 1;
    tile.pooled = pooled;
    Gaussian gaussian{isa_,      sequences, first, reverse, static_cast<float>(sigma),
                      gaussians, dimension_};
    if (sigma > 0) {
      tile.context = &gaussian;
      tile.input = [](void* context, int k, int step, float* out) {
        static_cast<const Gaussian*>(context)->draw(k, step, out);
      };
    }
    direction.lstm(sigma > 0).run(tile, scratch);
  }

  Isa isa_;
  int slots_;
  size_t units_, dimension_;
  Direction forward_, backward_;
  LinearHead head_;
};

}  // namespace

std::unique_ptr<CpuModel> make_cpu_bilstm(const Network& network, Isa isa, Precision precision) {
  return std::make_unique<CpuBiLstm>(network, isa, precision);
}

}  // namespace textcrs
