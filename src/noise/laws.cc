#include "noise/laws.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace textcrs {
double log_factorial(size_t n) {
  double sum = 0;
  for (size_t i = 2; i <= n; ++i) sum += std::log(static_cast<double>(i));
  return sum;
}

void check_outcomes(double count) {
  if (count > kMaxOutcomes)
    throw std::logic_error("Noise::law: the text has more than 10^6 outcomes");
}

double arrangements(std::span<const WordId> text) {
  Words words(text.begin(), text.end());
  std::sort(words.begin(), words.end());
  double log_count = log_factorial(words.size());
  for (auto it = words.begin(); it != words.end();) {
    const auto end = std::upper_bound(it, words.end(), *it);
    log_count -= log_factorial(static_cast<size_t>(end - it));
    it = end;
  }
  return std::round(std::exp(log_count));
}

Law certain(std::span<const WordId> text) { return {{Words(text.begin(), text.end()), 1.0}}; }

Law shuffled(std::span<const WordId> text) {
  Words words(text.begin(), text.end());
  std::sort(words.begin(), words.end());
  const double count = arrangements(words);
  check_outcomes(count);
  Law law;
  do {
    law.emplace_hint(law.end(), words, 1 / count);
  } while (std::next_permutation(words.begin(), words.end()));
  return law;
}

Law joined(const Law& left, const Law& right) {
  check_outcomes(static_cast<double>(left.size()) * static_cast<double>(right.size()));
  Law law;
  for (const auto& [head, head_probability] : left) {
    for (const auto& [tail, tail_probability] : right) {
      Words words = head;
      words.insert(words.end(), tail.begin(), tail.end());
      law[std::move(words)] += head_probability * tail_probability;
    }
  }
  return law;
}

void mix_in(Law& law, const Law& part, double weight) {
  for (const auto& [words, probability] : part) law[words] += weight * probability;
  check_outcomes(static_cast<double>(law.size()));
}

}  // namespace textcrs
