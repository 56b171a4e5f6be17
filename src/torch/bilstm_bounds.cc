// Both directions step by step and side by side; the gates are monotone, products of intervals are
// taken at their corners.
#include <algorithm>
#include <numeric>

#include "torch/batch_boxes.h"
#include "torch/interval_bounds.h"

namespace textcrs {
namespace {

struct Sides {
  at::Tensor low, high;
};

// Copies longest first; step t holds the t-th words, from the front and from the back, of the
// sizes[t] longest ones.
struct Steps {
  std::vector<int64_t> order, sizes, from_front, from_back;

  Steps(const CopyView& copies, int slots) {
    std::vector<int64_t> lengths;
    for (const auto& copy : copies.copies)
      lengths.push_back(std::clamp<int64_t>(static_cast<int64_t>(copy.size()), 1, slots));
    order.resize(lengths.size());
    std::iota(order.begin(), order.end(), int64_t{0});
    std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
      return lengths[static_cast<size_t>(a)] > lengths[static_cast<size_t>(b)];
    });
    for (int64_t t = 0;; ++t) {
      int64_t active = 0;
      for (const int64_t b : order) {
        const int64_t length = lengths[static_cast<size_t>(b)];
        if (length <= t) break;
        const auto& copy = copies.copies[static_cast<size_t>(b)];
        const auto word = [&](int64_t slot) -> int64_t {
          return copy.empty() ? kPad : copy[static_cast<size_t>(slot)];
        };
        from_front.push_back(word(t));
        from_back.push_back(word(length - 1 - t));
        ++active;
      }
      if (active == 0) break;
      sizes.push_back(active);
    }
  }
};

// Of a factor that is never negative.
Sides product(const Sides& factor, const Sides& b) {
  return {at::minimum(factor.low * b.low, factor.high * b.low),
          at::maximum(factor.low * b.high, factor.high * b.high)};
}

Sides tanh_of(const Sides& x) { return {at::tanh(x.low), at::tanh(x.high)}; }

// The four gates of a side of the pre-activations (2, b, 4 H).
struct Gates {
  at::Tensor input, forget, cell, output;

  explicit Gates(const at::Tensor& pre) {
    const int64_t units = pre.size(2) / 4;
    const auto parts = pre.split_with_sizes({2 * units, units, units}, 2);
    const auto both = at::sigmoid(parts[0]).chunk(2, 2);
    input = both[0];
    forget = both[1];
    cell = at::tanh(parts[1]);
    output = at::sigmoid(parts[2]);
  }
};

// One side of the boxes (U, 8 H) for every step: (2, sizes[t], 4 H), both directions.
std::vector<at::Tensor> inputs_of(const at::Tensor& side, const at::Tensor& from_front,
                                  const at::Tensor& from_back, const std::vector<int64_t>& sizes) {
  const std::vector<at::Tensor> directions = side.chunk(2, 1);
  return at::stack(
             {directions[0].index_select(0, from_front), directions[1].index_select(0, from_back)})
      .split_with_sizes(sizes, 1);
}

Sides first(const Sides& all, int64_t count) {
  if (all.low.size(1) == count) return all;
  return {all.low.narrow(1, 0, count), all.high.narrow(1, 0, count)};
}

// The largest values of every copy over its steps. Those of copies that have ended are put aside.
class Pool {
 public:
  void add(const at::Tensor& step) {  // (2, b, H)
    if (!most_.defined()) {
      most_ = step;
      return;
    }
    const int64_t going_on = step.size(1), ended = most_.size(1) - going_on;
    if (ended > 0) {
      done_.push_back(most_.narrow(1, going_on, ended));
      most_ = most_.narrow(1, 0, going_on);
    }
    most_ = at::maximum(most_, step);
  }

  at::Tensor features() {  // (B, 2 H), longest copies first
    std::vector<at::Tensor> parts = {most_};
    parts.insert(parts.end(), done_.rbegin(), done_.rend());
    const at::Tensor all = at::cat(parts, 1);
    return at::cat({all.select(0, 0), all.select(0, 1)}, 1);
  }

 private:
  at::Tensor most_;
  std::vector<at::Tensor> done_;
};

}  // namespace

FeatureBounds bilstm_bounds(const Network& network, const SynonymTable& synonyms,
                            const CopyView& copies, double scale) {
  const auto both = [&](const std::string& name) {
    return std::pair(network.parameters().at("lstm." + name),
                     network.parameters().at("lstm." + name + "_reverse"));
  };
  const auto [weight, weight_back] = both("weight_ih_l0");
  const auto [bias, bias_back] = both("bias_ih_l0");
  const auto [more_bias, more_bias_back] = both("bias_hh_l0");
  const auto [recurrent, recurrent_back] = both("weight_hh_l0");

  const Steps steps(copies, network.config().slots);
  const BatchBoxes boxes =
      batch_boxes(steps.from_front, synonyms, network.vectors(), at::cat({weight, weight_back}, 0),
                  at::cat({bias + more_bias, bias_back + more_bias_back}, 0), scale);
  const at::Tensor front = boxes.rows(steps.from_front), back = boxes.rows(steps.from_back);
  const auto lows = inputs_of(boxes.low, front, back, steps.sizes);
  const auto highs = inputs_of(boxes.high, front, back, steps.sizes);

  const at::Tensor half = at::stack({recurrent.t(), recurrent_back.t()}) / 2;  // (2, H, 4 H)
  const at::Tensor half_size = half.abs();
  Sides h, c;
  Pool least, most;
  for (size_t t = 0; t < steps.sizes.size(); ++t) {
    Sides pre{lows[t], highs[t]};
    if (t > 0) {
      h = first(h, steps.sizes[t]);
      c = first(c, steps.sizes[t]);
      const at::Tensor centre = at::bmm(h.low + h.high, half);
      const at::Tensor spread = at::bmm(h.high - h.low, half_size);
      pre = {pre.low + (centre - spread), pre.high + (centre + spread)};
    }
    const Gates low(pre.low), high(pre.high);
    const Sides added = product({low.input, high.input}, {low.cell, high.cell});
    if (t > 0) {
      const Sides kept = product({low.forget, high.forget}, c);
      c = {kept.low + added.low, kept.high + added.high};
    } else {
      c = added;
    }
    h = product({low.output, high.output}, tanh_of(c));
    least.add(h.low);
    most.add(h.high);
  }
  std::vector<int64_t> place(steps.order.size());
  for (size_t k = 0; k < place.size(); ++k)
    place[static_cast<size_t>(steps.order[k])] = static_cast<int64_t>(k);
  const at::Tensor back_in_order = at::tensor(place, at::kLong).to(network.device());
  return {least.features().index_select(0, back_in_order),
          most.features().index_select(0, back_in_order)};
}

}  // namespace textcrs
