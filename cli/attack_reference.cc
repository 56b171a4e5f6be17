#include "attack_reference.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "split.h"
#include "terminal.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/hash.h"

namespace textcrs::cli {
namespace {

// How many labelled texts a phrase is searched on: more cost time, and change it little.
constexpr size_t kTriggerTexts = 200;

std::string fingerprint(const std::vector<LabelledWords>& texts) {
  uint64_t hash = kHashStart;
  for (const LabelledWords& text : texts) {
    hash = fnv1a(fmt::format("{} {} ", text.label, text.words.size()), hash);
    for (const std::string& word : text.words) hash = fnv1a(word + " ", hash);
  }
  return fmt::format("{:016x}", hash);
}

// What the search for a phrase depends on: all that was set so far, but for the texts attacked.
std::string fingerprint(const std::vector<Setting>& settings, uint64_t seed) {
  uint64_t hash = fnv1a(fmt::format("{}", seed));
  for (const Setting& setting : settings) {
    if (setting.name == "split" || setting.name == "limit") continue;
    hash = fnv1a(fmt::format(" {} ", setting.name), hash);
    if (const auto* const text = std::get_if<std::string>(&setting.value))
      hash = fnv1a(*text, hash);
    else if (const auto* const number = std::get_if<uint64_t>(&setting.value))
      hash = fnv1a(fmt::format("{}", *number), hash);
  }
  return fmt::format("{:016x}", hash);
}

// That of the run which the folder holds, if it was found by the same search.
std::vector<std::string> phrase_of_run(const AttackRunOptions& options, const Setting& search) {
  if (options.overwrite || setting_of_run(options.folder, search.name) != search) return {};
  const std::optional<Setting> phrase = setting_of_run(options.folder, "phrase");
  const auto* const words = phrase ? std::get_if<std::string>(&phrase->value) : nullptr;
  return words == nullptr ? std::vector<std::string>() : split(*words, " ");
}

std::vector<std::string> search_phrase(const AttackTarget& target,
                                       const std::vector<LabelledWords>& texts,
                                       const ClassWords& words, const TriggerOptions& options) {
  StatusLine status;
  // Every so-manieth text: all classes, wherever they lie.
  std::vector<LabelledWords> some;
  const size_t step = std::max<size_t>(1, texts.size() / kTriggerTexts);
  for (size_t i = 0; i < texts.size(); i += step) some.push_back(texts[i]);
  const Trigger trigger = find_trigger(
      target, some, words, options,
      [&](size_t done, size_t places) {
        status.update(fmt::format("searching for a phrase: {}/{}", done, places));
      },
      stop_token());
  status.clear();
  remark(fmt::format("the phrase \"{}\" turns {} of {} that were answered right",
                     fmt::join(trigger.phrase, " "), trigger.flipped,
                     counted(trigger.texts, "reference text")));
  return trigger.phrase;
}

}  // namespace

Learnt learn(const AttackFlags& flags, const RecipeNeeds& needs, const AttackTarget& target,
             AttackRunOptions& options) {
  Learnt learnt;
  if (!needs.class_words) return learnt;
  const std::vector<LabelledWords> reference = flags.load_reference(target);
  options.settings.push_back({"reference", fingerprint(reference)});
  learnt.class_words.emplace(reference, target.classes().size());
  if (!needs.phrase) return learnt;
  const Setting search = {"phrase_search", fingerprint(options.settings, flags.options.seed)};
  learnt.phrase = phrase_of_run(options, search);
  if (learnt.phrase.empty())
    learnt.phrase = search_phrase(target, reference, *learnt.class_words, needs.trigger);
  options.settings.push_back(search);
  options.settings.push_back({"phrase", fmt::format("{}", fmt::join(learnt.phrase, " "))});
  return learnt;
}

}  // namespace textcrs::cli
