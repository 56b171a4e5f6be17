#include "attack/attack_run.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "attack/join.h"

namespace textcrs {
namespace {

// Edits whose similarity is computed together while the nearest that is similar enough is looked
// for: mostly one of the first is.
constexpr size_t kSimilarAtOnce = 4;

}  // namespace

AttackRun::AttackRun(const AttackParts& parts, const AttackLimits& limits,
                     const AttackTarget& target, const std::vector<std::string>& words, int label,
                     uint32_t example, StopToken stop)
    : parts_(parts),
      limits_(limits),
      target_(target),
      label_(label),
      example_(example),
      stop_(stop),
      random_(limits.seed, example, 0, lane::kAttack),
      text_(words) {
  if (label < 0 || label >= static_cast<int>(target.classes().size()))
    throw std::logic_error("Attack::run: the label is no class of the target");
}

bool AttackRun::begin() {
  before_ = now_ = ask_about(text_.words);
  const auto own = before_.shares.begin() + label_;
  return std::max_element(before_.shares.begin(), before_.shares.end()) == own;
}

std::vector<size_t> AttackRun::places() const {
  std::vector<size_t> places;
  for (size_t place = 0; place < text_.size(); ++place)
    if (std::all_of(parts_.constraints.begin(), parts_.constraints.end(),
                    [&](const auto& constraint) { return constraint->may_edit(text_, place); }))
      places.push_back(place);
  return places;
}

bool AttackRun::is_one_word(const std::string& word) {
  const auto [known, is_new] = one_word_.try_emplace(word);
  if (is_new) {
    const std::vector<std::string> read = target_.words(word);
    known->second = read.size() == 1 && read[0] == word;
  }
  return known->second;
}

bool AttackRun::allows(const WordEdit& edit) const {
  return std::all_of(parts_.constraints.begin(), parts_.constraints.end(),
                     [&](const auto& constraint) { return constraint->allows(text_, edit); });
}

std::vector<WordEdit> AttackRun::edits_at(size_t place) {
  if (!parts_.transformation) throw std::logic_error("Attack: its search needs a transformation");
  std::vector<WordEdit> edits = parts_.transformation->at(text_, place, random_);
  std::erase_if(edits, [&](const WordEdit& edit) {
    const bool has_word =
        edit.kind == WordEdit::Kind::kReplace || edit.kind == WordEdit::Kind::kInsert;
    return (has_word && !is_one_word(edit.word)) || !allows(edit);
  });
  return edits;
}

std::vector<Asked> AttackRun::ask(std::span<const WordEdit> edits) {
  std::vector<std::vector<std::string>> texts;
  texts.reserve(edits.size());
  for (const WordEdit& edit : edits) texts.push_back(words_after(edit, text_.words));
  return ask_all(texts);
}

Asked AttackRun::ask_about(const std::vector<std::string>& words) {
  return ask_all(std::span(&words, 1))[0];
}

std::vector<Asked> AttackRun::ask_all(std::span<const std::vector<std::string>> texts) {
  stop_.check();
  std::vector<Asked*> answers;
  std::vector<Asked*> asks;  // of the texts that are not known yet
  std::vector<std::vector<std::string>> unknown;
  for (const auto& words : texts) {
    const std::string key = joined(words);
    const auto known = known_.find(key);
    if (known != known_.end()) {
      answers.push_back(&known->second);
      continue;
    }
    spent_ = limits_.queries > 0 && queries_ + unknown.size() >= limits_.queries;
    if (spent_) break;
    answers.push_back(&known_[key]);  // stays where it is
    asks.push_back(answers.back());
    unknown.push_back(words);
  }
  if (answers.size() < texts.size() && answers.empty()) throw QueriesSpent();
  queries_ += unknown.size();
  if (!unknown.empty()) {
    const std::vector<double> shares = target_.scores(unknown, example_);
    auto row = shares.begin();
    const auto classes = static_cast<ptrdiff_t>(target_.classes().size());
    for (Asked* asked : asks) {
      asked->shares.assign(row, row + classes);
      asked->nearness = parts_.goal->nearness(asked->shares, label_);
      asked->reached = parts_.goal->reached(asked->shares, label_);
      row += classes;
    }
  }
  std::vector<Asked> copies;
  copies.reserve(answers.size());
  for (const Asked* answer : answers) copies.push_back(*answer);
  return copies;
}

std::vector<double> AttackRun::similarity_after(std::span<const WordEdit> edits) const {
  if (!parts_.similarity) return std::vector<double>(edits.size(), 1);
  return parts_.similarity->after(text_, edits);
}

bool AttackRun::take(const WordEdit& edit, const Asked& asked) {
  return move_to(applied(edit, text_), asked);
}

bool AttackRun::take_if_nearer(EditedText text) {
  const Asked asked = ask_about(text.words);
  return (asked.reached || asked.nearness > now_.nearness) && move_to(std::move(text), asked);
}

bool AttackRun::move_to(EditedText text, const Asked& asked) {
  if (target_.words(joined(text.words)) != text.words) return false;
  text_ = std::move(text);
  now_ = asked;
  return true;
}

bool AttackRun::take_best(std::span<const WordEdit> edits, std::span<const Asked> asked) {
  std::vector<size_t> order(asked.size());
  std::iota(order.begin(), order.end(), size_t{0});
  const auto pick = [&](std::span<const size_t> from) {
    std::vector<WordEdit> picked;
    for (const size_t i : from) picked.push_back(edits[i]);
    return picked;
  };

  // Those that reach the goal, the most similar first.
  const auto others =
      std::stable_partition(order.begin(), order.end(), [&](size_t i) { return asked[i].reached; });
  std::vector<size_t> there(order.begin(), others);
  if (!there.empty()) {
    const std::vector<double> similar = similarity_after(pick(there));
    std::vector<double> of(edits.size());
    for (size_t k = 0; k < there.size(); ++k) of[there[k]] = similar[k];
    std::stable_sort(there.begin(), there.end(), [&](size_t a, size_t b) { return of[a] > of[b]; });
    for (const size_t i : there)
      if (of[i] > 0 && take(edits[i], asked[i])) return true;
  }

  // The others, the nearest first.
  order.erase(order.begin(), others);
  std::erase_if(order, [&](size_t i) { return !(asked[i].nearness > now_.nearness); });
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return asked[a].nearness > asked[b].nearness; });
  for (size_t begin = 0; begin < order.size(); begin += kSimilarAtOnce) {
    const auto part =
        std::span(order).subspan(begin, std::min(kSimilarAtOnce, order.size() - begin));
    const std::vector<double> similar = similarity_after(pick(part));
    for (size_t k = 0; k < part.size(); ++k)
      if (similar[k] > 0 && take(edits[part[k]], asked[part[k]])) return true;
  }
  return false;
}

}  // namespace textcrs
