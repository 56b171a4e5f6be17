#include "textcrs/text/sentences.h"

#include <optional>
#include <string>

#include "text/abbreviations.h"
#include "text/sentence_characters.h"

namespace textcrs {
namespace {

using Kind = CharacterKind;
using enum CharacterKind;

// How far a decision looks; what is longer is taken for no such thing. On the left these are
// closing characters with a space before each, marks, a word and what is before it; on the right a
// space, opening characters, a word and what is after it.
constexpr size_t kMostClosers = 4, kMostMarks = 16, kMostOpeners = 4, kLongestWord = 32;
constexpr size_t kMostMouths = 8;  // of one emoticon
static_assert(2 * kMostClosers + kMostMarks + kLongestWord + 3 <= kSentenceWindow);
static_assert(1 + 2 * kMostOpeners + kLongestWord + 1 <= kSentenceWindow);

constexpr bool is_mark(Kind kind) {
  return kind == kDot || kind == kEllipsis || kind == kStrong || kind == kStop;
}
constexpr bool is_cased(Kind kind) { return kind == kLower || kind == kUpper; }
constexpr bool is_letter(Kind kind) { return is_cased(kind) || kind == kLetter; }
constexpr bool is_separator(Kind kind) { return kind == kSpace || kind == kBreak; }

constexpr char32_t lower(char32_t code) { return code >= 'A' && code <= 'Z' ? code + 32 : code; }

// The rule of sentences.h. Positions are those of characters; before the first and after the last
// one there is a break.
class Rule {
 public:
  explicit Rule(const std::vector<Character>& characters) : characters_(characters) {}

  // Whether a sentence ends with the character at `i`, which is no separator.
  bool cuts_after(size_t i) const {
    const bool spaced = kind(i + 1) == kSpace;
    const size_t next = i + 1 + (spaced ? 1 : 0);
    if (kind(next) == kBreak) return true;
    if (is_mark(kind(next)) || kind(next) == kComma || kind(next) == kCloser) return false;
    if (starts_emoticon(next) || (!spaced && closes(i + 1))) return false;
    if (const auto begin = emoticon_before(i + 1))
      return spaced && cuts_after_emoticon(*begin, next);

    size_t last = i;  // the last mark
    for (size_t n = 0; n < kMostClosers && closes(last); ++n) {
      const bool apart = kind(last) == kCloser && kind(last - 1) == kSpace;
      last -= apart ? 2 : 1;
    }
    if (!is_mark(kind(last))) return false;
    if (!spaced && kind(i) == kApostrophe) return false;  // it may belong to the next word
    if (kind(last) == kStop) return true;
    const bool closed = last != i;
    if (!spaced) return cuts_without_space(last, closed, next);
    const size_t word = after_openers(next);
    if (closed || is_ellipsis(last)) return kind(word) != kLower;
    return kind(last) != kDot || is_mark(kind(last - 1)) || !is_abbreviated(last, word);
  }

 private:
  // Positions before the first character wrap around and are beyond the last one.
  Kind kind(size_t i) const { return i < characters_.size() ? characters_[i].kind : kBreak; }
  char32_t code(size_t i) const { return i < characters_.size() ? characters_[i].code : 0; }
  bool is(size_t i, std::u32string_view codes) const {
    return i < characters_.size() && codes.find(characters_[i].code) != codes.npos;
  }

  // A character that closes what the marks before it ended; “ does so in German.
  bool closes(size_t i) const {
    if (kind(i) == kOpener) return is(i, U"\u201c") && !is_letter(kind(i + 1));
    return kind(i) == kCloser || kind(i) == kQuote || kind(i) == kApostrophe;
  }

  // Two dots at least, apart or not, or "…".
  bool is_ellipsis(size_t last) const {
    if (kind(last) == kEllipsis) return true;
    const size_t before = last - (kind(last - 1) == kSpace ? 2 : 1);
    return kind(last) == kDot && (kind(before) == kDot || kind(before) == kEllipsis);
  }

  size_t after_openers(size_t i) const {
    for (size_t n = 0; n < kMostOpeners; ++n) {
      const Kind now = kind(i);
      if (now != kOpener && now != kQuote && now != kApostrophe && now != kDash) break;
      i += now == kDash && kind(i + 1) == kSpace ? 2 : 1;
    }
    return i;
  }

  // ":)" at `i`, or a picture.
  bool starts_emoticon(size_t i) const {
    if (kind(i) == kEmoji) return true;
    if (!is(i, U":;=") || !may_precede_emoticon(i - 1)) return false;
    const size_t mouth = i + (is(i + 1, U"-'") ? 2 : 1);
    return is(mouth, U")(") || (is(mouth, U"DPp") && is_separator(kind(mouth + 1)));
  }

  // A separator, or what may stand directly before a cut.
  bool may_precede_emoticon(size_t i) const {
    const Kind before = kind(i);
    return is_separator(before) || is_mark(before) || before == kCloser || before == kQuote ||
           before == kOpener;
  }

