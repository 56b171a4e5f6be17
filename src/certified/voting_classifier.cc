#include "textcrs/certified/voting_classifier.h"

#include <fmt/format.h>

#include <algorithm>

#include "certified/vote_tables.h"
#include "certified/warnings.h"
#include "certify/synonym_votes.h"
#include "certify/text_difference.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/error.h"
#include "textcrs/base/parallel.h"

namespace textcrs {
namespace {

// A word that the vocabulary does not hold, and that a tokenizer leaves as it is.
std::string unknown_word(const Vocabulary& vocabulary) {
  std::string word = "zzz";
  while (vocabulary.holds(word)) word += 'z';
  return word;
}

}  // namespace

VotingClassifier::VotingClassifier(std::shared_ptr<const Classifier> classifier, int threads)
    : classifier_(std::move(classifier)),
      noise_(make_noise(kNoNoise)),
      threads_(threads > 0 ? threads : available_cores()) {
  if (!classifier_->config().kind().casts_votes)
    throw usage_error(fmt::format("a {} does not cast votes", classifier_->config().architecture));
  tables_ = std::make_unique<const VoteTables>(*classifier_);
  description_ = {.noise = "votes",
                  .engine = "votes",
                  .device = "cpu",
                  .precision = "whole numbers",
                  .model = classifier_->fingerprint(),
                  .architecture = classifier_->config().architecture,
                  .synonyms = classifier_->synonyms_fingerprint(),
                  .samples = false};
}

VotingClassifier::~VotingClassifier() = default;

std::vector<Operation> VotingClassifier::operations() const {
  return {Operation::kSubstitution, Operation::kReordering, Operation::kInsertion,
          Operation::kDeletion, Operation::kEdit};
}

std::vector<std::string> VotingClassifier::words(std::string_view text) const {
  return classifier_->words(text);
}

namespace {

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

bool VotingClassifier::keeps(std::span<const WordId> words, std::optional<int64_t> threshold,
                             size_t lost, size_t gained) const {
  return tables_->is_of_presence() ? tables_->presence_votes(words, threshold).keeps(lost, gained)
                                   : tables_->text_votes(words, threshold).keeps(lost, gained);
}

VotingClassifier::Verdict VotingClassifier::judge(std::span<const WordId> words,
                                                  std::optional<int64_t> threshold,
                                                  bool with_witness) const {
  const auto verdict_of = [&](const auto& votes) -> Verdict {
    return {votes.prediction(), votes.totals(), votes.certified(), {}, 0};
  };
  if (tables_->has_windows()) return verdict_of(tables_->window_votes(words, threshold));
  const auto add_witness = [&](const auto& votes, const auto& units, Verdict& verdict) {
    verdict.witness = votes.witness();
    if (verdict.witness)
      verdict.after_witness =
          answer_after(*verdict.witness, units, tables_->scores(), verdict.totals);
  };
  if (!tables_->is_of_presence()) {
    const TextVotes votes = tables_->text_votes(words, threshold);
    Verdict verdict = verdict_of(votes);
    if (with_witness) add_witness(votes, words, verdict);
    return verdict;
  }
  const PresenceVotes votes = tables_->presence_votes(words, threshold);
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
        edits_beside_candidates(tables_->rule(), tables_->scores(), synonyms, ids, threshold);
  }
  if (answer.sound.certified) answer.sound.canonical = classifier_->config().canonical;
  if (verdict.witness) answer.witness = in_words(verdict, words);
  answer.warnings = warnings_of(*classifier_, *noise_, {ids, {}}, answer);
  return answer;
}

std::optional<double> VotingClassifier::harmless_edits(std::span<const WordId> words,
                                                       int label) const {
  const Verdict verdict = judge(words, std::nullopt, false);
  if (verdict.prediction != label) return std::nullopt;
  if (const SynonymTable& synonyms = classifier_->synonyms(); synonyms.size() > 0)
    return edits_beside_candidates(tables_->rule(), tables_->scores(), synonyms, words);
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
  if (tables_->has_windows()) {
    const CertifiedSet set = tables_->window_votes(before, threshold).certified();
    if (set.radius(Operation::kReordering) > 0 && difference.none())  // then it is any order
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
        edits_beside_candidates(tables_->rule(), tables_->scores(), synonyms, before, threshold);
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
  for (const VoteRule::Gain& gain : tables_->rule().gains)
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
  if (tables_->has_windows()) return of(tables_->window_votes(ids, std::nullopt));
  if (tables_->is_of_presence()) return of(tables_->presence_votes(ids, std::nullopt));
  return of(tables_->text_votes(ids, std::nullopt));
}

}  // namespace textcrs
