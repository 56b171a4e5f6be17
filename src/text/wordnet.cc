// The data files of WordNet: after the licence, whose lines start with two spaces, one synset a
// line,
//
//   offset lex_filenum ss_type w_cnt word lex_id [word lex_id...] p_cnt [ptr...] [frames...] |
//   gloss
//
// with an offset of 8 digits, w_cnt of 2 hexadecimal digits, lex_id of 1 and p_cnt of 3 digits. A
// word has '_' for a space, and an adjective may end with its syntactic marker (a), (p) or (ip).
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "text/wordnet_line.h"
#include "textcrs/text/synonyms.h"

namespace textcrs {
namespace {

std::string_view without_marker(std::string_view word) {
  for (const std::string_view marker : {"(a)", "(p)", "(ip)"})
    if (word.size() > marker.size() && word.ends_with(marker))
      return word.substr(0, word.size() - marker.size());
  return word;
}

// The synset's words of one part, markers removed.
std::vector<std::string_view> words_of(WordnetLine& line) {
  const size_t gloss = line.rest().find(" | ");
  if (gloss == std::string_view::npos) line.fail("found no ' | ', expected one before the gloss");
  line.cut_rest(gloss);
  line.digits("the offset", 8, 10);
  line.digits("lex_filenum", 2, 10);
  const std::string_view type = line.next("ss_type");
  if (type.size() != 1 || std::string_view("nvasr").find(type) == std::string_view::npos)
    line.fail(fmt::format("ss_type is '{}', expected n, v, a, s or r", type));
  const int count = line.digits("w_cnt", 2, 16);
  if (count == 0) line.fail("w_cnt is 00, expected a word");
  std::vector<std::string_view> words;
  for (int i = 0; i < count; ++i) {
    const std::string_view word = without_marker(line.next("a word"));
    line.digits("lex_id", 1, 16);
    if (word.find('_') == std::string_view::npos) words.push_back(word);
  }
  line.digits("p_cnt", 3, 10);
  return words;
}

WordId lookup(std::string_view lemma, const Vocabulary& vocabulary) {
  const WordId id = vocabulary.id(lemma);
  return id != kUnk ? id : vocabulary.id(lower_case(lemma));
}

// Calls visit(words) for the single words of every synset.
template <typename Visit>
void for_each_synset(const std::filesystem::path& dict, const Visit& visit) {
  for (const char* name : {"data.noun", "data.verb", "data.adj", "data.adv"})
    for_each_wordnet_line(dict / name, [&](WordnetLine& line) { visit(words_of(line)); });
}

}  // namespace

std::vector<std::string> SynonymTable::wordnet_words(const std::filesystem::path& dict) {
  std::set<std::string> words;
  for_each_synset(dict, [&](const std::vector<std::string_view>& lemmas) {
    for (const std::string_view lemma : lemmas) words.insert(lower_case(lemma));
  });
  return {words.begin(), words.end()};
}

SynonymTable SynonymTable::from_wordnet(const std::filesystem::path& dict,
                                        const Vocabulary& vocabulary) {
  std::vector<std::map<WordId, int>> shared(  // synsets of a word with each other word
      static_cast<size_t>(vocabulary.size()));
  for_each_synset(dict, [&](const std::vector<std::string_view>& lemmas) {
    std::vector<WordId> ids;
    for (const std::string_view lemma : lemmas)
      if (const WordId id = lookup(lemma, vocabulary); id >= kFirstWord) ids.push_back(id);
    std::sort(ids.begin(), ids.end());
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    for (const WordId a : ids)
      for (const WordId b : ids)
        if (a != b) ++shared[static_cast<size_t>(a)][b];
  });
  std::vector<std::vector<WordId>> lists(shared.size());
  for (size_t word = 0; word < shared.size(); ++word) {
    std::vector<WordId>& list = lists[word];
    for (const auto& [other, count] : shared[word]) list.push_back(other);
    std::sort(list.begin(), list.end(), [&](WordId a, WordId b) {
      const int in_a = shared[word].at(a), in_b = shared[word].at(b);
      return in_a != in_b ? in_a > in_b : vocabulary.word(a) < vocabulary.word(b);
    });
  }
  return SynonymTable("WordNet synsets", std::move(lists));
}

}  // namespace textcrs