  // Where the emoticon that ends before `end` begins.
  std::optional<size_t> emoticon_before(size_t end) const {
    size_t begin = end - 1;
    if (kind(begin) == kEmoji) {
      for (size_t n = 1; n < kMostMouths && kind(begin - 1) == kEmoji; ++n) --begin;
      return begin;
    }
    if (!is(begin, U")(DPp")) return std::nullopt;
    if (is(begin, U")("))
      for (size_t n = 1; n < kMostMouths && code(begin - 1) == code(begin); ++n) --begin;
    begin -= is(begin - 1, U"-'") ? 2 : 1;
    if (!is(begin, U":;=") || !may_precede_emoticon(begin - 1)) return std::nullopt;
    return begin;
  }

  bool cuts_after_emoticon(size_t begin, size_t next) const {
    const size_t before = begin - (kind(begin - 1) == kSpace ? 2 : 1);
    return is_mark(kind(before)) || kind(after_openers(next)) == kUpper;
  }

  // The letters from `begin` to `end` in lower case; "" if they are too many or not all ASCII.
  std::string known_word(size_t begin, size_t end) const {
    std::string word;
    if (end - begin > kLongestKnownWord) return word;
    for (size_t i = begin; i < end; ++i) {
      if (code(i) >= 0x80) return "";
      word += static_cast<char>(lower(code(i)));
    }
    return word;
  }

  size_t word_end(size_t begin) const {
    size_t end = begin;
    while (end - begin < kLongestWord && is_letter(kind(end))) ++end;
    return end;
  }

  // "The", "It's", but not "I." of a name.
  bool starts_sentence(size_t begin) const {
    const size_t end = word_end(begin);
    return kind(begin) == kUpper && kind(end) != kDot && kind(end) != kDigit &&
           starts_sentences(known_word(begin, end));
  }

  // Whether the letter at `i` starts a word that may be an abbreviation: not "3D", "it's", "R&B".
  bool starts_word(size_t i) const {
    const Kind before = kind(i - 1);
    if (before == kApostrophe) return !is_letter(kind(i - 2)) && kind(i - 2) != kDigit;
    return !is_letter(before) && before != kDigit && before != kDash && before != kOther;
  }

  bool is_initial(size_t i) const {
    return is_cased(kind(i)) && kind(i + 1) == kDot && starts_word(i);
  }

  // Whether the text goes on with `next` after the single dot at `dot`.
  bool is_abbreviated(size_t dot, size_t next) const {
    size_t begin = dot;
    while (dot - begin <= kLongestKnownWord && is_letter(kind(begin - 1))) --begin;
    if (!starts_word(begin)) return false;
    if (dot - begin == 1 && is_cased(kind(begin))) return is_part_of_a_name(begin, next);
    switch (abbreviation(known_word(begin, dot))) {
      case Abbreviation::kTitle:
        return true;
      case Abbreviation::kNumbered:
        return kind(next) == kDigit;
      case Abbreviation::kName:
        return !starts_sentence(next);
      case Abbreviation::kEndOfAListing:
        return kind(next) == kLower;
      case Abbreviation::kNone:
        return false;
    }
    return false;
  }

  // The same for a single letter.
  bool is_part_of_a_name(size_t letter, size_t next) const {
    const bool attached = kind(letter - 1) == kDot && is_initial(letter - 2);
    const bool apart =
        kind(letter - 1) == kSpace && kind(letter - 2) == kDot && is_initial(letter - 3);
    if (is(letter, U"Ii") && !attached && !apart) return is_initial(next);
    if (attached && ((is(letter - 2, U"Ee") && is(letter, U"Gg")) ||
                     (is(letter - 2, U"Ii") && is(letter, U"Ee"))))
      return true;
    return !starts_sentence(next);
  }

  // "movie.The": `last` is the last mark, `closed` says whether a quote follows it.
  bool cuts_without_space(size_t last, bool closed, size_t next) const {
    if (kind(next) == kOpener && !closed) ++next;
    if (kind(next) != kUpper) return false;
    const size_t next_end = word_end(next);
    if (next_end - next == kLongestWord || is(next_end, U"@")) return false;
    if (is_top_level_domain(known_word(next, next_end))) return false;

    size_t end = last;  // of the word before
    while (last - end < kMostMarks && is_mark(kind(end - 1))) --end;
    const size_t second = end - (kind(end - 2) == kApostrophe ? 3 : 2);
    if (kind(end - 1) != kLower || !is_cased(kind(second))) return false;  // "n.I" is an initialism
    size_t begin = end;
    while (end - begin < kLongestWord &&
           (is_letter(kind(begin - 1)) || kind(begin - 1) == kApostrophe))
      --begin;
    const Kind before = kind(begin - 1);
    if (end - begin == kLongestWord || before == kOther || before == kDigit) return false;
    if (is_mark(before) && before != kStop && kind(begin) == kLower) return false;  // a host
    return closed || end != last || kind(last) != kDot || !is_abbreviated(last, next);
  }

  const std::vector<Character>& characters_;
};

}  // namespace

std::vector<std::string_view> sentences(std::string_view text) {
  const std::vector<Character> characters = read_characters(text);
  const Rule rule(characters);
  std::vector<std::string_view> found;
  std::optional<size_t> begin;
  for (size_t i = 0; i < characters.size(); ++i) {
    const Character& now = characters[i];
    if (is_separator(now.kind)) continue;
    if (!begin) begin = now.begin;
    if (!rule.cuts_after(i)) continue;
    found.push_back(text.substr(*begin, now.end - *begin));
    begin.reset();
  }
  return found;
}

}  // namespace textcrs
