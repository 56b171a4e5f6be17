#include "certified/warnings.h"

#include <algorithm>

#include "model/piece_table.h"

namespace textcrs {
namespace {

size_t unknown_words(const Classifier& classifier, Text text) {
  if (!classifier.vocabulary().is_open())
    return static_cast<size_t>(std::count(text.begin(), text.end(), kUnk));
  const PieceTable& table = classifier.pieces();
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [&](WordId word) {
    std::vector<int32_t> pieces;
    table.append(word, text.own, pieces);
    return std::all_of(pieces.begin(), pieces.end(),
                       [&](int32_t piece) { return piece == table.wordpiece().unk(); });
  }));
}

// Without the votes of the blank copies the lead would not be certain.
bool blank_copies_decide(double share, const Certification& answer) {
  return share > 0.5 ||
         (share > 0 && !answer.abstained && share > answer.bounds.pa - answer.bounds.pb);
}

}  // namespace

std::vector<Warning> warnings_of(const Noise& noise, Text text, const Certification& answer) {
  if (text.empty()) return {Warning::kNoWords};
  if (blank_copies_decide(noise.blank_share(text), answer)) return {Warning::kBlankDecides};
  return {};
}

std::vector<Warning> warnings_of(const Classifier& classifier, const Noise& noise, Text text,
                                 const Certification& answer) {
  std::vector<Warning> warnings = warnings_of(noise, text, answer);
  if (!text.empty() && 2 * unknown_words(classifier, text) > text.size())
    warnings.push_back(Warning::kMostlyUnknown);
  return warnings;
}

}  // namespace textcrs
