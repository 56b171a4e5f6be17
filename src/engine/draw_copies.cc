#include "engine/draw_copies.h"

#include <fmt/format.h>

#include <algorithm>

#include "textcrs/base/error.h"

namespace textcrs {

SampleList::SampleList(std::span<const TextSamples> texts, const Noise& noise, Order order)
    : texts_(texts), noise_(noise), order_(order), starts_{0} {
  for (const TextSamples& one : texts) {
    starts_.push_back(starts_.back() + (one.range.end - one.range.begin));
    has_own_words_ = has_own_words_ || !one.text.own.empty();
  }
}

size_t SampleList::text_of(uint64_t sample) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), sample);
  return static_cast<size_t>(after - starts_.begin()) - 1;
}

void SampleList::draw(uint64_t begin, uint64_t end, CopyBatch& batch) const {
  const auto count = static_cast<size_t>(end - begin);
  batch.copies.resize(count);
  batch.sigma = noise_.sigma();
  batch.gaussians.clear();
  batch.own.clear();
  size_t at = count > 0 ? text_of(begin) : 0;
  for (size_t i = 0; i < count; ++i) {
    const uint64_t sample = begin + i;
    while (sample >= starts_[at + 1]) ++at;
    const auto& [text, range] = texts_[at];
    Stream stream(range.seed, range.example,
                  range.begin + static_cast<uint32_t>(sample - starts_[at]), range.words_lane);
    if (batch.sigma > 0) batch.gaussians.push_back(stream.lane(range.gaussian_lane));
    if (has_own_words_) batch.own.push_back(text.own);
    if (order_ == Order::kAny)
      noise_.sample_bag(text, stream, batch.copies[i]);
    else
      noise_.sample(text, stream, batch.copies[i]);
  }
}

std::vector<int> highest(std::span<const double> scores, size_t classes, std::string_view engine) {
  double nothing = 0;  // x - x is 0 for finite x, NaN for all others
  for (const double score : scores) nothing += score - score;
  if (nothing != 0) throw failed(not_finite(engine));
  std::vector<int> answers(scores.size() / classes);
  for (size_t i = 0; i < answers.size(); ++i) {
    const auto row = scores.subspan(i * classes, classes);
    answers[i] = static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin());
  }
  return answers;
}

std::string not_finite(std::string_view engine) {
  return fmt::format(
      "{}: found a copy with a score that is not finite, expected a number for every class (the "
      "model's weights are too large)",
      engine);
}

}  // namespace textcrs
