// Which parts of speech a word can be, by WordNet: its lemmas, and the inflected forms of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_map>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// A set of parts of speech, as bits.
using PartsOfSpeechSet = uint8_t;
inline constexpr PartsOfSpeechSet kNoun = 1, kVerb = 2, kAdjective = 4, kAdverb = 8;

// Immutable; const members are thread-safe.
class PartsOfSpeech {
 public:
  // WordNet's dict folder: index.noun, index.verb, index.adj, index.adv, and its lists of irregular
  // forms noun.exc, verb.exc, adj.exc, adv.exc. A list may be missing, as all four do in the
  // package `wordnet` of the catalogue: the common irregular forms of English are known without
  // them. A bad_input Error that names file and line for anything malformed.
  static PartsOfSpeech load(const std::filesystem::path& dict);

  // What the word can be, its ASCII letters in any case: as a lemma, as an irregular form (mice:
  // mouse), by WordNet's rules of detachment (movies: movie), or by the spelling rules that WordNet
  // has in its lists (running: run; tried: try). 0: WordNet does not know it, as function words and
  // most names.
  PartsOfSpeechSet of(std::string_view word) const;

  // Whether one may stand in the other's place: they have a part of speech in common, or WordNet
  // knows neither.
  bool compatible(std::string_view a, std::string_view b) const;

 private:
  PartsOfSpeech() = default;
  PartsOfSpeechSet in_lemmas(const std::string& word) const;
  void add_irregular(std::string_view form, std::string_view base, PartsOfSpeechSet part);

  // By lemma or irregular form. Words of several words are left out.
  std::unordered_map<std::string, PartsOfSpeechSet> lemmas_, irregular_;
};

}  // namespace textcrs
