// The exact truth about tiny texts, in rational arithmetic and independent of the library: the laws
// of the noises, and the worst case over all base classifiers (Neyman-Pearson).
#pragma once

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "textcrs/certify/certificate.h"

namespace textcrs::oracle {

using Rational = boost::multiprecision::cpp_rational;
using Precise = boost::multiprecision::cpp_bin_float_100;
using ExactText = std::vector<int>;
using ExactLaw = std::map<ExactText, Rational>;

constexpr int kMask = -1;

inline Rational power(const Rational& x, int k) {
  Rational result = 1;
  for (int i = 0; i < k; ++i) result *= x;
  return result;
}

inline Rational factorial(size_t n) {
  Rational result = 1;
  for (size_t i = 2; i <= n; ++i) result *= i;
  return result;
}

// Every order of `words`, each with an equal share of `mass` (equal orders meet).
inline void add_shuffled(const ExactText& words, const Rational& mass, ExactLaw& law) {
  std::vector<size_t> order(words.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const Rational share = mass / factorial(words.size());
  do {
    ExactText outcome;
    for (const size_t i : order) outcome.push_back(words[i]);
    law[outcome] += share;
  } while (std::next_permutation(order.begin(), order.end()));
}

// p(word) is the probability that the word is deleted.
template <typename Probability>
ExactLaw deletion_law_by_word(const ExactText& text, const Probability& p, bool shuffled) {
  ExactLaw law;
  for (unsigned kept = 0; kept < 1u << text.size(); ++kept) {
    ExactText outcome;
    Rational mass = 1;
    for (size_t i = 0; i < text.size(); ++i) {
      const bool keep = kept >> i & 1;
      if (keep) outcome.push_back(text[i]);
      const Rational gone = p(text[i]);
      mass *= keep ? 1 - gone : gone;
    }
    if (mass == 0) continue;
    if (shuffled)
      add_shuffled(outcome, mass, law);
    else
      law[outcome] += mass;
  }
  return law;
}

inline ExactLaw deletion_law(const ExactText& text, const Rational& p, bool shuffled) {
  return deletion_law_by_word(
      text, [&](int) { return p; }, shuffled);
}

inline ExactLaw full_law(const ExactText& text) {
  ExactLaw law;
  add_shuffled(text, 1, law);
  return law;
}

inline ExactLaw masking_law(const ExactText& text, const Rational& p) {
  ExactLaw law;
  for (unsigned masked = 0; masked < 1u << text.size(); ++masked) {
    ExactText outcome = text;
    Rational mass = 1;
    for (size_t i = 0; i < text.size(); ++i) {
      const bool mask = masked >> i & 1;
      if (mask) outcome[i] = kMask;
      mass *= mask ? p : 1 - p;
    }
    law[outcome] += mass;
  }
  return law;
}

// Cuts before every position g, 1 <= g < m, with g = offset mod L, offset uniform in 0..L-1.
inline ExactLaw block_law(const ExactText& text, int length) {
  const int m = static_cast<int>(text.size());
  ExactLaw law;
  for (int offset = 0; offset < length; ++offset) {
    ExactLaw whole{{{}, Rational(1, length)}};
    ExactText block;
    for (int g = 0; g < m; ++g) {
      block.push_back(text[g]);
      if (g + 1 < m && (g + 1) % length != offset) continue;
      ExactLaw longer;
      for (const auto& [head, mass] : whole) {
        ExactLaw tails;
        add_shuffled(block, mass, tails);
        for (const auto& [tail, share] : tails) {
          ExactText outcome = head;
          outcome.insert(outcome.end(), tail.begin(), tail.end());
          longer[outcome] += share;
        }
      }
      whole = longer;
      block.clear();
    }
    for (const auto& [outcome, mass] : whole) law[outcome] += mass;
  }
  return law;
}

// The same cuts, each block sorted; which order it is makes no difference to the worst case.
inline ExactLaw sorted_block_law(const ExactText& text, int length) {
  const int m = static_cast<int>(text.size());
  ExactLaw law;
  for (int offset = 0; offset < length; ++offset) {
    ExactText outcome = text;
    int begin = 0;
    for (int g = 1; g <= m; ++g) {
      if (g < m && g % length != offset) continue;
      std::sort(outcome.begin() + begin, outcome.begin() + g);
      begin = g;
    }
    law[outcome] += Rational(1, length);
  }
  return law;
}

// Piece (t, b) holds the words with bucket(word, t) = b, sorted; all functions * buckets are alike.
template <typename Bucket>
ExactLaw pieces_law(const ExactText& text, int buckets, int functions, const Bucket& bucket) {
  const Rational share = Rational(1) / (functions * buckets);
  ExactLaw law;
  for (int t = 0; t < functions; ++t)
    for (int b = 0; b < buckets; ++b) {
      ExactText piece;
      for (const int word : text)
        if (bucket(word, t) == b) piece.push_back(word);
      std::sort(piece.begin(), piece.end());
      law[piece] += share;
    }
  return law;
}

struct Outcome {
  Rational before, after;  // probability around x and around x'
};

// The outcomes of both noises, by rising likelihood ratio after / before.
inline std::vector<Outcome> by_ratio(const ExactLaw& x, const ExactLaw& edited) {
  std::map<ExactText, Outcome> joint;
  for (const auto& [outcome, mass] : x) joint[outcome].before = mass;
  for (const auto& [outcome, mass] : edited) joint[outcome].after = mass;
  std::vector<Outcome> outcomes;
  for (const auto& [outcome, masses] : joint) outcomes.push_back(masses);
  std::sort(outcomes.begin(), outcomes.end(), [](const Outcome& a, const Outcome& b) {
    return a.after * b.before < b.after * a.before;
  });
  return outcomes;
}

// Outcomes of the same ratio as one: the best set takes any part of them alike.
inline std::vector<Outcome> merged(const std::vector<Outcome>& by_ratio) {
  std::vector<Outcome> merged;
  for (const Outcome& outcome : by_ratio) {
    if (merged.empty() ||
        merged.back().after * outcome.before != outcome.after * merged.back().before) {
      merged.push_back(outcome);
      continue;
    }
    merged.back().before += outcome.before;
    merged.back().after += outcome.after;
  }
  return merged;
}

// The probability around x' of the first outcomes that have probability `mass` around x; outcomes
// impossible around x are included only with `free`.
inline Rational fill(const std::vector<Outcome>& outcomes, Rational mass, bool free) {
  Rational result = 0;
  for (const auto& [before, after] : outcomes) {
    if (before == 0) {
      if (free) result += after;
      continue;
    }
    if (mass >= before) {
      result += after;
      mass -= before;
    } else if (mass > 0) {
      result += after * mass / before;
      mass = 0;
    }
  }
  return result;
}

// The worst case over all base classifiers, for one text and one edited text.
class WorstCase {
 public:
  WorstCase(const ExactLaw& x, const ExactLaw& edited)
      : rising_(merged(by_ratio(x, edited))), falling_(rising_.rbegin(), rising_.rend()) {}

  // Whether g(x') = yA for every base classifier with P(yA) >= pa and P(yB) <= pb around x. The
  // worst yA takes the lowest ratios, the worst yB the highest; they do not meet, as pa + pb <= 1.
  bool robust(Bounds bounds) const {
    return fill(rising_, Rational(bounds.pa), false) > fill(falling_, Rational(bounds.pb), true);
  }

 private:
  std::vector<Outcome> rising_, falling_;  // by the ratio after / before
};

inline Rational total_variation(const ExactLaw& x, const ExactLaw& edited) {
  Rational sum = 0;
  for (const auto& [before, after] : by_ratio(x, edited))
    sum += before > after ? before - after : after - before;
  return sum / 2;
}

// 1, 2, .., m.
inline ExactText distinct_words(int m) {
  ExactText text(static_cast<size_t>(m));
  std::iota(text.begin(), text.end(), 1);
  return text;
}

inline bool contains(const CertifiedSet& set, int lost, int gained) {
  return set.certified && std::any_of(set.frontier.begin(), set.frontier.end(), [&](auto pair) {
           return lost <= pair.first && gained <= pair.second;
         });
}

// pB = 1 - pA, and a pB well below it (more than two classes).
inline std::vector<Bounds> bounds_to_try() {
  std::vector<Bounds> list;
  for (const double pa : {0.51, 0.55, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.99, 0.999, 1.0}) {
    list.push_back({pa, 1 - pa});
    list.push_back({pa, (1 - pa) / 4});
  }
  list.push_back({0.3, 0.2});
  list.push_back({0.5, 0.5});
  return list;
}

}  // namespace textcrs::oracle
