// Who may replace whom: the adversary's candidates and the lists the substitution noises draw from.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/text/vocabulary.h"
#include "textcrs/text/word_vectors.h"

namespace TEXTCRS_API textcrs {

// For every word of a vocabulary a ranked list of other words, best first, without repeats and
// without the word itself. Special words have none.
class SynonymTable {
 public:
  SynonymTable() = default;
  // `lists[w]` is the list of word w; one that breaks a rule above is a std::logic_error.
  SynonymTable(std::string source, std::vector<std::vector<WordId>> lists);

  const std::string& source() const { return source_; }  // where it came from, in words
  std::span<const WordId> of(WordId word) const;         // empty beyond the table
  int size() const { return static_cast<int>(lists_.size()); }

  // v in of(w) iff w in of(v) (certificates B6 need it): missing directions are appended at the end
  // of the list, ordered by id.
  SynonymTable symmetric() const;
  bool is_symmetric() const;
  // Words (v, w) such that w is in of(v) and v is not in of(w); none if the table is symmetric.
  std::optional<std::pair<WordId, WordId>> one_sided() const;

  // A table of vocabulary.spellings(), by the ids of the vocabulary: a cluster has the candidates
  // of all its words, but for those in it; those of its first word come first. Symmetric if this
  // is.
  SynonymTable by_clusters(const Vocabulary& vocabulary) const;

  // JSON {word: [words]}; words outside the vocabulary are left out, and so are repeats and the
  // word itself. Anything else, also a word listed twice, is a bad_input Error that names the
  // place.
  static SynonymTable from_json(const std::filesystem::path& path, const Vocabulary& vocabulary,
                                std::string source = "");  // empty: the file's name
  // All words of such a file, in its order: a vocabulary for the whole table.
  static std::vector<std::string> json_words(const std::filesystem::path& path);
  void save_json(const std::filesystem::path& path, const Vocabulary& vocabulary) const;

  // Words that share a WordNet synset (dict folder with data.noun, data.verb, data.adj, data.adv),
  // most shared synsets first, then by spelling. A lemma the vocabulary does not hold is looked up
  // in lower case; lemmas of several words are left out.
  static SynonymTable from_wordnet(const std::filesystem::path& dict, const Vocabulary& vocabulary);

  // The `count` nearest words of the vocabulary by cosine, at least `floor` similar. Kept in
  // home_folder()/cache (load_or_build_neighbours).
  static SynonymTable from_vectors(const WordVectors& vectors, const Vocabulary& vocabulary,
                                   int count, double floor);

  // Every lemma of WordNet in lower case, those of several words left out: a vocabulary for a table
  // of all its synonyms.
  static std::vector<std::string> wordnet_words(const std::filesystem::path& dict);

 private:
  std::string source_;
  std::vector<std::vector<WordId>> lists_;
};

}  // namespace textcrs
