#include "text/sentence_characters.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "text/html.h"
#include "text/normalize.h"

namespace textcrs {
namespace {

using enum CharacterKind;
using Code = utf8proc_int32_t;

constexpr std::array<std::pair<CharacterKind, std::u32string_view>, 11> kMarks = {{
    {kDot, U"."},
    {kEllipsis, U"\u2026"},
    {kStrong, U"!?\u037e\u055c\u055e\u061f\u203c\u203d\u2047\u2048\u2049"},
    {kStop, U"\u0589\u06d4\u0964\u0965\u104b\u1362\u1367\u17d4\u3002\uff01\uff1f\uff61"},
    {kOpener, U"([{\u00a1\u00bf\u201c\u201e\u201f\u3008\u300a\u300c\u300e\u3010"},
    {kCloser, U")]}\u201d\u3009\u300b\u300d\u300f\u3011"},
    {kQuote, U"\"*_\u00a8\u00ab\u00bb\u2033\u2039\u203a"},
    {kApostrophe, U"'`\u00b4\u02bc\u2018\u2019\u201a\u201b\u2032"},
    {kComma, U",;:\u060c\u061b\u3001"},
    {kDash, U"-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"},
    {kEmoji, U"\u2639\u263a\u263b\u2764"},
}};

CharacterKind kind_of(char32_t code) {
  if (code >= 'a' && code <= 'z') return kLower;
  for (const auto& [kind, codes] : kMarks)
    if (codes.find(code) != codes.npos) return kind;
  if (code >= 0x1f300 && code <= 0x1faff) return kEmoji;
  switch (utf8proc_category(static_cast<Code>(code))) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LT:
      return kUpper;
    case UTF8PROC_CATEGORY_LL:
      return kLower;
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MC:
      return kLetter;
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
      return kDigit;
    default:
      return kOther;
  }
}

constexpr bool is_line_break(Code code) {
  return (code >= '\n' && code <= '\r') || code == 0x2028 || code == 0x2029;
}

bool belongs_to_a_neighbour(Code code) {
  const auto category = utf8proc_category(code);
  return is_invisible(code) || category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_ME;
}

class Reader {
 public:
  // Rule 1. What follows works on the decoded text and says where its bytes come from.
  explicit Reader(std::string_view text) {
    decoded_.reserve(text.size());
    source_.reserve(text.size() + 1);
    for (size_t at = 0; at < text.size();) {
      const bool possible = text[at] == '&' || text[at] == '#';
      const auto entity = possible ? parse_entity(text.substr(at)) : std::nullopt;
      if (entity) {
        std::array<utf8proc_uint8_t, 4> bytes;
        const auto length = utf8proc_encode_char(entity->code, bytes.data());
        decoded_.append(reinterpret_cast<const char*>(bytes.data()), static_cast<size_t>(length));
      } else {
        decoded_ += text[at];
      }
      source_.resize(decoded_.size(), at);
      at += entity ? entity->length : 1;
    }
    source_.push_back(text.size());
  }

  std::vector<Character> run() {
    characters_.reserve(decoded_.size());
    const std::string_view text = decoded_;
    while (at_ < text.size()) {
      const size_t tag = text[at_] == '<' ? tag_length(text.substr(at_)) : 0;
      Code code = 0;
      const auto length =
          utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data() + at_),
                           static_cast<utf8proc_ssize_t>(text.size() - at_), &code);
      if (tag > 0)
        separate(tag, textcrs::is_line_break(text.substr(at_, tag)));
      else if (length <= 0)
        separate(1, false);
      else
        character(code, static_cast<size_t>(length));
    }
    return std::move(characters_);
  }

 private:
  void character(Code code, size_t length) {
    code = read_windows_1252(code);
    if (is_separator(code)) return separate(length, is_line_break(code));
    const bool follows = !characters_.empty() && !ends_in_separator() && !loose_;
    if (!belongs_to_a_neighbour(code)) {
      const bool wide_ascii = code >= 0xff01 && code <= 0xff5e;
      const bool stop = code == 0xff01 || code == 0xff1f;
      if (wide_ascii && !stop) code -= 0xfee0;
      const auto plain = static_cast<char32_t>(code);
      const size_t begin = loose_.value_or(source_[at_]);
      characters_.push_back({plain, kind_of(plain), begin, source_[at_ + length]});
      loose_.reset();
    } else if (follows) {
      characters_.back().end = source_[at_ + length];
    } else if (!loose_) {
      loose_ = source_[at_];
    }
    at_ += length;
  }

  void separate(size_t length, bool breaks) {
    if (characters_.empty() || !ends_in_separator())
      characters_.push_back({' ', kSpace, source_[at_], source_[at_]});
    if (breaks) characters_.back().kind = kBreak;
    at_ += length;
    characters_.back().end = source_[at_];
    loose_.reset();
  }

  bool ends_in_separator() const {
    return characters_.back().kind == kSpace || characters_.back().kind == kBreak;
  }

  std::string decoded_;
  std::vector<size_t> source_;  // for every byte of decoded_ and its end: the offset in the text
  size_t at_ = 0;               // in decoded_
  std::vector<Character> characters_;
  std::optional<size_t> loose_;  // where invisible characters after a separator started
};

}  // namespace

std::vector<Character> read_characters(std::string_view text) { return Reader(text).run(); }

}  // namespace textcrs
