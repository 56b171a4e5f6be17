// The words of a text.
#include <fmt/ranges.h>

#include "fuzz.h"
#include "text/utf8.h"
#include "textcrs/text/tokenizer.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace textcrs;
  const std::string_view text = fuzz::text_of(data, size);
  const std::vector<std::string> words = tokenize(text);
  for (const std::string& word : words)
    fuzz::require(
        !word.empty() && !find_invalid_utf8(word) && word.find_first_of(" \t\n\v\f\r") == word.npos,
        "a word is UTF-8, not empty and without white space");
  fuzz::require(tokenize(fmt::format("{}", fmt::join(words, " "))) == words,
                "the words of the words are the words");
  without_markup(text);
  return 0;
}
