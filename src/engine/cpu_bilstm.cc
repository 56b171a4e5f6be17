// The BiLSTM of src/torch/bilstm.cc in the kernels of one ISA.
#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "engine/cpu_model.h"
#include "engine/linear_head.h"
#include "engine/shared_start.h"
#include "engine/word_rows.h"
#include "kernels/lstm.h"
#include "kernels/normals.h"
#include "textcrs/noise/noise.h"

namespace textcrs {
namespace {

constexpr size_t kTogether = 96;  // sequences whose states stay in the L2 cache together

// One direction: its weights, and the pre-activations of every word.
class Direction {
 public:
  Direction(const Classifier& classifier, const std::string& suffix, Isa isa, Precision precision)
      : units_(classifier.config().hidden),
        weight_ih_(values_of(classifier, "lstm.weight_ih_l0" + suffix)),
        bias_(values_of(classifier, "lstm.bias_ih_l0" + suffix)),
        vectors_(values_of(classifier, classifier.config().kind().embedding)),
        lstm_(isa, precision, units_, values_of(classifier, "lstm.weight_hh_l0" + suffix)),
        noisy_(isa, precision, units_, values_of(classifier, "lstm.weight_hh_l0" + suffix),
               weight_ih_),
        rows_(classifier.vocabulary().size(), static_cast<size_t>(lstm_.row_size()),
              [this](WordId word, float* row) { make_row(word, row); }) {
    const auto& second = values_of(classifier, "lstm.bias_hh_l0" + suffix);
    for (size_t i = 0; i < bias_.size(); ++i) bias_[i] += second[i];
  }

  const WordRows& rows() const { return rows_; }
  const Lstm& lstm(bool noisy) const { return noisy ? noisy_ : lstm_; }
  std::span<const float> vector(WordId word) const {
    const size_t dimension = weight_ih_.size() / bias_.size();
    return vectors_.subspan(static_cast<size_t>(word) * dimension, dimension);
  }

 private:
  void make_row(WordId word, float* row) const {
    const std::span<const float> from = vector(word);
    std::vector<float> gates(bias_.size());
    for (size_t g = 0; g < gates.size(); ++g) {
      const float* weights = weight_ih_.data() + g * from.size();
      double sum = bias_[g];
      for (size_t d = 0; d < from.size(); ++d) sum += double{weights[d]} * double{from[d]};
      gates[g] = static_cast<float>(sum);
    }
    lstm_.make_row(gates, row);
  }

  int units_;
  std::vector<float> weight_ih_, bias_;
  std::span<const float> vectors_;  // (V, D), the classifier's
  Lstm lstm_, noisy_;               // noisy_ also multiplies weight_ih with the noisy vector
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

  size_t size() const { return order_.size(); }
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
  CpuBiLstm(const Classifier& classifier, Isa isa, Precision precision)
      : isa_(isa),
        slots_(classifier.config().slots),
        units_(static_cast<size_t>(classifier.config().hidden)),
        dimension_(static_cast<size_t>(classifier.config().dimension)),
        forward_(classifier, "", isa, precision),
        backward_(classifier, "_reverse", isa, precision),
        head_(classifier) {}

  void score(const CopyView& copies, std::span<double> scores) const override {
    check_scores(copies, head_.classes(), scores);
    const Sequences sequences(copies.copies, slots_);
    AlignedBytes scratch;
    std::vector<float> features(copies.size() * 2 * units_);  // in the order of the sequences
    for (const bool reverse : {false, true})
      run(sequences, reverse, copies.sigma, copies.gaussians, features, scratch);
    for (size_t place = 0; place < copies.size(); ++place)
      head_.score(std::span(features).subspan(place * 2 * units_, 2 * units_),
                  scores.subspan(sequences.copy_at(place) * head_.classes(), head_.classes()));
  }

 private:
  // The noisy vector of a step of a tile, drawn where it is used. The sum goes through the layer as
  // a whole: the certificate (docs/certificates.md, B5) needs a classifier of vector + noise, and
  // one that rounds the two apart is none.
  struct Gaussian {
    Isa isa;
    const Direction& direction;
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
      const std::span<const float> vector = direction.vector(sequences.word(place, slot));
      for (size_t d = 0; d < dimension; ++d) values[d] = vector[d] + sigma * values[d];
    }
  };

