#include "textcrs/certify/embedding_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <vector>

#include "certify/squared_distance.h"
#include "certify/transport.h"

namespace textcrs {
namespace {

// The squared distances between different words, a row at a time as they are asked for.
class SquaredDistances {
 public:
  SquaredDistances(const Embeddings& embeddings, std::vector<WordId> words)
      : embeddings_(embeddings), words_(std::move(words)), rows_(words_.size()) {
    for (const WordId word : words_) vector(word);
  }

  std::span<const double> from(size_t i) {
    std::vector<double>& row = rows_[i];
    if (row.empty()) {
      row.resize(words_.size());
      for (size_t j = 0; j < row.size(); ++j)
        row[j] = j == i             ? 0
                 : rows_[j].empty() ? squared_distance(vector(words_[i]), vector(words_[j]))
                                    : rows_[j][i];
    }
    return row;
  }

  // From word i to any word.
  double between(size_t i, WordId other) const {
    return squared_distance(vector(words_[i]), vector(other));
  }

  size_t index(WordId word) const {
    return static_cast<size_t>(std::find(words_.begin(), words_.end(), word) - words_.begin());
  }
  size_t size() const { return words_.size(); }

 private:
  std::span<const float> vector(WordId word) const {
    if (!embeddings_.has(word))
      throw std::logic_error(fmt::format("embeddings: word {} has no vector, there are {}", word,
                                         embeddings_.words() + embeddings_.own_words()));
    return embeddings_.of(word);
  }

  Embeddings embeddings_;
  std::vector<WordId> words_;
  std::vector<std::vector<double>> rows_;
};

// A word that can be reached from another through the words of the text, and the price of the
// cheapest way: the sum of its squared hops.
struct Stop {
  double squares;
  size_t word;
};

// Every word that `within` accepts the price of, cheapest first (Dijkstra).
template <typename Within>
std::vector<Stop> reachable(SquaredDistances& distances, size_t start, const Within& within) {
  std::vector<double> best(distances.size(), std::numeric_limits<double>::infinity());
  std::vector<size_t> open(distances.size());
  for (size_t i = 0; i < open.size(); ++i) open[i] = i;
  best[start] = 0;
  std::vector<Stop> stops;
  while (!open.empty()) {
    const auto nearest = std::min_element(open.begin(), open.end(),
                                          [&](size_t a, size_t b) { return best[a] < best[b]; });
    const size_t i = *nearest;
    if (!within(best[i])) break;
    stops.push_back({best[i], i});
    *nearest = open.back();
    open.pop_back();
    const std::span<const double> hops = distances.from(i);
    for (const size_t j : open) best[j] = std::min(best[j], best[i] + hops[j]);
  }
  return stops;
}

}  // namespace

std::string SingleEdits::in_words() const {
  return fmt::format(
      "of the single edits, {} of {} insertions, {} of {} substitutions and {} of {} deletions",
      insertions_covered, insertions, substitutions_covered, substitutions, deletions_covered,
      deletions);
}

EmbeddingChange::EmbeddingChange(const Embeddings& embeddings, int slots)
    : embeddings_(embeddings), slots_(static_cast<size_t>(std::max(slots, 0))) {
  if (slots < 1) throw std::logic_error("embedding change: no slots");
  const auto width = static_cast<size_t>(embeddings.dimension);
  if (embeddings.words() <= kPad || embeddings.rows.size() % width != 0 ||
      embeddings.own_rows.size() % width != 0)
    throw std::logic_error("embeddings: the rows are not whole, or there are none");
}

std::span<const WordId> EmbeddingChange::seen(Text text) const { return text.cut(slots_).ids; }

double EmbeddingChange::root_up(double squares) const {
  return distance_up(squares, embeddings_.dimension, slots_);
}

double EmbeddingChange::distance(Text text, Text edited) const {
  struct Counts {
    int before = 0, after = 0;
  };
  std::map<WordId, Counts> counts;
  for (const WordId word : seen(text)) ++counts[word].before;
  for (const WordId word : seen(edited)) ++counts[word].after;
  counts[kPad].before += static_cast<int>(slots_ - seen(text).size());
  counts[kPad].after += static_cast<int>(slots_ - seen(edited).size());

  std::vector<WordId> words;
  std::vector<int> before, after;
  for (const auto& [word, count] : counts) {
    words.push_back(word);
    before.push_back(count.before);
    after.push_back(count.after);
  }
  SquaredDistances distances(embeddings_, std::move(words));
  return root_up(cheapest_transport(before, after, [&](size_t i) { return distances.from(i); }));
}

// One word r leaves the slots and one word v enters them. The best matching is then a chain r -> u1
// -> u2 -> .. -> v through words of the text, each vector taking the place of the next: the path of
// the smallest sum of squared hops.
SingleEdits EmbeddingChange::single_edits(Text text, const NearWords& near, double radius) const {
  const std::span<const WordId> window = seen(text);
  const bool full = window.size() == slots_;
  std::map<WordId, size_t> places;  // of each word in the window
  for (const WordId word : window) ++places[word];
  std::vector<WordId> words;
  for (const auto& [word, count] : places) words.push_back(word);
  if (!full && !places.contains(kPad)) words.push_back(kPad);
  SquaredDistances distances(embeddings_, std::move(words));

  const auto within = [&](double squares) { return root_up(squares) <= radius; };
  const auto way_out = [&](WordId leaving) {
    return reachable(distances, distances.index(leaving), within);
  };
  const auto covered = [&](const std::vector<Stop>& stops, WordId entering) {
    return std::any_of(stops.begin(), stops.end(), [&](const Stop& stop) {
      return within(stop.squares + distances.between(stop.word, entering));
    });
  };

  SingleEdits edits;
  const WordId next = text.size() > slots_ ? text[slots_] : kPad;  // enters when one is deleted
  for (const auto& [word, count] : places) {
    const std::vector<Stop> stops = way_out(word);
    if (covered(stops, next)) edits.deletions_covered += count;
    for (const WordId other : near(word))
      if (covered(stops, other)) edits.substitutions_covered += count;
  }

  std::vector<WordId> inserted;
  for (const WordId word : text) {
    const std::span<const WordId> others = near(word);
    edits.substitutions += others.size();
    inserted.insert(inserted.end(), others.begin(), others.end());
  }
  std::sort(inserted.begin(), inserted.end());
  inserted.erase(std::unique(inserted.begin(), inserted.end()), inserted.end());
  edits.insertions = inserted.size();
  const std::vector<Stop> stops = way_out(full ? window.back() : kPad);
  edits.insertions_covered = static_cast<size_t>(std::count_if(
      inserted.begin(), inserted.end(), [&](WordId other) { return covered(stops, other); }));

  edits.deletions = text.size();
  for (const WordId word : text.ids.subspan(window.size())) {
    ++edits.deletions_covered;
    edits.substitutions_covered += near(word).size();
  }
  return edits;
}

}  // namespace textcrs
