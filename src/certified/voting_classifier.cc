#include "textcrs/certified/voting_classifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "certified/warnings.h"
#include "certify/presence_votes.h"
#include "certify/synonym_votes.h"
#include "certify/text_difference.h"
#include "certify/window_votes.h"
#include "model/tensors.h"
#include "model/vote_table.h"
#include "model/vote_windows.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/error.h"
#include "textcrs/text/printable_name.h"
#include "textcrs/text/tokenizer.h"

namespace textcrs {
namespace {

static_assert(kLargestTableScore <= kLargestScore);

// A word that the vocabulary does not hold, and that a tokenizer leaves as it is.
std::string unknown_word(const Vocabulary& vocabulary) {
  std::string word = "zzz";
  while (vocabulary.holds(word)) word += 'z';
  return word;
}

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
  VoteRule rule = VoteRule::of_table(std::move(bias), rows, 0);
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

}  // namespace

struct VotingClassifier::Tables {
  struct Windows {
    std::vector<int32_t> scores;
    VoteRule rule;
  };

  explicit Tables(const Classifier& classifier) : scores(whole_numbers(classifier, kVoteScores)) {
    const std::vector<int32_t> bias = whole_numbers(classifier, kVoteBias);
    for (const WordId special : {kPad, kMask})  // spelled out in a text: as unknown as others
      std::copy_n(scores.data() + kUnk * bias.size(), bias.size(),
                  scores.data() + static_cast<size_t>(special) * bias.size());
    const std::vector<int64_t> units = insertable(classifier.vocabulary());
    words = rule_of({bias.begin(), bias.end()}, scores, units);
    if (classifier.config().votes.presence) ranked = ranked_gains(scores, bias.size(), units);
    for (int width = 2; width <= classifier.config().votes.windows; ++width) {
      std::vector<int32_t> table = whole_numbers(classifier, window_scores(width));
      VoteRule rule = VoteRule::of_table(std::vector<int64_t>(bias.size()), table, 0);
      windows.push_back({std::move(table), std::move(rule)});
    }
  }

