// A text as the sentence splitter sees it: characters and their kinds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace textcrs {

enum class CharacterKind : uint8_t {
  kBreak,   // a run of separators with a line break, <br>, <p> or <hr> in it; also the text's ends
  kSpace,   // any other run of separators
  kLower,   // a lower-case letter
  kUpper,   // an upper-case letter
  kLetter,  // a letter of a script without cases
  kDigit,   // a number
  kDot,     // .
  kEllipsis,    // …
  kStrong,      // ! ? and the like
  kStop,        // marks of scripts that write no space after them: 。！？
  kOpener,      // ( “
  kCloser,      // ) ”
  kQuote,       // " « » * _: opens or closes
  kApostrophe,  // ' ‘ ’: opens, closes, or belongs to a word
  kComma,       // , ; :
  kDash,        // - –
  kEmoji,       // a face or another picture
  kOther,       // any other symbol
};

struct Character {
  char32_t code = 0;  // entities decoded, Windows-1252 read, full-width forms of ASCII made ASCII
  CharacterKind kind = CharacterKind::kBreak;
  size_t begin = 0, end = 0;  // its bytes in the text
};

// The characters of a text (rules 1 to 3 of textcrs/text/tokenizer.h): an entity is one, a run of
// separators is one, and what is invisible or a combining mark belongs to a character beside it.
std::vector<Character> read_characters(std::string_view text);

}  // namespace textcrs
