// The words and pieces of a text as BERT reads it: '0' with the usual rules, '1' with case and
// accents, '2' without cleaning and without cutting Chinese.
#include <fmt/ranges.h>

#include "fuzz.h"
#include "text/utf8.h"
#include "textcrs/text/wordpiece.h"

namespace {

using textcrs::WordPiece;

WordPiece with(const textcrs::WordPieceRules& rules) {
  return WordPiece({"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "##a", "##b", "ab",
                    "##ab", "!", "\xe4\xb8\xad", "\xc3\xa9", "##\xcc\x81", "##"},
                   rules);
}

// Whether it may have marks that stay and have an order (U+302E, U+302F, U+1D165 to U+1D172): where
// another mark between them vanishes, the words need not be stable (wordpiece.h).
bool has_ordered_marks(std::string_view text) {
  return text.find("\xe3\x80\xae") != text.npos || text.find("\xe3\x80\xaf") != text.npos ||
         text.find("\xf0\x9d\x85") != text.npos;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace textcrs;
  static const WordPiece kinds[] = {
      with({}), with({.lower_case = false, .strip_accents = false}),
      with({.split_chinese = false, .clean_text = false, .longest_word = 3})};
  const fuzz::Choice input(fuzz::text_of(data, size), 3);
  const WordPiece& wordpiece = kinds[input.which];
  const std::vector<std::string> words = wordpiece.words(input.rest);
  std::vector<int32_t> pieces = {wordpiece.cls()};
  for (const std::string& word : words) {
    fuzz::require(
        !word.empty() && !find_invalid_utf8(word) && word.find_first_of(" \t\n\r") == word.npos,
        "a word is UTF-8, not empty and without white space");
    wordpiece.append_pieces(word, pieces);
  }
  pieces.push_back(wordpiece.sep());
  fuzz::require(wordpiece.encode(input.rest) == pieces, "a text's pieces are those of its words");
  if (!has_ordered_marks(input.rest))
    fuzz::require(wordpiece.words(fmt::format("{}", fmt::join(words, " "))) == words,
                  "the words of the words are the words");
  bert_words(wordpiece, input.rest);
  return 0;
}
