#include "engine/linear_head.h"

#include <iterator>
#include <numeric>

#include "engine/cpu_model.h"

namespace textcrs {
namespace {

constexpr size_t kChains = 8;  // sums side by side, in a fixed order

}  // namespace

LinearHead::LinearHead(const Classifier& classifier)
    : weight_(values_of(classifier, "head.weight")), bias_(values_of(classifier, "head.bias")) {}

void LinearHead::score(std::span<const float> features, std::span<double> scores) const {
  for (size_t c = 0; c < bias_.size(); ++c) {
    const float* row = weight_.data() + c * features.size();
    double sums[kChains] = {bias_[c]};
    size_t f = 0;
    for (; f + kChains <= features.size(); f += kChains)
      for (size_t i = 0; i < kChains; ++i) sums[i] += double{row[f + i]} * double{features[f + i]};
    for (; f < features.size(); ++f) sums[0] += double{row[f]} * double{features[f]};
    scores[c] = std::accumulate(std::begin(sums), std::end(sums), 0.0);
  }
}

}  // namespace textcrs
