// Things that are named by a fetched asset or by a path.
#pragma once

#include <filesystem>
#include <string>

#include "textcrs/base/api.h"
#include "textcrs/text/synonyms.h"
#include "textcrs/text/vocabulary.h"
#include "textcrs/text/word_vectors.h"

namespace TEXTCRS_API textcrs {

// The main file or folder of the asset of that name ("imdb", "minilm"), or the path itself; a path
// that exists wins. An Error that says how to fetch it for an asset that is not here.
std::filesystem::path asset_or_path(const std::string& source);

// "glove" (the fetched package) or a file: GloVe .txt or the wink .json.
WordVectors open_vectors(const std::string& source);

// Where synonyms come from.
struct SynonymSource {
  std::string source;  // glove, wordnet or a JSON file; empty: nowhere
  int count = 50;      // glove: candidates per word
  double floor = 0.5;  // glove: the least cosine similarity

  bool given() const { return !source.empty(); }
  // All words of the table, for a vocabulary that knows them; glove has none of its own.
  std::vector<std::string> words() const;
  // The symmetric table; `vectors` as open_vectors() takes it. A usage Error if there is no source.
  SynonymTable load(const Vocabulary& vocabulary, const std::string& vectors) const;
};

}  // namespace textcrs
