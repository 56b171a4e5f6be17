// The paper's uniform-based permutation (section "Certified Robustness to Word Reordering"): the
// positions are divided uniformly at random into groups of L (the last takes what is left), and the
// words of each group are shuffled over its positions. docs/certificates.md, A, shows why no l1
// radius is proved for it.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "noise/kinds.h"
#include "noise/laws.h"

namespace textcrs {
namespace {

using Positions = std::vector<size_t>;
using Groups = std::vector<Positions>;

// Calls visit(chosen, others) for every way to choose `count` of `items`; with `with_first` the
// first item is always among the chosen.
void for_each_choice(const Positions& items, size_t count, bool with_first,
                     const std::function<void(const Positions&, const Positions&)>& visit) {
  std::vector<char> taken(items.size(), 0);
  std::fill_n(taken.begin(), count, 1);
  do {
    if (with_first && !taken[0])
      return;  // prev_permutation ends with the choices without the first
    Positions chosen, others;
    for (size_t i = 0; i < items.size(); ++i) (taken[i] ? chosen : others).push_back(items[i]);
    visit(chosen, others);
  } while (std::prev_permutation(taken.begin(), taken.end()));
}

// Every partition of `items`, whose number `length` divides, into groups of `length`, once.
void for_each_partition(const Positions& items, size_t length, Groups& groups,
                        const std::function<void(const Groups&)>& visit) {
  if (items.empty()) return visit(groups);
  for_each_choice(items, length, true, [&](const Positions& chosen, const Positions& others) {
    groups.push_back(chosen);
    for_each_partition(others, length, groups, visit);
    groups.pop_back();
  });
}

// Shuffles the words of groups [k, ..) over their positions and adds each outcome to the law.
void spread(const Groups& groups, size_t k, double probability, Words& words, Law& law) {
  if (k == groups.size()) {
    law[words] += probability;
    return;
  }
  const Words before = words;
  Words members;
  for (const size_t position : groups[k]) members.push_back(before[position]);
  const Law orders = shuffled(members);
  for (const auto& [order, share] : orders) {
    for (size_t i = 0; i < order.size(); ++i) words[groups[k][i]] = order[i];
    spread(groups, k + 1, probability * share, words, law);
  }
  words = before;
}

class ReorderGroups final : public Noise {
 public:
  explicit ReorderGroups(const ReorderParameters& parameters)
      : parameters_(parameters), length_(static_cast<size_t>(parameters.length)) {}

  std::string spec() const override { return parameters_.spec(); }

  // The second half of `out` holds the shuffled positions; consecutive runs of L are the groups.
  void sample(Text text, Stream& stream, Words& out) const override {
    const size_t m = text.size();
    out.assign(text.begin(), text.end());
    out.resize(2 * m);
    const std::span<WordId> words = std::span(out).first(m), positions = std::span(out).last(m);
    std::iota(positions.begin(), positions.end(), 0);
    stream.shuffle(positions);
    for (size_t begin = 0; begin < m; begin += length_) {
      const auto group = positions.subspan(begin, std::min(length_, m - begin));
      for (size_t i = group.size(); i > 1; --i)
        std::swap(words[static_cast<size_t>(group[i - 1])],
                  words[static_cast<size_t>(group[stream.below(static_cast<uint32_t>(i))])]);
    }
    out.resize(m);
  }

  std::optional<CopyPlan> plan(Text text) const override {
    return CopyPlan{.words = {text.begin(), text.end()},
                    .order = CopyOrder::kGroups,
                    .length = static_cast<uint32_t>(length_)};
  }

  void sample_bag(Text text, const Stream&, Words& out) const override {
    out.assign(text.begin(), text.end());
  }

  // With k groups of L and one of r there are m! / (L!^k k! r!) equally likely partitions.
  Law law(Text text) const override {
    const size_t m = text.size(), full = m / length_, rest = m % length_;
    const double log_placements = log_factorial(m) - log_factorial(full);
    check_outcomes(std::exp(log_placements));
    const double within = full == 0 ? 0 : static_cast<double>(full) * log_factorial(length_);
    const double partitions = std::round(std::exp(log_placements - within - log_factorial(rest)));
    Law law;
    Words words(text.begin(), text.end());
    Positions all(m);
    std::iota(all.begin(), all.end(), size_t{0});
    for_each_choice(all, rest, false, [&](const Positions& last, const Positions& others) {
      Groups groups = {last};
      for_each_partition(others, length_, groups, [&](const Groups& partition) {
        spread(partition, 0, 1 / partitions, words, law);
      });
    });
    return law;
  }

 private:
  ReorderParameters parameters_;
  size_t length_;  // of the parameters
};

}  // namespace

std::unique_ptr<Noise> make_reorder_groups(const ReorderParameters& parameters) {
  return std::make_unique<ReorderGroups>(parameters);
}

}  // namespace textcrs
