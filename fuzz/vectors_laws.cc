#include "vectors_laws.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "fuzz.h"
#include "text/utf8.h"
#include "textcrs/base/spec.h"

namespace textcrs::fuzz {
namespace {

std::string as_glove(const WordVectors& vectors) {
  std::string text =
      std::to_string(vectors.size()) + " " + std::to_string(vectors.dimension()) + "\n";
  for (int row = 0; row < vectors.size(); ++row) {
    text += vectors.word(row);
    for (const float value : vectors.row(row)) text += " " + shortest(value);
    text += "\n";
  }
  return text;
}

std::string as_wink(const WordVectors& vectors) {
  nlohmann::json words = nlohmann::json::array(), rows = nlohmann::json::object();
  for (int row = 0; row < vectors.size(); ++row) {
    const std::string word(vectors.word(row));
    words.push_back(word);
    nlohmann::json& numbers = rows[word];
    for (const float value : vectors.row(row)) numbers.push_back(value);
    numbers.push_back(0);
    numbers.push_back(row);
  }
  const nlohmann::json json = {{"size", vectors.size()},
                               {"dimensions", vectors.dimension()},
                               {"l2NormIndex", vectors.dimension()},
                               {"wordIndex", vectors.dimension() + 1},
                               {"words", words},
                               {"vectors", rows}};
  return json.dump();
}

bool all_utf8(const WordVectors& vectors) {
  for (int row = 0; row < vectors.size(); ++row)
    if (find_invalid_utf8(vectors.word(row))) return false;
  return true;
}

// What a line of GloVe's text holds as a word: it neither begins nor ends with what is cut off
// there, and what follows it is its numbers.
bool fits_glove(const WordVectors& vectors) {
  for (int row = 0; row < vectors.size(); ++row) {
    const std::string_view word = vectors.word(row);
    if (word.find_first_of(" \t\r\n") != word.npos || word.empty()) return false;
  }
  return true;
}

}  // namespace

void check_converted(const WordVectors& vectors) {
  for (int row = 0; row < vectors.size(); ++row) {
    require(vectors.find(vectors.word(row)) == row, "a word is found");
    for (const float value : vectors.row(row)) require(std::isfinite(value), "numbers are finite");
  }
  const auto cache = file_with("", "copy.bin");
  if (fits_glove(vectors)) {
    convert_glove_text(file_with(as_glove(vectors), "copy.txt"), cache);
    require(WordVectors::open(cache).fingerprint() == vectors.fingerprint(),
            "written as GloVe's text, it is the same");
  }
  if (all_utf8(vectors)) {
    convert_wink_json(file_with(as_wink(vectors), "copy.json"), cache);
    require(WordVectors::open(cache).fingerprint() == vectors.fingerprint(),
            "written as wink's JSON, it is the same");
  }
}

}  // namespace textcrs::fuzz
