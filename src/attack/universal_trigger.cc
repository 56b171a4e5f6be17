#include "textcrs/attack/universal_trigger.h"

#include <algorithm>
#include <stdexcept>

#include "textcrs/base/error.h"
#include "textcrs/base/parallel.h"

namespace textcrs {
namespace {

// What a phrase does to the texts.
struct Effect {
  size_t flipped = 0;
  double share = 0;  // of the labels, summed over the texts

  bool better_than(const Effect& other) const {
    return flipped != other.flipped ? flipped > other.flipped : share < other.share;
  }
};

using Phrase = std::vector<std::string>;

class TriggerSearch {
 public:
  TriggerSearch(const AttackTarget& target, std::span<const LabelledWords> texts, StopToken stop)
      : target_(target), stop_(stop) {
    const auto classes = static_cast<int>(target.classes().size());
    for (const LabelledWords& text : texts)
      if (text.label < 0 || text.label >= classes)
        throw std::logic_error("find_trigger: the label of a text is no class of the target");
    std::vector<char> right(texts.size());
    parallel_for(texts.size(), target.examples_at_once(), [&](size_t i) {
      const Phrase none[] = {{}};
      right[i] = ask({static_cast<uint32_t>(i), &texts[i]}, none)[0].flipped == 0;
    });
    for (size_t i = 0; i < texts.size(); ++i)
      if (right[i]) texts_.push_back({static_cast<uint32_t>(i), &texts[i]});
    queries_ = texts.size();
  }

  size_t texts() const { return texts_.size(); }
  uint64_t queries() const { return queries_; }

  std::vector<Effect> effects_of(std::span<const Phrase> phrases) {
    std::vector<std::vector<Effect>> of_text(texts_.size());
    parallel_for(texts_.size(), target_.examples_at_once(),
                 [&](size_t i) { of_text[i] = ask(texts_[i], phrases); });
    queries_ += texts_.size() * phrases.size();
    std::vector<Effect> effects(phrases.size());
    for (const auto& each : of_text)
      for (size_t p = 0; p < phrases.size(); ++p) {
        effects[p].flipped += each[p].flipped;
        effects[p].share += each[p].share;
      }
    return effects;
  }

 private:
  struct Example {
    uint32_t number;
    const LabelledWords* text;
  };

  // What each phrase does to one text.
  std::vector<Effect> ask(const Example& example, std::span<const Phrase> phrases) const {
    stop_.check();
    std::vector<Phrase> texts(phrases.begin(), phrases.end());
    for (Phrase& words : texts)
      words.insert(words.end(), example.text->words.begin(), example.text->words.end());
    const std::vector<double> shares = target_.scores(texts, example.number);
    const auto classes = static_cast<ptrdiff_t>(target_.classes().size());
    std::vector<Effect> effects;
    for (auto row = shares.begin(); row != shares.end(); row += classes) {
      const bool flips = std::max_element(row, row + classes) - row != example.text->label;
      effects.push_back({flips ? size_t{1} : 0, row[example.text->label]});
    }
    return effects;
  }

  const AttackTarget& target_;
  StopToken stop_;
  std::vector<Example> texts_;  // answered right
  uint64_t queries_ = 0;
};

// The first `count` words of every class that the target reads as one word.
Phrase words_to_try(const AttackTarget& target, const ClassWords& words, size_t count) {
  Phrase list;
  for (size_t label = 0; label < target.classes().size(); ++label) {
    const auto of = words.of(static_cast<int>(label));
    for (const std::string& word : of.first(std::min(count, of.size())))
      if (target.words(word) == Phrase{word} &&
          std::find(list.begin(), list.end(), word) == list.end())
        list.push_back(word);
  }
  return list;
}

}  // namespace

Trigger find_trigger(const AttackTarget& target, std::span<const LabelledWords> texts,
                     const ClassWords& words, const TriggerOptions& options,
                     const TriggerReporter& report, StopToken stop) {
  const Phrase candidates = words_to_try(target, words, options.candidates);
  if (candidates.empty() || options.words == 0)
    throw usage_error("there are no words that speak for a class: a trigger needs labelled texts");
  TriggerSearch search(target, texts, stop);
  Trigger trigger;
  Effect best;
  const size_t places = options.words * static_cast<size_t>(std::max(options.rounds, 1));
  for (size_t done = 0; done < places; ++done) {
    const size_t place = done % options.words;
    const bool longer = trigger.phrase.size() <= place;
    std::vector<Phrase> phrases;  // others than the one at hand
    for (const std::string& word : candidates) {
      Phrase phrase = trigger.phrase;
      phrase.resize(std::max(place + 1, phrase.size()));
      phrase[place] = word;
      if (phrase != trigger.phrase) phrases.push_back(std::move(phrase));
    }
    const std::vector<Effect> effects = search.effects_of(phrases);
    for (size_t p = 0; p < phrases.size(); ++p)
      if ((longer && p == 0) || effects[p].better_than(best)) {
        best = effects[p];
        trigger.phrase = phrases[p];
      }
    if (report) report(done + 1, places);
  }
  trigger.texts = search.texts();
  trigger.flipped = best.flipped;
  trigger.queries = search.queries();
  return trigger;
}

}  // namespace textcrs
