#include "certified/vote_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/tensors.h"
#include "model/vote_table.h"
#include "model/vote_windows.h"
#include "textcrs/base/error.h"
#include "textcrs/text/printable_name.h"
#include "textcrs/text/tokenizer.h"

namespace textcrs {
namespace {

static_assert(kLargestTableScore <= kLargestScore);

// The words an adversary may insert: all, unknown ones included, but PAD and MASK, which no text
// has.
std::vector<int64_t> insertable(const Vocabulary& vocabulary) {
  std::vector<int64_t> words = {kUnk};
  for (WordId word = kFirstWord; word < vocabulary.size(); ++word) words.push_back(word);
  return words;
}

VoteRule rule_of(std::vector<int64_t> bias, std::span<const int32_t> table,
                 std::span<const int64_t> units) {
  const size_t classes = bias.size();
  std::vector<int32_t> rows;
  for (const int64_t unit : units) {
    const auto row = table.subspan(static_cast<size_t>(unit) * classes, classes);
    rows.insert(rows.end(), row.begin(), row.end());
  }
  VoteRule rule = VoteRule::of_table(std::move(bias), rows);
  for (VoteRule::Gain& gain : rule.gains)
    if (gain.unit >= 0) gain.unit = units[static_cast<size_t>(gain.unit)];
  return rule;
}

// The certificate counts the votes of a candidate as it is spelled: a text must read it so.
void check_candidates(const Classifier& classifier) {
  for (WordId word = 0; word < classifier.synonyms().size(); ++word)
    for (const WordId candidate : classifier.synonyms().of(word))
      if (const std::string& spelled = classifier.vocabulary().word(candidate);
          !is_one_word(spelled))
        throw bad_input(
            fmt::format("the model's synonyms: found the candidate '{}', expected candidates that "
                        "are one word to the tokenizer",
                        printable_name(spelled)));
}

std::vector<int32_t> window_scores_of(std::span<const WordId> words, size_t width,
                                      std::span<const int32_t> table, size_t classes) {
  std::vector<int32_t> scores;
  for (const WordId row : window_rows(words, width, table.size() / classes)) {
    const auto votes = table.subspan(static_cast<size_t>(row) * classes, classes);
    scores.insert(scores.end(), votes.begin(), votes.end());
  }
  return scores;
}

// The different words of a text, ascending, and how often each stands there.
struct Different {
  explicit Different(std::span<const WordId> text) {
    std::map<WordId, int> counted;
    for (const WordId word : text) ++counted[word];
    for (const auto& [word, count] : counted) {
      words.push_back(word);
      copies.push_back(count);
    }
  }

  std::vector<int64_t> words;
  std::vector<int> copies;
};

}  // namespace

VoteTables::VoteTables(const Classifier& classifier)
    : scores_(whole_numbers(classifier, kVoteScores)),
      presence_(classifier.config().votes.presence) {
  const int widest = classifier.config().votes.windows;
  if (classifier.synonyms().size() > 0 && (presence_ || widest > 1))
    throw usage_error("candidates are certified beside words alone, not with windows or presence");
  check_candidates(classifier);
  const std::vector<int32_t> bias = whole_numbers(classifier, kVoteBias);
  for (const WordId special : {kPad, kMask})  // spelled out in a text: as unknown as others
    std::copy_n(scores_.data() + kUnk * bias.size(), bias.size(),
                scores_.data() + static_cast<size_t>(special) * bias.size());
  const std::vector<int64_t> units = insertable(classifier.vocabulary());
  rule_ = rule_of({bias.begin(), bias.end()}, scores_, units);
  if (presence_) ranked_ = ranked_gains(scores_, bias.size(), units);
  for (int width = 2; width <= widest; ++width) {
    std::vector<int32_t> table = whole_numbers(classifier, window_scores(width));
    VoteRule rule = VoteRule::of_table(std::vector<int64_t>(bias.size()), table);
    windows_.push_back({std::move(table), std::move(rule)});
  }
}

std::vector<int32_t> VoteTables::scores_of(std::span<const WordId> words) const {
  const size_t classes = rule_.classes();
  std::vector<int32_t> scores(words.size() * classes);
  const auto gather = [&](auto width) {
    for (size_t i = 0; i < words.size(); ++i)
      std::copy_n(scores_.data() + static_cast<size_t>(words[i]) * width, width,
                  scores.data() + i * width);
  };
  if (classes == 2)
    gather(std::integral_constant<size_t, 2>());  // a row is one move
  else
    gather(classes);
  return scores;
}

TextVotes VoteTables::text_votes(std::span<const WordId> words,
                                 std::optional<int64_t> threshold) const {
  return {rule_, scores_of(words), threshold};
}

PresenceVotes VoteTables::presence_votes(std::span<const WordId> words,
                                         std::optional<int64_t> threshold) const {
  Different different(words);
  return {rule_.bias, ranked_, scores_, std::move(different.words), std::move(different.copies),
          threshold};
}

WindowVotes VoteTables::window_votes(std::span<const WordId> words,
                                     std::optional<int64_t> threshold) const {
  std::vector<WindowScores> windows;
  for (size_t i = 0; i < windows_.size(); ++i) {
    const auto& [scores, rule] = windows_[i];
    windows.push_back({rule, window_scores_of(words, i + 2, scores, rule_.classes())});
  }
  return {rule_, scores_of(words), windows, threshold};
}

}  // namespace textcrs
