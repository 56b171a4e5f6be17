// The votes of a model's words and windows as the certificates read them, and what follows from
// them for every text.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "certify/presence_votes.h"
#include "certify/window_votes.h"
#include "textcrs/certify/votes.h"
#include "textcrs/model/classifier.h"

namespace textcrs {

class VoteTables {
 public:
  // A bad_input Error for scores that are no whole numbers, or too large, and for candidates that
  // no text has as one word; a usage Error for candidates beside windows or presence.
  explicit VoteTables(const Classifier& classifier);

  bool has_windows() const { return !windows_.empty(); }
  bool is_of_presence() const { return presence_; }               // a word votes once
  const std::vector<int32_t>& scores() const { return scores_; }  // of the words, (words, classes)
  const VoteRule& rule() const { return rule_; }                  // of the words

  // Which of the three it is says the model.
  TextVotes text_votes(std::span<const WordId> words, std::optional<int64_t> threshold) const;
  PresenceVotes presence_votes(std::span<const WordId> words,
                               std::optional<int64_t> threshold) const;
  WindowVotes window_votes(std::span<const WordId> words, std::optional<int64_t> threshold) const;

 private:
  struct Windows {
    std::vector<int32_t> scores;
    VoteRule rule;
  };

  std::vector<int32_t> scores_of(std::span<const WordId> words) const;

  std::vector<int32_t> scores_;
  VoteRule rule_;
  bool presence_;
  RankedGains ranked_;            // where words vote once
  std::vector<Windows> windows_;  // of 2 words, of 3
};

}  // namespace textcrs