  std::vector<int32_t> scores;  // (words, classes)
  VoteRule words;
  RankedGains ranked;            // where words vote once
  std::vector<Windows> windows;  // of 2 words, of 3
};

VotingClassifier::VotingClassifier(std::shared_ptr<const Classifier> classifier)
    : classifier_(std::move(classifier)), noise_(make_noise(kNoNoise)) {
  if (!classifier_->config().kind().casts_votes)
    throw usage_error(fmt::format("a {} does not cast votes", classifier_->config().architecture));
  const VoteShape& shape = classifier_->config().votes;
  if (classifier_->synonyms().size() > 0 && (shape.presence || shape.windows > 1))
    throw usage_error("candidates are certified beside words alone, not with windows or presence");
  check_candidates(*classifier_);
  tables_ = std::make_unique<const Tables>(*classifier_);
  description_ = {.noise = "votes",
                  .trained_noise = {},
                  .engine = "votes",
                  .device = "cpu",
                  .precision = "whole numbers",
                  .model = classifier_->fingerprint(),
                  .unit = "word",
                  .fallback = {},
                  .samples = false,
                  .certifier = {},
                  .settings = {},
                  .caveats = {},
                  .caveats_of_samples = {}};
}

VotingClassifier::~VotingClassifier() = default;

std::vector<Operation> VotingClassifier::operations() const {
  return {Operation::kSubstitution, Operation::kReordering, Operation::kInsertion,
          Operation::kDeletion, Operation::kEdit};
}

std::vector<std::string> VotingClassifier::words(std::string_view text) const {
  return classifier_->words(text);
}

std::vector<int32_t> VotingClassifier::scores_of(std::span<const WordId> words) const {
  const size_t classes = tables_->words.classes();
  std::vector<int32_t> scores(words.size() * classes);
  const auto gather = [&](auto width) {
    for (size_t i = 0; i < words.size(); ++i)
      std::copy_n(tables_->scores.data() + static_cast<size_t>(words[i]) * width, width,
                  scores.data() + i * width);
  };
  if (classes == 2)
    gather(std::integral_constant<size_t, 2>());  // a row is one move
  else
    gather(classes);
  return scores;
}

namespace {

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

// The witness of words that vote once, by the places of all their copies.
VoteWitness by_places(VoteWitness witness, std::span<const int64_t> different,
                      std::span<const WordId> words) {
  std::vector<size_t> places;
  for (const size_t lost : witness.lost)
    for (size_t place = 0; place < words.size(); ++place)
      if (words[place] == different[lost]) places.push_back(place);
  witness.lost = std::move(places);
  return witness;
}

// The answer once the witness's units are lost and gained: the class that overtakes the first one
// may itself be behind a third. `units` are those that vote, rows of the table.
int answer_after(const VoteWitness& witness, const auto& units, std::span<const int32_t> table,
                 std::vector<int64_t> totals) {
  const auto add = [&](int64_t unit, int64_t times) {
    const auto row = table.subspan(static_cast<size_t>(unit) * totals.size(), totals.size());
    for (size_t c = 0; c < totals.size(); ++c) totals[c] += times * row[c];
  };
  for (const size_t lost : witness.lost) add(units[lost], -1);
  for (const int64_t gained : witness.gained) add(gained, 1);
  return static_cast<int>(std::max_element(totals.begin(), totals.end()) - totals.begin());
}

}  // namespace

TextVotes VotingClassifier::text_votes(std::span<const WordId> words,
                                       std::optional<int64_t> threshold) const {
  return {tables_->words, scores_of(words), threshold};
}

PresenceVotes VotingClassifier::presence_votes(std::span<const WordId> words,
                                               std::optional<int64_t> threshold) const {
  Different different(words);
  return {tables_->words.bias,         tables_->ranked, tables_->scores, std::move(different.words),
          std::move(different.copies), threshold};
}

WindowVotes VotingClassifier::window_votes(std::span<const WordId> words,
                                           std::optional<int64_t> threshold) const {
  std::vector<WindowScores> windows;
  for (size_t i = 0; i < tables_->windows.size(); ++i) {
    const auto& [scores, rule] = tables_->windows[i];
    windows.push_back({rule, window_scores_of(words, i + 2, scores, tables_->words.classes())});
  }
  return {tables_->words, scores_of(words), windows, threshold};
}

bool VotingClassifier::keeps(std::span<const WordId> words, std::optional<int64_t> threshold,
                             size_t lost, size_t gained) const {
  return classifier_->config().votes.presence ? presence_votes(words, threshold).keeps(lost, gained)
                                              : text_votes(words, threshold).keeps(lost, gained);
}

VotingClassifier::Verdict VotingClassifier::judge(std::span<const WordId> words,
                                                  std::optional<int64_t> threshold,
                                                  bool with_witness) const {
  const auto verdict_of = [&](const auto& votes) -> Verdict {
    return {votes.prediction(), votes.totals(), votes.certified(), {}, 0};
  };
  if (!tables_->windows.empty()) return verdict_of(window_votes(words, threshold));
  const auto add_witness = [&](const auto& votes, const auto& units, Verdict& verdict) {
    verdict.witness = votes.witness();
    if (verdict.witness)
      verdict.after_witness =
          answer_after(*verdict.witness, units, tables_->scores, verdict.totals);
  };
  if (!classifier_->config().votes.presence) {
    const TextVotes votes = text_votes(words, threshold);
    Verdict verdict = verdict_of(votes);
    if (with_witness) add_witness(votes, words, verdict);
    return verdict;
  }
  const PresenceVotes votes = presence_votes(words, threshold);
  Verdict verdict = verdict_of(votes);
  if (with_witness) add_witness(votes, votes.words(), verdict);
  if (verdict.witness) verdict.witness = by_places(*verdict.witness, votes.words(), words);
  return verdict;
}

Witness VotingClassifier::in_words(const Verdict& verdict,
                                   const std::vector<std::string>& words) const {
  const Vocabulary& vocabulary = classifier_->vocabulary();
  Witness witness;
  witness.answer = classes()[static_cast<size_t>(verdict.after_witness)];
  std::vector<size_t> places = verdict.witness->lost;
  std::sort(places.begin(), places.end());
  for (const size_t place : places) witness.lost.emplace_back(place, words[place]);
  for (const int64_t unit : verdict.witness->gained)
    witness.gained.push_back(unit == kUnk ? unknown_word(vocabulary)
                                          : vocabulary.word(static_cast<WordId>(unit)));
  return witness;
}

Certification VotingClassifier::certify(const std::vector<std::string>& words, uint32_t,
                                        StopToken stop) const {
  return certify_above(std::nullopt, words, stop);
}

Certification VotingClassifier::certify_above(std::optional<int64_t> threshold,
                                              const std::vector<std::string>& words,
                                              StopToken stop) const {
  stop.check();
  const std::vector<WordId> ids = classifier_->vocabulary().encode(words);
  Verdict verdict = judge(ids, threshold, !threshold);
  Certification answer;
  answer.prediction = verdict.prediction;
  answer.counts = std::move(verdict.totals);
  answer.bounds = {1, 0};
  answer.exact = true;
  answer.sound = std::move(verdict.set);
  if (const SynonymTable& synonyms = classifier_->synonyms(); synonyms.size() > 0) {
    answer.sound.synonyms = synonyms.source();
    answer.sound.edits_beside_synonyms =
        edits_beside_candidates(tables_->words, tables_->scores, synonyms, ids, threshold);
  }
  if (verdict.witness) answer.witness = in_words(verdict, words);
  answer.warnings = warnings_of(*classifier_, *noise_, {ids, {}}, answer);
  return answer;
}

std::optional<double> VotingClassifier::harmless_edits(std::span<const WordId> words,
                                                       int label) const {
  const Verdict verdict = judge(words, std::nullopt, false);
  if (verdict.prediction != label) return std::nullopt;
  if (const SynonymTable& synonyms = classifier_->synonyms(); synonyms.size() > 0)
    return edits_beside_candidates(tables_->words, tables_->scores, synonyms, words);
  return verdict.set.radius(Operation::kEdit);
}

Coverage VotingClassifier::covers(const std::vector<std::string>& words, const Certification&,
                                  const std::vector<std::string>& edited) const {
  return covers_above(std::nullopt, words, edited);
}

Coverage VotingClassifier::covers_above(std::optional<int64_t> threshold,
                                        const std::vector<std::string>& words,
                                        const std::vector<std::string>& edited) const {
  const std::vector<WordId> before = classifier_->vocabulary().encode(words);
  const std::vector<WordId> after = classifier_->vocabulary().encode(edited);
  const Difference difference = multiset_difference(before, after);
  const char* const can = threshold ? "can leave the votes unclear" : "can change the answer";
  const char* const can_not = "can not change the answer";
  if (!tables_->windows.empty()) {
    const CertifiedSet set = window_votes(before, threshold).certified();
    if (set.radius(Operation::kReordering) > 0 && difference.none())  // up to any order

      return another_order(Operation::kReordering);
    const int edits = edit_distance(before, after);
    const bool covered = set.certified && edits <= set.radius(Operation::kEdit);
    return {covered, Operation::kEdit,
            fmt::format("{}; as many {}", counted(edits, "edit"),
                        covered     ? can_not
                        : threshold ? "may leave the votes unclear"
                                    : "may change the answer")};
  }
  const bool covered = keeps(before, threshold, static_cast<size_t>(difference.lost),
                             static_cast<size_t>(difference.gained));
  const SynonymTable& synonyms = classifier_->synonyms();
  if (!covered && synonyms.size() > 0) {
    const std::optional<double> most =
        edits_beside_candidates(tables_->words, tables_->scores, synonyms, before, threshold);
    const Difference beside = difference_beside(synonyms, before, after);
    if (most && std::max(beside.lost, beside.gained) <= *most)
      return {true, Operation::kEdit,
              fmt::format("words replaced by their candidates ({}), and {} beside them; as many "
                          "{}, whatever the candidates",
                          synonyms.source(), beside.none() ? "no edit" : textcrs::in_words(beside),
                          can_not)};
  }
  return {covered, Operation::kEdit,
          fmt::format("{}; as many {}", textcrs::in_words(difference), covered ? can_not : can)};
}

int64_t VotingClassifier::strongest_vote() const {
  int64_t strongest = 1;
  for (const VoteRule::Gain& gain : tables_->words.gains)
    strongest = std::max(strongest, gain.votes());
  return strongest;
}

VoteLeads VotingClassifier::leads(const std::vector<std::string>& words,
                                  std::span<const size_t> edits) const {
  const std::vector<WordId> ids = classifier_->vocabulary().encode(words);
  const auto of = [&](const auto& votes) {
    VoteLeads leads{votes.prediction(), votes.certified().radius(Operation::kEdit), {}};
    for (const size_t count : edits) leads.after.push_back(votes.lead_after(count));
    return leads;
  };
  if (!tables_->windows.empty()) return of(window_votes(ids, std::nullopt));
  if (classifier_->config().votes.presence) return of(presence_votes(ids, std::nullopt));
  return of(text_votes(ids, std::nullopt));
}

}  // namespace textcrs