  // The maxima of one direction, into its half of the features.
  void run(const Sequences& sequences, bool reverse, double sigma,
           std::span<const Stream> gaussians, std::vector<float>& features,
           AlignedBytes& scratch) const {
    const Direction& direction = reverse ? backward_ : forward_;
    const std::ptrdiff_t stride = reverse ? -1 : 1;
    std::vector<const float*> rows;
    const std::vector<RowSequence> all = look_up(sequences, direction, reverse, sigma > 0, rows);
    const auto put = [&](size_t place, const float* maxima) {
      std::copy_n(maxima, units_, features.data() + (2 * place + reverse) * units_);
    };
    std::optional<SharedStart> start;  // a Gaussian makes every beginning different
    if (sigma == 0) start.emplace(direction.lstm(false), all, stride, scratch);
    const int first_step = start ? start->steps() : 0;
    // Longest first: those that go on are the first ones.
    size_t going_on = 0;
    for (size_t place = 0; place < all.size(); ++place)
      if (all[place].length > first_step)
        going_on = place + 1;
      else
        put(place, start->maxima(place).data());
    std::vector<float> pooled(kTogether * units_);
    for (size_t first = 0; first < going_on; first += kTogether) {
      const size_t count = std::min(kTogether, going_on - first);
      std::vector<int> lengths(count);
      std::vector<const float* const*> tile_rows(count);
      std::vector<const std::byte*> starts(count);
      for (size_t k = 0; k < count; ++k) {
        lengths[k] = all[first + k].length;
        tile_rows[k] = all[first + k].rows;
        if (first_step > 0) starts[k] = start->record(first + k);
      }
      LstmSequences tile;
      tile.count = static_cast<int>(count);
      tile.lengths = lengths.data();
      tile.rows = tile_rows.data();
      tile.stride = stride;
      tile.first = first_step;
      tile.starts = starts.data();
      tile.pooled = pooled.data();
      Gaussian gaussian{isa_,      direction, sequences, first, reverse, static_cast<float>(sigma),
                        gaussians, dimension_};
      if (sigma > 0) {
        tile.context = &gaussian;
        tile.input = [](void* context, int k, int step, float* out) {
          static_cast<const Gaussian*>(context)->draw(k, step, out);
        };
      }
      direction.lstm(sigma > 0).run(tile, scratch);
      for (size_t k = 0; k < count; ++k) put(first + k, pooled.data() + k * units_);
    }
  }

  // The sequences as rows of a direction's table, which `rows` keeps. A noisy vector is multiplied
  // as it comes, so its row is that of the zero vector: PAD's.
  static std::vector<RowSequence> look_up(const Sequences& sequences, const Direction& direction,
                                          bool reverse, bool noisy,
                                          std::vector<const float*>& rows) {
    size_t total = 0;
    for (size_t place = 0; place < sequences.size(); ++place)
      total += static_cast<size_t>(sequences.length_at(place));
    rows.resize(total);
    std::vector<RowSequence> all;
    size_t at = 0;
    for (size_t place = 0; place < sequences.size(); ++place) {
      const int length = sequences.length_at(place);
      for (int slot = 0; slot < length; ++slot)
        rows[at + static_cast<size_t>(slot)] =
            direction.rows().of(noisy ? kPad : sequences.word(place, slot));
      all.push_back({rows.data() + at + (reverse ? length - 1 : 0), length});
      at += static_cast<size_t>(length);
    }
    return all;
  }

  Isa isa_;
  int slots_;
  size_t units_, dimension_;
  Direction forward_, backward_;
  LinearHead head_;
};

}  // namespace

std::unique_ptr<CpuModel> make_cpu_bilstm(const Classifier& classifier, Isa isa,
                                          Precision precision) {
  return std::make_unique<CpuBiLstm>(classifier, isa, precision);
}

}  // namespace textcrs
