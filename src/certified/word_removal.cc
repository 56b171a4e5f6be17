#include "certified/word_removal.h"

#include <algorithm>
#include <numeric>

#include "certified/vote_counter.h"
#include "engine/draw_copies.h"

namespace textcrs {
namespace {

double share_of(const Votes& votes, size_t top) {
  const int64_t cast = std::accumulate(votes.begin(), votes.end(), int64_t{0});
  return cast == 0 ? 0 : static_cast<double>(votes[top]) / static_cast<double>(cast);
}

bool is_in(const std::vector<size_t>& positions, WordId place) {
  return std::binary_search(positions.begin(), positions.end(), static_cast<size_t>(place));
}

}  // namespace

bool WordRemoval::laws_fit(std::span<const Influence> removed, double outcomes) const {
  return std::all_of(removed.begin(), removed.end(), [&](const Influence& word) {
    return noise_.law_size(Text(without(text_.ids, word), text_.own)) <= outcomes;
  });
}

SharesWithout WordRemoval::shares_of_laws(std::span<const Influence> removed, size_t top) const {
  const auto share = [&](Text text) {
    return VoteCounter(engine_, noise_, text, classes_, stop_).law().shares[top];
  };
  SharesWithout shares{share(text_), {}};
  for (const Influence& word : removed)
    shares.without.push_back(share(Text(without(text_.ids, word), text_.own)));
  return shares;
}

SharesWithout WordRemoval::shares(std::span<const Influence> removed, const SampleRange& range,
                                  size_t top) const {
  return noise_.picks_places() ? shares_of_picked(removed, range, top)
                               : shares_of_shortened(removed, range, top);
}

SharesWithout WordRemoval::shares_of_shortened(std::span<const Influence> removed,
                                               const SampleRange& range, size_t top) const {
  const auto share = [&](Text text) {
    const VoteCounter counter(engine_, noise_, text, classes_, stop_);
    const std::optional<uint64_t> outcomes = noise_.outcomes(text);
    return share_of(outcomes ? counter.outcomes(*outcomes) : counter.samples(range), top);
  };
  SharesWithout shares{share(text_), {}};
  for (const Influence& word : removed)
    shares.without.push_back(share(Text(without(text_.ids, word), text_.own)));
  return shares;
}

SharesWithout WordRemoval::shares_of_picked(std::span<const Influence> removed,
                                            const SampleRange& range, size_t top) const {
  Words places(text_.size());
  std::iota(places.begin(), places.end(), WordId{0});
  const TextSamples samples{Text(places), range};
  const SampleList list(std::span(&samples, 1), noise_);
  CopyBatch drawn;
  list.draw(0, list.size(), drawn);
  const std::vector<bool> whole = votes_for(top, drawn.copies);
  const auto copies = static_cast<double>(whole.size());
  const auto votes = std::count(whole.begin(), whole.end(), true);
  SharesWithout shares{static_cast<double>(votes) / copies, {}};
  for (const Influence& word : removed) {
    std::vector<Words> shortened;
    int64_t change = 0;
    for (size_t c = 0; c < drawn.copies.size(); ++c) {
      Words rest = drawn.copies[c];
      if (std::erase_if(rest, [&](WordId place) { return is_in(word.positions, place); }) == 0)
        continue;
      shortened.push_back(std::move(rest));
      change -= whole[c];
    }
    const std::vector<bool> again = votes_for(top, shortened);
    change += std::count(again.begin(), again.end(), true);
    shares.without.push_back(static_cast<double>(votes + change) / copies);
  }
  return shares;
}

std::vector<bool> WordRemoval::votes_for(size_t top, std::span<const Words> places) const {
  std::vector<bool> votes;
  while (!places.empty()) {
    stop_.check();
    const size_t part = std::min<size_t>(places.size(), engine_.part_size());
    CopyBatch batch;
    for (const Words& copy : places.first(part)) {
      Words& words = batch.copies.emplace_back();
      for (const WordId place : copy) words.push_back(text_[static_cast<size_t>(place)]);
      if (!text_.own.empty()) batch.own.push_back(text_.own);
    }
    for (const int answer : engine_.classify(batch))
      votes.push_back(static_cast<size_t>(answer) == top);
    places = places.subspan(part);
  }
  return votes;
}

}  // namespace textcrs
