// Words that vote once, however often they stand in a text (docs/certificates.md, B10).
//
// To take a word's vote away, all its copies must go: what a lost words take away at most is a
// knapsack, solved exactly. And a word that is gained brings a vote only if it was not there: b
// gained words bring at most the b largest gains of words that the text does not have.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "certify/vote_curve.h"
#include "textcrs/certify/votes.h"

namespace textcrs {

// The words there are by what they move from a class to another, (from, to) row-major: the largest
// first, as far as it is above 0.
using RankedGains = std::vector<std::vector<std::pair<int64_t, int64_t>>>;  // (votes, unit)
RankedGains ranked_gains(std::span<const int32_t> table, size_t classes,
                         std::span<const int64_t> units);

class PresenceVotes {
 public:
  // The different words of a text, ascending, and how often each stands there; the table of scores
  // has a row for every word. `ranked` must outlive it.
  PresenceVotes(const std::vector<int64_t>& bias, const RankedGains& ranked,
                std::span<const int32_t> table, std::vector<int64_t> words, std::vector<int> copies,
                std::optional<int64_t> threshold = std::nullopt);

  int prediction() const { return static_cast<int>(prediction_); }
  const std::vector<int64_t>& totals() const { return totals_; }
  bool is_clear() const { return textcrs::is_clear(curves_); }
  const std::vector<int64_t>& words() const { return words_; }
  bool keeps(size_t lost, size_t gained) const { return keep(curves_, lost, gained); }
  int64_t lead_after(size_t edits) const { return textcrs::lead_after(curves_, edits); }
  // As TextVotes::certified(), every radius but that of substitutions the true one.
  CertifiedSet certified() const;
  // `lost` are indices into the words: all copies of each go.
  std::optional<VoteWitness> witness() const;

 private:
  struct Rival {  // another class
    std::vector<int64_t> leads;
    std::vector<int64_t> newcomers;  // the words behind the curve's gains
  };

  std::vector<size_t> worst_losses(const Rival& rival, size_t lost) const;

  std::vector<int64_t> words_;
  std::vector<int> copies_;
  size_t units_ = 0, prediction_ = 0;
  std::vector<int64_t> totals_;
  std::vector<Rival> rivals_;
  std::vector<VoteCurve> curves_;  // against the rivals
};

}  // namespace textcrs
