// The certified loss of a text whose words vote, and its gradient.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace textcrs {

// A text as rows of a table of scores: its words and, for each width from 2 on that has votes, its
// windows of neighbouring words, by their first word.
struct VoteText {
  std::vector<uint32_t> words;
  std::vector<std::vector<uint32_t>> windows;
};

// What is learnt, or the gradient by it.
struct VoteParameters {
  std::span<float> scores;  // (rows, classes), each between 0 and the cap
  std::span<float> bias;    // one per class
  std::span<float> caps;    // (widths, classes): the largest score, words first
};

// Where every word may become one of its candidates, the word to reckon with: the candidate whose
// s_A - s_B is the least. (rows, A, B), as rows; empty: words stay what they are.
using WorstCandidates = std::span<const uint32_t>;

// With A the label and r edits, the least lead over B that is left is
//   M_B = (the lead of A over B) - (the sum of the r largest losses of a place) - r gain_B,
// (of r = 1.5 the second largest loss counts half), where a place loses, as far as they are
// positive, the lead of its word and those of the windows over it, and gain_B is the cap of a word
// and, for windows of k words, k times theirs. The loss is t ln(1 + the sum over B of exp(-M_B /
// t)), t = `temperature`: 0 for a text that is certified with ease. Convex in the scores.
class CertifiedLoss {
 public:
  CertifiedLoss(double edits, double temperature) : edits_(edits), temperature_(temperature) {}

  // Adds the gradient, `weight` times.
  double add(const VoteText& text, size_t label, const VoteParameters& at, WorstCandidates worst,
             float weight, const VoteParameters& gradient);

 private:
  // What is left of a text against another class.
  struct Rest {
    double margin = 0;
    // The rows of its words and windows, one width after the other, and how often each still
    // counts; a window that several lost places share counts less than nothing.
    std::vector<uint32_t> rows;
    std::vector<float> counts;
  };

  void edit(const VoteText& text, size_t label, size_t other, const VoteParameters& at,
            WorstCandidates worst, Rest& rest);

  double edits_;
  double temperature_;
  std::vector<Rest> rests_;  // by class
  std::vector<float> leads_;
  std::vector<std::pair<float, uint32_t>> losses_;  // of a place, and the place
};

}  // namespace textcrs
