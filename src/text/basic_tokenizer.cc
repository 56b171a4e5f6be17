#include "text/basic_tokenizer.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "text/bert_characters.h"

namespace textcrs {
namespace {

enum class Fate : unsigned char { kVanish, kSeparate, kAlone, kJoin };

Fate fate(char32_t code) {
  if (is_white_space(code)) return Fate::kSeparate;
  return is_bert_punctuation(code) ? Fate::kAlone : Fate::kJoin;
}

using AsciiFates = std::array<Fate, 128>;

AsciiFates make_ascii_fates(bool clean_text) {
  AsciiFates fates;
  for (char32_t code = 0; code < fates.size(); ++code)
    fates[code] = clean_text && is_bert_control(code) ? Fate::kVanish : fate(code);
  return fates;
}

const AsciiFates& ascii_fates(bool clean_text) {
  static const AsciiFates kAsTheyAre = make_ascii_fates(false), kClean = make_ascii_fates(true);
  return clean_text ? kClean : kAsTheyAre;
}

class BasicTokenizer {
 public:
  explicit BasicTokenizer(const WordPieceRules& rules)
      : rules_(rules), fates_(ascii_fates(rules.clean_text)) {}

  std::string run(std::string_view text) {
    out_.reserve(text.size() + text.size() / 4 + 1);
    size_t at = 0;
    while (at < text.size())
      at += is_ascii(text[at]) ? ascii(text.substr(at)) : beyond_ascii(text.substr(at));
    flush();
    return std::move(out_);
  }

 private:
  static bool is_ascii(char byte) { return static_cast<unsigned char>(byte) < 0x80; }
  Fate ascii_fate(char byte) const { return fates_[static_cast<unsigned char>(byte)]; }

  // The number of bytes read: one, or as many as join.
  size_t ascii(std::string_view text) {
    const Fate what = ascii_fate(text[0]);
    if (what == Fate::kVanish) return 1;
    if (!waiting_.empty()) flush();
    size_t length = 1;
    if (what == Fate::kJoin)
      while (length < text.size() && is_ascii(text[length]) &&
             ascii_fate(text[length]) == Fate::kJoin)
        ++length;
    write(what, text.substr(0, length));
    if (what == Fate::kJoin && rules_.lower_case)
      for (size_t i = out_.size() - length; i < out_.size(); ++i)
        if (out_[i] >= 'A' && out_[i] <= 'Z') out_[i] = static_cast<char>(out_[i] + ('a' - 'A'));
    return length;
  }

  // The number of bytes read.
  size_t beyond_ascii(std::string_view text) {
    utf8proc_int32_t code;
    const auto length = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                         static_cast<utf8proc_ssize_t>(text.size()), &code);
    if (length <= 0) {
      if (!rules_.clean_text) waiting_.push_back(' ');
      return 1;
    }
    wait(static_cast<char32_t>(code));
    return static_cast<size_t>(length);
  }

  // Rules 1 and 2.
  void wait(char32_t code) {
    if (rules_.clean_text) {
      if (code == 0xfffd || is_bert_control(code)) return;
      if (is_white_space(code)) code = ' ';
    }
    if (rules_.split_chinese && is_bert_chinese(code))
      waiting_.insert(waiting_.end(), {U' ', code, U' '});
    else
      waiting_.push_back(code);
  }

  // Rules 3 to 5 for what waits. What precedes and follows it is ASCII, with which no mark changes
  // its place.
  void flush() {
    if (rules_.strip_accents) strip_accents();
    for (const char32_t code : waiting_) {
      if (!rules_.lower_case) {
        write(code);
      } else if (code == 0x130) {
        write(U'i');
        write(char32_t{0x307});
      } else {
        write(static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code))));
      }
    }
    waiting_.clear();
  }

  // NFD without nonspacing marks.
  void strip_accents() {
    decomposed_.clear();
    for (const char32_t code : waiting_) {
      std::array<utf8proc_int32_t, 8> parts;  // Unicode's longest has 4
      const auto count = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code), parts.data(),
                                                 static_cast<utf8proc_ssize_t>(parts.size()),
                                                 UTF8PROC_DECOMPOSE, nullptr);
      decomposed_.insert(decomposed_.end(), parts.begin(), parts.begin() + count);
    }
    sort_marks();
    waiting_.clear();
    std::copy_if(decomposed_.begin(), decomposed_.end(), std::back_inserter(waiting_),
                 [](char32_t code) { return !is_bert_mark(code); });
  }

  // Canonical order: runs of marks by their combining class.
  void sort_marks() {
    const auto combining_class = [](char32_t code) {
      return utf8proc_get_property(static_cast<utf8proc_int32_t>(code))->combining_class;
    };
    const auto end = decomposed_.end();
    for (auto at = decomposed_.begin(); at != end; ++at) {
      if (combining_class(*at) == 0) continue;
      const auto stop =
          std::find_if(at, end, [&](char32_t code) { return combining_class(code) == 0; });
      std::stable_sort(at, stop, [&](char32_t a, char32_t b) {
        return combining_class(a) < combining_class(b);
      });
      at = std::prev(stop);
    }
  }

  void write(char32_t code) {
    std::array<utf8proc_uint8_t, 4> bytes;
    const auto length = utf8proc_encode_char(static_cast<utf8proc_int32_t>(code), bytes.data());
    write(fate(code), {reinterpret_cast<const char*>(bytes.data()), static_cast<size_t>(length)});
  }

  // One character, or several that join.
  void write(Fate what, std::string_view characters) {
    if (what == Fate::kSeparate) {
      in_word_ = false;
      return;
    }
    if ((!in_word_ || what == Fate::kAlone) && !out_.empty()) out_ += ' ';
    out_ += characters;
    in_word_ = what == Fate::kJoin;
  }

  const WordPieceRules& rules_;
  std::array<Fate, 128> fates_;          // of ASCII
  std::u32string waiting_, decomposed_;  // code points since the last ASCII character
  std::string out_;
  bool in_word_ = false;  // whether `out_` ends in a word that goes on
};

}  // namespace

std::string basic_words(std::string_view text, const WordPieceRules& rules) {
  return BasicTokenizer(rules).run(text);
}

}  // namespace textcrs
