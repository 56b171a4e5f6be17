#include "textcrs/noise/synonym_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace textcrs {
namespace {

std::span<const WordId> first_of(std::span<const WordId> list, int count) {
  return list.first(std::min(list.size(), static_cast<size_t>(count)));
}

// A disjoint-set forest whose roots are the smallest ids of their sets.
class Sets {
 public:
  explicit Sets(int size) : parent_(static_cast<size_t>(size)), count_(parent_.size(), 1) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  WordId root(WordId word) {
    while (parent_[static_cast<size_t>(word)] != word) {
      WordId& up = parent_[static_cast<size_t>(word)];
      up = parent_[static_cast<size_t>(up)];
      word = up;
    }
    return word;
  }
  void join(WordId a, WordId b, int limit) {
    const auto [low, high] = std::minmax({root(a), root(b)});
    const int joint = count_[static_cast<size_t>(low)] + count_[static_cast<size_t>(high)];
    if (low == high || joint > limit) return;
    parent_[static_cast<size_t>(high)] = low;
    count_[static_cast<size_t>(low)] = joint;
  }

 private:
  std::vector<WordId> parent_;
  std::vector<int> count_;
};

}  // namespace

SynonymTable keep_mutual(const SynonymTable& table, int count) {
  std::vector<std::vector<WordId>> lists(static_cast<size_t>(table.size()));
  for (WordId word = 0; word < table.size(); ++word) {
    for (const WordId other : first_of(table.of(word), count)) {
      const auto back = first_of(table.of(other), count);
      if (std::find(back.begin(), back.end(), word) != back.end())
        lists[static_cast<size_t>(word)].push_back(other);
    }
  }
  return SynonymTable(fmt::format("{}, mutual among the first {}", table.source(), count),
                      std::move(lists));
}

std::vector<std::pair<WordId, int>> words_within(const SynonymTable& table, WordId word,
                                                 int reach) {
  std::vector<std::pair<WordId, int>> found = {{word, 0}};
  if (table.of(word).empty()) return found;
  std::vector<bool> seen(static_cast<size_t>(table.size()));
  seen[static_cast<size_t>(word)] = true;
  for (size_t next = 0; next < found.size() && found[next].second < reach; ++next) {
    const auto [from, distance] = found[next];
    for (const WordId other : table.of(from)) {
      if (seen[static_cast<size_t>(other)]) continue;
      seen[static_cast<size_t>(other)] = true;
      found.emplace_back(other, distance + 1);
    }
  }
  return found;
}

std::vector<WordId> cluster_synonyms(const SynonymTable& table, int size) {
  std::vector<std::tuple<size_t, WordId, WordId>> edges;  // rank sum, lower id, higher id
  for (WordId word = 0; word < table.size(); ++word) {
    const auto list = table.of(word);
    for (size_t rank = 0; rank < list.size(); ++rank) {
      if (list[rank] < word) continue;
      const auto back = table.of(list[rank]);
      const auto back_rank = std::find(back.begin(), back.end(), word) - back.begin();
      edges.emplace_back(rank + static_cast<size_t>(back_rank), word, list[rank]);
    }
  }
  std::sort(edges.begin(), edges.end());
  Sets sets(table.size());
  for (const auto& [ranks, low, high] : edges) sets.join(low, high, size);
  std::vector<WordId> cluster(static_cast<size_t>(table.size()));
  for (WordId word = 0; word < table.size(); ++word)
    cluster[static_cast<size_t>(word)] = sets.root(word);
  return cluster;
}

}  // namespace textcrs
