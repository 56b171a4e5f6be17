// The index files of WordNet: after the licence one lemma a line, in lower case, '_' for a space,
//
//   lemma pos synset_cnt p_cnt [ptr...] sense_cnt tagsense_cnt synset_offset [synset_offset...]
//
// with as many pointers as p_cnt and offsets as synset_cnt says. A .exc file: "form lemma
// [lemma...]".
#include "textcrs/text/parts_of_speech.h"

#include <fmt/format.h>

#include <array>

#include "text/irregular_forms.h"
#include "text/wordnet_line.h"

namespace textcrs {
namespace {

struct Part {
  PartsOfSpeechSet bit;
  const char* index;
  const char* exceptions;
  char letter;
  std::string_view irregular;
};

std::array<Part, 4> parts() {
  return {{{kNoun, "index.noun", "noun.exc", 'n', irregular_nouns()},
           {kVerb, "index.verb", "verb.exc", 'v', irregular_verbs()},
           {kAdjective, "index.adj", "adj.exc", 'a', irregular_adjectives()},
           {kAdverb, "index.adv", "adv.exc", 'r', irregular_adverbs()}}};
}

// The lemma of a line of an index; empty if it has several words.
std::string_view lemma_of(WordnetLine& line, char letter) {
  const std::string_view lemma = line.next("a lemma"), pos = line.next("pos");
  if (pos != std::string_view(&letter, 1))
    line.fail(fmt::format("pos is '{}', expected {}", pos, letter));
  const int synsets = line.number("synset_cnt");
  if (synsets == 0) line.fail("synset_cnt is 0, expected a synset");
  const int pointers = line.number("p_cnt");
  for (int i = 0; i < pointers; ++i) line.next("a pointer");
  if (const int senses = line.number("sense_cnt"); senses != synsets)
    line.fail(fmt::format("sense_cnt is {}, expected {} as synset_cnt", senses, synsets));
  line.number("tagsense_cnt");
  for (int i = 0; i < synsets; ++i) line.digits("synset_offset", 8, 10);
  if (!line.at_end())
    line.fail(fmt::format("found '{}', expected the end of the line", line.rest()));
  return lemma.find('_') == std::string_view::npos ? lemma : std::string_view();
}

template <typename Visit>
void for_each_field(std::string_view text, std::string_view separator, const Visit& visit) {
  for (size_t end = 0; end != std::string_view::npos;) {
    end = text.find(separator);
    visit(text.substr(0, end));
    if (end != std::string_view::npos) text.remove_prefix(end + separator.size());
  }
}

struct Rule {
  PartsOfSpeechSet part;
  std::string_view ending, replacement;
};

// morphy(7WN), and below, what it has in its lists one by one although there is a rule to it.
constexpr Rule kRules[] = {
    {kNoun, "s", ""},         {kNoun, "ses", "s"},      {kNoun, "xes", "x"},
    {kNoun, "zes", "z"},      {kNoun, "ches", "ch"},    {kNoun, "shes", "sh"},
    {kNoun, "men", "man"},    {kNoun, "ies", "y"},      {kVerb, "s", ""},
    {kVerb, "ies", "y"},      {kVerb, "es", "e"},       {kVerb, "es", ""},
    {kVerb, "ed", "e"},       {kVerb, "ed", ""},        {kVerb, "ing", "e"},
    {kVerb, "ing", ""},       {kAdjective, "er", ""},   {kAdjective, "est", ""},
    {kAdjective, "er", "e"},  {kAdjective, "est", "e"}, {kNoun, "oes", "o"},
    {kVerb, "ied", "y"},      {kVerb, "cked", "c"},     {kVerb, "cking", "c"},
    {kAdjective, "ier", "y"}, {kAdjective, "iest", "y"}};

// run of runn, which the rules make of running; else empty.
std::string halved(const std::string& stem) {
  constexpr std::string_view kConsonants = "bdfgklmnprstvz";
  const size_t size = stem.size();
  const bool doubled = size >= 3 && stem[size - 1] == stem[size - 2] &&
                       kConsonants.find(stem[size - 1]) != std::string_view::npos;
  return doubled ? stem.substr(0, size - 1) : "";
}

}  // namespace

PartsOfSpeech PartsOfSpeech::load(const std::filesystem::path& dict) {
  PartsOfSpeech all;
  for (const Part& part : parts()) {
    for_each_wordnet_line(dict / part.index, [&](WordnetLine& line) {
      if (const std::string_view lemma = lemma_of(line, part.letter); !lemma.empty())
        all.lemmas_[lower_case(lemma)] |= part.bit;
    });
    for_each_field(part.irregular, "; ", [&](std::string_view entry) {
      const std::string_view base = entry.substr(0, entry.find(' '));
      for_each_field(entry.substr(base.size() + 1), " ",
                     [&](std::string_view form) { all.add_irregular(form, base, part.bit); });
    });
    if (std::filesystem::exists(dict / part.exceptions))
      for_each_wordnet_line(dict / part.exceptions, [&](WordnetLine& line) {
        const std::string_view form = line.next("an inflected form");
        do all.add_irregular(form, line.next("its lemma"), part.bit);
        while (!line.at_end());
      });
  }
  return all;
}

void PartsOfSpeech::add_irregular(std::string_view form, std::string_view base,
                                  PartsOfSpeechSet part) {
  if ((in_lemmas(lower_case(base)) & part) != 0) irregular_[lower_case(form)] |= part;
}

PartsOfSpeechSet PartsOfSpeech::in_lemmas(const std::string& word) const {
  const auto found = lemmas_.find(word);
  return found == lemmas_.end() ? 0 : found->second;
}

PartsOfSpeechSet PartsOfSpeech::of(std::string_view word) const {
  const std::string form = lower_case(word);
  PartsOfSpeechSet set = in_lemmas(form);
  if (const auto found = irregular_.find(form); found != irregular_.end()) set |= found->second;
  for (const Rule& rule : kRules) {
    if ((set & rule.part) != 0) continue;
    std::string_view rest = form;
    if (rule.part == kNoun) {
      if (rest.ends_with("ful"))
        rest.remove_suffix(3);  // boxesful
      else if (rest.ends_with("ss") || rest.size() <= 2)
        continue;
    }
    if (!rest.ends_with(rule.ending) || rest.size() == rule.ending.size()) continue;
    const std::string stem =
        std::string(rest.substr(0, rest.size() - rule.ending.size())).append(rule.replacement);
    const PartsOfSpeechSet known =
        in_lemmas(stem) | (rule.ending == "s" ? 0 : in_lemmas(halved(stem)));
    set |= known & rule.part;
  }
  return set;
}

bool PartsOfSpeech::compatible(std::string_view a, std::string_view b) const {
  const PartsOfSpeechSet of_a = of(a), of_b = of(b);
  return (of_a & of_b) != 0 || (of_a == 0 && of_b == 0);
}

}  // namespace textcrs
