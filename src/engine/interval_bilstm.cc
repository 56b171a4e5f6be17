// Interval bounds of the BiLSTM of src/torch/bilstm.cc, step by step: the gates are monotone in
// their pre-activations, products of intervals are taken at their corners.
#include <array>
#include <string>

#include "engine/cpu_model.h"
#include "engine/interval_network.h"
#include "engine/word_boxes.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

constexpr const char* kSuffixes[] = {"", "_reverse"};

// Both directions: (8 H, D), (8 H).
std::vector<float> input_weight(const Classifier& classifier) {
  std::vector<float> all;
  for (const char* suffix : kSuffixes) {
    const auto& part = values_of(classifier, std::string("lstm.weight_ih_l0") + suffix);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

std::vector<double> input_bias(const Classifier& classifier) {
  std::vector<double> all;
  for (const char* suffix : kSuffixes) {
    const auto& first = values_of(classifier, std::string("lstm.bias_ih_l0") + suffix);
    const auto& second = values_of(classifier, std::string("lstm.bias_hh_l0") + suffix);
    for (size_t g = 0; g < first.size(); ++g) all.push_back(double{first[g]} + double{second[g]});
  }
  return all;
}

// The recurrent weights of one direction.
class Recurrence {
 public:
  Recurrence(const Classifier& classifier, const char* suffix)
      : units_(static_cast<size_t>(classifier.config().hidden)) {
    const auto& given = values_of(classifier, std::string("lstm.weight_hh_l0") + suffix);
    weight_.resize(given.size());
    magnitudes_.resize(4 * units_);
    for (size_t g = 0; g < 4 * units_; ++g)
      for (size_t k = 0; k < units_; ++k) {
        weight_[k * 4 * units_ + g] = given[g * units_ + k];
        magnitudes_[g] += std::abs(double{given[g * units_ + k]});
      }
    for (const double magnitude : magnitudes_)
      if (!(magnitude <= kLargestMagnitude))
        throw bad_input("the recurrent weights are too large for interval bounds");
  }

  // gates += W h.
  void add(const std::vector<double>& h, std::vector<double>& gates) const {
    for (size_t k = 0; k < units_; ++k) {
      const float* const weight = weight_.data() + k * 4 * units_;
      const double x = h[k];
      for (size_t g = 0; g < gates.size(); ++g) gates[g] += double{weight[g]} * x;
    }
  }

  // The same for all h in a box inside [-1, 1]: the products with its centre, give or take those of
  // the absolute weights with its half widths. By how much the sums here and those of add() are off
  // is covered, too.
  void add(const Box& h, Box& gates) const {
    const size_t count = 4 * units_;
    std::vector<double> centre(count), spread(count);
    size_t k = 0;
    for (; k + 2 <= units_; k += 2) {  // two rows at a time: fewer trips to memory
      const auto [c0, r0] = middle(h, k);
      const auto [c1, r1] = middle(h, k + 1);
      const float* const first = weight_.data() + k * count;
      const float* const second = first + count;
      for (size_t g = 0; g < count; ++g) {
        const double a = first[g], b = second[g];
        centre[g] += a * c0 + b * c1;
        spread[g] += std::abs(a) * r0 + std::abs(b) * r1;
      }
    }
    for (; k < units_; ++k) {
      const auto [c, r] = middle(h, k);
      const float* const weight = weight_.data() + k * count;
      for (size_t g = 0; g < count; ++g) {
        centre[g] += double{weight[g]} * c;
        spread[g] += std::abs(double{weight[g]}) * r;
      }
    }
    const double error = 8 * gamma_of(units_ + 8);
    for (size_t g = 0; g < count; ++g) {
      const double size = std::max(std::abs(gates.low[g]), std::abs(gates.high[g]));
      const double out = spread[g] + error * (size + magnitudes_[g] + 1);
      gates.low[g] += centre[g] - out;
      gates.high[g] += centre[g] + out;
    }
  }

 private:
  struct Middle {
    double centre, half_width;
  };
  static Middle middle(const Box& h, size_t k) {
    const double centre = (h.low[k] + h.high[k]) / 2;
    return {centre, std::max(h.high[k] - centre, centre - h.low[k])};
  }

  size_t units_;
  std::vector<float> weight_;       // (H, 4 H)
  std::vector<double> magnitudes_;  // sums of absolute weights per gate
};

class IntervalBiLstm final : public IntervalNetwork {
 public:
  explicit IntervalBiLstm(const Classifier& classifier)
      : units_(static_cast<size_t>(classifier.config().hidden)),
        words_(classifier, input_weight(classifier), input_bias(classifier)),
        directions_{Recurrence(classifier, kSuffixes[0]), Recurrence(classifier, kSuffixes[1])} {}

  std::vector<double> features(std::span<const WordId> words) const override {
    std::vector<double> pooled;
    for (size_t direction = 0; direction < 2; ++direction) {
      std::vector<double> gates(4 * units_), h(units_), c(units_);
      std::vector<double> most(units_, -1.0);
      for (size_t s = 0; s < words.size(); ++s) {
        const float* const row = words_.row(word_at(words, direction, s)) + direction * 4 * units_;
        std::copy_n(row, gates.size(), gates.begin());
        directions_[direction].add(h, gates);
        for (size_t u = 0; u < units_; ++u) {
          c[u] = logistic(gates[units_ + u]) * c[u] +
                 logistic(gates[u]) * std::tanh(gates[2 * units_ + u]);
          h[u] = logistic(gates[3 * units_ + u]) * std::tanh(c[u]);
          most[u] = std::max(most[u], h[u]);
        }
      }
      pooled.insert(pooled.end(), most.begin(), most.end());
    }
    return pooled;
  }

  Box bounds(std::span<const WordId> words) const override {
    const Box inputs = input_boxes(words);
    Box pooled;
    for (size_t direction = 0; direction < 2; ++direction) {
      State state(units_);
      for (size_t s = 0; s < words.size(); ++s) {
        const size_t slot = direction == 0 ? s : words.size() - 1 - s;
        const auto begin = static_cast<ptrdiff_t>((slot * 2 + direction) * 4 * units_);
        const auto end = begin + static_cast<ptrdiff_t>(4 * units_);
        state.gates.low.assign(inputs.low.begin() + begin, inputs.low.begin() + end);
        state.gates.high.assign(inputs.high.begin() + begin, inputs.high.begin() + end);
        directions_[direction].add(state.h, state.gates);
        step(state);
      }
      pooled.low.insert(pooled.low.end(), state.most.low.begin(), state.most.low.end());
      pooled.high.insert(pooled.high.end(), state.most.high.begin(), state.most.high.end());
    }
    return pooled;
  }

 private:
  struct State {
    explicit State(size_t units)
        : h(zeros(units)),
          c(zeros(units)),
          most{std::vector<double>(units, -1.0), std::vector<double>(units, -1.0)} {}
    static Box zeros(size_t units) {
      return {std::vector<double>(units), std::vector<double>(units)};
    }
    Box gates, h, c, most;
  };

  static WordId word_at(std::span<const WordId> words, size_t direction, size_t step) {
    return words[direction == 0 ? step : words.size() - 1 - step];
  }

  // (words, 2, 4 H)
  Box input_boxes(std::span<const WordId> words) const {
    const size_t columns = words_.columns();
    Box boxes{std::vector<double>(words.size() * columns),
              std::vector<double>(words.size() * columns)};
    for (size_t s = 0; s < words.size(); ++s)
      words_.box(words[s], std::span(boxes.low).subspan(s * columns, columns),
                 std::span(boxes.high).subspan(s * columns, columns));
    return boxes;
  }

  // From the gates to the next state.
  void step(State& state) const {
    constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
    const auto gate = [&](size_t which, size_t u) {
      return Interval{state.gates.low[which * units_ + u], state.gates.high[which * units_ + u]};
    };
    for (size_t u = 0; u < units_; ++u) {
      const Interval before{state.c.low[u], state.c.high[u]};
      const Interval kept = product(logistic(gate(1, u)), before);
      const Interval added = product(logistic(gate(0, u)), hyperbolic_tangent(gate(2, u)));
      const Interval c = (kept + added).wider(8 * kEpsilon * (before.magnitude() + 1));
      const Interval h =
          product(logistic(gate(3, u)), hyperbolic_tangent(c)).wider(4 * kEpsilon).within(-1, 1);
      state.c.low[u] = c.low;
      state.c.high[u] = c.high;
      state.h.low[u] = h.low;
      state.h.high[u] = h.high;
      state.most.low[u] = std::max(state.most.low[u], h.low);
      state.most.high[u] = std::max(state.most.high[u], h.high);
    }
  }

  size_t units_;
  WordBoxes words_;
  std::array<Recurrence, 2> directions_;
};

}  // namespace

std::unique_ptr<IntervalNetwork> make_interval_bilstm(const Classifier& classifier) {
  return std::make_unique<IntervalBiLstm>(classifier);
}

}  // namespace textcrs
