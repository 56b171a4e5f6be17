#include "train/vote_network.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace textcrs {
namespace {

constexpr const char* kIn = "network.in";        // (dimension, hidden)
constexpr const char* kInBias = "network.bias";  // (hidden)
constexpr const char* kOut = "network.out";      // (hidden, classes)
constexpr float kFirstCap = 0.5F;                // of words; of windows it is shared by their words
constexpr float kLeak = 0.1F;

size_t lowest(std::span<const float> row) {
  return static_cast<size_t>(std::min_element(row.begin(), row.end()) - row.begin());
}

}  // namespace

VoteNetwork::VoteNetwork(std::vector<size_t> rows, size_t classes, std::span<const float> vectors,
                         size_t dimension, size_t hidden, uint64_t seed)
    : ends_(rows.size()),
      classes_(classes),
      dimension_(dimension),
      hidden_(vectors.empty() ? 0 : hidden),
      vectors_(vectors) {
  const auto number = [](size_t n) { return static_cast<int64_t>(n); };
  std::partial_sum(rows.begin(), rows.end(), ends_.begin());
  const size_t all = ends_.back(), kinds = rows.size();
  parameters_[kFree] = {{number(all), number(classes)}, std::vector<float>(all * classes)};
  parameters_[kBias] = {{number(classes)}, std::vector<float>(classes)};
  parameters_[kCaps] = {{number(kinds), number(classes)}, {}};
  for (size_t kind = 0; kind < kinds; ++kind)
    parameters_[kCaps].values.insert(parameters_[kCaps].values.end(), classes,
                                     kFirstCap / static_cast<float>(kind + 1));
  if (hidden_ == 0) return;
  const auto fresh = [&](const char* name, std::vector<int64_t> shape, double bound) {
    parameters_[name] =
        fresh_tensor({.name = name, .shape = std::move(shape), .bound = bound}, seed);
  };
  fresh(kIn, {number(dimension_), number(hidden_)},
        std::sqrt(3.0 / static_cast<double>(dimension_)));
  fresh(kInBias, {number(hidden_)}, 0);
  fresh(kOut, {number(hidden_), number(classes)}, 0.1 / std::sqrt(static_cast<double>(hidden_)));
}

size_t VoteNetwork::kind_of(size_t row) const {
  return static_cast<size_t>(std::upper_bound(ends_.begin(), ends_.end(), row) - ends_.begin());
}

void VoteNetwork::forward(std::vector<uint32_t> rows, VoteForward& out) const {
  out.rows = std::move(rows);
  const size_t count = out.rows.size();
  const auto words = static_cast<size_t>(
      std::lower_bound(out.rows.begin(), out.rows.end(), ends_[0]) - out.rows.begin());
  out.raw.assign(count * classes_, 0);
  out.scores.assign(count * classes_, 0);
  out.hidden.assign(words * hidden_, 0);
  const auto free = values(kFree), caps = values(kCaps);
  for (size_t i = 0; i < count; ++i) {
    float* const raw = out.raw.data() + i * classes_;
    std::copy_n(free.data() + out.rows[i] * classes_, classes_, raw);
    if (i < words && hidden_ > 0) {
      float* const hidden = out.hidden.data() + i * hidden_;
      const float* const vector = vectors_.data() + out.rows[i] * dimension_;
      const float* const in = values(kIn).data();
      std::copy_n(values(kInBias).data(), hidden_, hidden);
      for (size_t d = 0; d < dimension_; ++d)
        for (size_t h = 0; h < hidden_; ++h) hidden[h] += vector[d] * in[d * hidden_ + h];
      const float* const last = values(kOut).data();
      for (size_t h = 0; h < hidden_; ++h) {
        hidden[h] = std::max(hidden[h], 0.0F);
        for (size_t c = 0; c < classes_; ++c) raw[c] += hidden[h] * last[h * classes_ + c];
      }
    }
    const float low = *std::min_element(raw, raw + classes_);
    const float* const cap = caps.data() + kind_of(out.rows[i]) * classes_;
    for (size_t c = 0; c < classes_; ++c)
      out.scores[i * classes_ + c] = std::min(raw[c] - low, cap[c]);
  }
}

void VoteNetwork::backward(const VoteForward& at, std::span<const float> by_scores,
                           Weights& gradient) const {
  const auto caps = values(kCaps);
  std::vector<float> by_raw(classes_), by_hidden(hidden_);
  for (size_t i = 0; i < at.rows.size(); ++i) {
    const std::span<const float> raw(at.raw.data() + i * classes_, classes_);
    const size_t low = lowest(raw), kind = kind_of(at.rows[i]);
    std::fill(by_raw.begin(), by_raw.end(), 0.0F);
    for (size_t c = 0; c < classes_; ++c) {
      if (c == low) continue;
      float pull = by_scores[i * classes_ + c];
      if (raw[c] - raw[low] > caps[kind * classes_ + c]) {
        gradient.at(kCaps).values[kind * classes_ + c] += pull;
        if (pull < 0) pull *= kLeak;
      }
      by_raw[c] += pull;
      by_raw[low] -= pull;
    }
    for (size_t c = 0; c < classes_; ++c)
      gradient.at(kFree).values[at.rows[i] * classes_ + c] += by_raw[c];
    if (hidden_ == 0 || kind > 0) continue;
    const float* const hidden = at.hidden.data() + i * hidden_;
    const float* const vector = vectors_.data() + at.rows[i] * dimension_;
    const float* const last = values(kOut).data();
    float* const by_last = gradient.at(kOut).values.data();
    for (size_t h = 0; h < hidden_; ++h) {
      by_hidden[h] = 0;
      for (size_t c = 0; c < classes_; ++c) {
        by_last[h * classes_ + c] += hidden[h] * by_raw[c];
        if (hidden[h] > 0) by_hidden[h] += by_raw[c] * last[h * classes_ + c];
      }
      gradient.at(kInBias).values[h] += by_hidden[h];
    }
    float* const by_in = gradient.at(kIn).values.data();
    for (size_t d = 0; d < dimension_; ++d)
      for (size_t h = 0; h < hidden_; ++h) by_in[d * hidden_ + h] += vector[d] * by_hidden[h];
  }
}

}  // namespace textcrs
