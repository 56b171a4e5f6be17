// What the tests of the noises share: a small vocabulary, a symmetric synonym table, every noise,
// and the chi-square test of samples against an exact law.
#pragma once

#include <boost/math/special_functions/gamma.hpp>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "textcrs/noise/noise.h"

namespace textcrs::testing {

// Ids 3 .. 9 are the words a .. g. The graph is the path 7 - 5 - 3 - 6 with 4 tied to 3 and 5; 8
// and 9 have no candidates.
inline const Vocabulary& vocabulary() {
  static const Vocabulary words({"a", "b", "c", "d", "e", "f", "g"});
  return words;
}
inline const SynonymTable& synonyms() {
  static const SynonymTable table("test",
                                  {{}, {}, {}, {4, 5, 6}, {5, 3}, {4, 3, 7}, {3}, {5}, {}, {}});
  return table;
}
inline NoiseContext context() { return {&vocabulary(), &synonyms(), 5}; }

// Every kind of noise, each in its canonical spelling.
inline std::vector<std::string> all_specs() {
  return {"none",
          "substitute:kernel=uniform",
          "substitute:kernel=uniform,size=3",
          "substitute:kernel=staircase,size=3",
          "substitute:kernel=staircase,size=50,eps=0.7",
          "substitute:kernel=cluster,size=3",
          "substitute:kernel=graph",
          "substitute:kernel=graph,size=3,eps=0.5,reach=1",
          "reorder:full",
          "reorder:block=3",
          "reorder:block=7",
          "reorder:block=3,order=sorted",
          "reorder:groups=2",
          "reorder:groups=3",
          "insert:sigma=0.2",
          "delete:p=0.3",
          "delete:p=0.6,order=shuffled",
          "universal:p=0.4",
          "gaussian:sigma=0.3",
          "adapt:keep=2",
          "adapt:keep=1.5,least=0.3,most=0.9,growth=2,order=shuffled",
          "mask:p=0.25",
          "hash:buckets=3,functions=4"};
}

inline double total(const Law& law) {
  double sum = 0;
  for (const auto& [words, probability] : law) sum += probability;
  return sum;
}

inline double total_variation(const Law& a, const Law& b) {
  double sum = 0;
  for (const auto& [words, probability] : a) {
    const auto it = b.find(words);
    sum += std::abs(probability - (it == b.end() ? 0 : it->second));
  }
  for (const auto& [words, probability] : b)
    if (!a.contains(words)) sum += probability;
  return sum / 2;
}

// The p-value of Pearson's chi-square test that `samples` copies of `text` follow `law`; cells that
// expect fewer than 5 copies are pooled. 0 if a copy is impossible under the law.
inline double fit(const Noise& noise, const Words& text, const Law& law, int samples = 20000) {
  std::map<Words, int> counts;
  Words copy;
  for (int i = 0; i < samples; ++i) {
    Stream stream(17, 5, static_cast<uint32_t>(i));
    noise.sample(text, stream, copy);
    if (!law.contains(copy)) return 0;
    ++counts[copy];
  }
  double statistic = 0, pooled_expected = 0, pooled_count = 0;
  int cells = 0;
  const auto add_cell = [&](double count, double expected) {
    statistic += (count - expected) * (count - expected) / expected;
    ++cells;
  };
  for (const auto& [words, probability] : law) {
    const double expected = probability * samples;
    const double count = counts.contains(words) ? counts[words] : 0;
    if (expected >= 5) {
      add_cell(count, expected);
    } else {
      pooled_expected += expected;
      pooled_count += count;
    }
  }
  if (pooled_expected > 0) add_cell(pooled_count, pooled_expected);
  return cells < 2 ? 1 : boost::math::gamma_q((cells - 1) / 2.0, statistic / 2);
}

constexpr double kSmallestP = 1e-4;

}  // namespace textcrs::testing
