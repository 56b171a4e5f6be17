// The BiLSTM of src/torch/bilstm.cc in the kernels of one ISA.
#include <algorithm>
#include <optional>

#include "engine/cpu_model.h"
#include "engine/cpu_slot_map.h"
#include "engine/linear_head.h"
#include "engine/noisy_slots.h"
#include "engine/shared_start.h"
#include "engine/word_rows.h"
#include "kernels/lstm.h"

namespace textcrs {
namespace {

constexpr size_t kTogether = 96;  // sequences whose states stay in the L2 cache together

// One direction: its weights, and the pre-activations of every word.
class Direction {
 public:
  // The map of the slots must outlive it.
  Direction(const Classifier& classifier, const std::string& suffix, const CpuSlotMap& slot_map,
            Isa isa, Precision precision)
      : units_(classifier.config().hidden),
        no_word_(classifier.vocabulary().size()),
        slot_map_(slot_map),
        weight_ih_(values_of(classifier, "lstm.weight_ih_l0" + suffix)),
        bias_(values_of(classifier, "lstm.bias_ih_l0" + suffix)),
        vectors_(values_of(classifier, classifier.config().kind().embedding)),
        lstm_(isa, precision, units_, values_of(classifier, "lstm.weight_hh_l0" + suffix)),
        noisy_(isa, precision, units_, values_of(classifier, "lstm.weight_hh_l0" + suffix),
               weight_ih_),
        rows_(no_word_ + 1, static_cast<size_t>(lstm_.row_size()),
              [this](WordId word, float* row) { make_row(word, row); }) {
    const auto& second = values_of(classifier, "lstm.bias_hh_l0" + suffix);
    for (size_t i = 0; i < bias_.size(); ++i) bias_[i] += second[i];
  }

  const float* row(WordId word) const { return rows_.of(word); }
  const float* row_of_no_word() const { return rows_.of(no_word_); }  // of the zero vector
  const Lstm& lstm(bool noisy) const { return noisy ? noisy_ : lstm_; }

 private:
  void make_row(WordId word, float* row) const {
    std::vector<float> from(weight_ih_.size() / bias_.size());
    if (word != no_word_) {
      std::copy_n(vectors_.data() + static_cast<size_t>(word) * from.size(), from.size(),
                  from.begin());
      CpuSlotMap::Work work;
      slot_map_.apply(from, work);
    }
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
  WordId no_word_;
  const CpuSlotMap& slot_map_;
  std::vector<float> weight_ih_, bias_;
  std::span<const float> vectors_;  // (V, D), the classifier's
  Lstm lstm_, noisy_;               // noisy_ also multiplies weight_ih with the noisy vector
  WordRows rows_;
};

class CpuBiLstm final : public CpuModel {
 public:
  CpuBiLstm(const Classifier& classifier, Isa isa, Precision precision)
      : isa_(isa),
        slots_(classifier.config().slots),
        units_(static_cast<size_t>(classifier.config().hidden)),
        dimension_(static_cast<size_t>(classifier.config().dimension)),
        vectors_(values_of(classifier, classifier.config().kind().embedding)),
        slot_map_(classifier, isa, precision),
        forward_(classifier, "", slot_map_, isa, precision),
        backward_(classifier, "_reverse", slot_map_, isa, precision),
        head_(classifier) {}

  void score(const CopyView& copies, std::span<double> scores) const override {
    check_scores(copies, head_.classes(), scores);
    const bool keeps_slots = copies.sigma > 0 && !slot_map_.is_identity();
    const size_t at_a_time = keeps_slots ? copies_of_kept_slots() : copies.size();
    for (size_t begin = 0; begin < copies.size(); begin += at_a_time) {
      const size_t count = std::min(at_a_time, copies.size() - begin);
      score_some(copies.part(begin, count),
                 scores.subspan(begin * head_.classes(), count * head_.classes()));
    }
  }

 private:
  // Where the vectors of all slots are kept: no more copies than go through the layer together, and
  // about so many numbers.
  size_t copies_of_kept_slots() const {
    constexpr size_t kNumbers = size_t{1} << 23;
    return std::clamp<size_t>(kNumbers / (static_cast<size_t>(slots_) * dimension_), 1, kTogether);
  }

  void score_some(const CopyView& copies, std::span<double> scores) const {
    const Sequences sequences(copies.copies, slots_);
    std::optional<NoisySlots> noisy;
    if (copies.sigma > 0)
      noisy.emplace(NoisySlots::Source{isa_, vectors_, dimension_, static_cast<float>(copies.sigma),
                                       copies.gaussians},
                    slot_map_, sequences);
    AlignedBytes scratch;
    std::vector<float> features(copies.size() * 2 * units_);  // in the order of the sequences
    for (const bool reverse : {false, true})
      run(sequences, reverse, noisy ? &*noisy : nullptr, features, scratch);
    for (size_t place = 0; place < copies.size(); ++place)
      head_.score(std::span(features).subspan(place * 2 * units_, 2 * units_),
                  scores.subspan(sequences.copy_at(place) * head_.classes(), head_.classes()));
  }

  // The steps of a tile of sequences whose slots are noisy.
  struct NoisyTile {
    const NoisySlots& slots;
    const Sequences& sequences;
    size_t first;
    bool reverse;

    void read(int k, int s, float* out) const {
      const size_t place = first + static_cast<size_t>(k);
      slots.read(place, reverse ? sequences.length_at(place) - 1 - s : s, out);
    }
  };

  // The maxima of one direction, into its half of the features.
  void run(const Sequences& sequences, bool reverse, const NoisySlots* noisy,
           std::vector<float>& features, AlignedBytes& scratch) const {
    const Direction& direction = reverse ? backward_ : forward_;
    const std::ptrdiff_t stride = reverse ? -1 : 1;
    std::vector<const float*> rows;
    const std::vector<RowSequence> all =
        look_up(sequences, direction, reverse, noisy != nullptr, rows);
    const auto put = [&](size_t place, const float* maxima) {
      std::copy_n(maxima, units_, features.data() + (2 * place + reverse) * units_);
    };
    std::optional<SharedStart> start;  // a Gaussian makes every beginning different
    if (noisy == nullptr) start.emplace(direction.lstm(false), all, stride, scratch);
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
      std::optional<NoisyTile> inputs;
      if (noisy != nullptr) {
        tile.context = &inputs.emplace(NoisyTile{*noisy, sequences, first, reverse});
        tile.input = [](void* context, int k, int step, float* out) {
          static_cast<const NoisyTile*>(context)->read(k, step, out);
        };
      }
      direction.lstm(noisy != nullptr).run(tile, scratch);
      for (size_t k = 0; k < count; ++k) put(first + k, pooled.data() + k * units_);
    }
  }

  // The sequences as rows of a direction's table, which `rows` keeps. A noisy vector is multiplied
  // as it comes, so its row is that of the zero vector.
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
            noisy ? direction.row_of_no_word() : direction.row(sequences.word(place, slot));
      all.push_back({rows.data() + at + (reverse ? length - 1 : 0), length});
      at += static_cast<size_t>(length);
    }
    return all;
  }

  Isa isa_;
  int slots_;
  size_t units_, dimension_;
  std::span<const float> vectors_;  // (V, D), the classifier's
  CpuSlotMap slot_map_;
  Direction forward_, backward_;
  LinearHead head_;
};

}  // namespace

std::unique_ptr<CpuModel> make_cpu_bilstm(const Classifier& classifier, Isa isa,
                                          Precision precision) {
  return std::make_unique<CpuBiLstm>(classifier, isa, precision);
}

}  // namespace textcrs
