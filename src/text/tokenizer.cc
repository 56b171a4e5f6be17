#include "textcrs/text/tokenizer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "text/normalize.h"
#include "text/number_words.h"

namespace textcrs {
namespace {

// The classes of a byte of normalized text.
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_ascii_letter(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_word(char c) {
  return is_ascii_letter(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80;
}

// What a piece after an apostrophe stands for; nullptr: it is no contraction; "": nothing.
const char* expand(std::string_view piece) {
  static constexpr std::array<std::pair<std::string_view, const char*>, 6> kPieces = {
      {{"s", ""}, {"m", "am"}, {"d", "would"}, {"ll", "will"}, {"ve", "have"}, {"re", "are"}}};
  for (const auto& [name, word] : kPieces)
    if (name == piece) return word;
  return nullptr;
}

// The verb that "n't" was cut from: "ca" -> "can".
std::string_view repair(std::string_view verb) {
  return verb == "ca"    ? "can"
         : verb == "wo"  ? "will"
         : verb == "sha" ? "shall"
         : verb == "ai"  ? "is"
                         : verb;
}

bool is_negatable(std::string_view verb) {
  static constexpr std::array<std::string_view, 22> kVerbs = {
      "do", "does",  "did",   "is",     "are",  "was",   "were", "has",  "have", "had",   "ca",
      "wo", "would", "could", "should", "must", "might", "need", "dare", "ai",   "ought", "sha"};
  return std::find(kVerbs.begin(), kVerbs.end(), verb) != kVerbs.end();
}

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<std::string> run() {
    words_.reserve(text_.size() / 5 + 1);
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ')
        ++at_;
      else if (is_word(c))
        compound();
      else
        mark();
    }
    return std::move(words_);
  }

 private:
  bool word_at(size_t i) const { return i < text_.size() && is_word(text_[i]); }
  bool digit_at(size_t i) const { return i < text_.size() && is_digit(text_[i]); }
  bool is_at(size_t i, char c) const { return i < text_.size() && text_[i] == c; }

  void emit(std::string_view word) { words_.emplace_back(spell_number(word)); }

  // The end of the word that starts at `begin`: word characters, apostrophes between them, and
  // '.' and ',' between digits.
  size_t word_end(size_t begin) const {
    size_t i = begin;
    for (;;) {
      while (word_at(i)) ++i;
      if (is_at(i, '\'') && word_at(i + 1)) {
        ++i;
      } else if ((is_at(i, '.') || is_at(i, ',')) && digit_at(i - 1) && digit_at(i + 1)) {
        ++i;
      } else {
        return i;
      }
    }
  }

  // Words joined by hyphens, one at least (rule 7).
  void compound() {
    for (;;) {
      if (!initialism()) simple_word();
      if (!is_at(at_, '-') || !word_at(at_ + 1)) return;
      ++at_;
    }
  }

  // The next word, or a single letter, its hyphen and a next word that is longer.
  void simple_word() {
    size_t end = word_end(at_);
    std::string_view prefix;
    if (end == at_ + 1 && is_ascii_letter(text_[at_]) && is_at(end, '-') && word_at(end + 1) &&
        word_end(end + 1) > end + 2) {
      prefix = text_.substr(at_, 2);
      at_ = end + 1;
      end = word_end(at_);
    }
    contraction(prefix, text_.substr(at_, end - at_));
    at_ = end;
  }

  // "u.s." or "u.s" (rule 8): two to eight single letters with dots between them.
  bool initialism() {
    constexpr size_t kLongest = 8;
    std::array<char, kLongest> letters;
    size_t count = 0, i = at_;
    while (i < text_.size() && is_ascii_letter(text_[i]) && !word_at(i + 1)) {
      if (count == kLongest) return false;
      letters[count++] = text_[i++];
      if (!is_at(i, '.')) break;
      ++i;
    }
    if (count < 2 || is_at(i, '.') || word_at(i)) return false;
    words_.emplace_back(letters.data(), count);
    at_ = i;
    return true;
  }

  // One word with its apostrophes (rule 6), after a prefix such as "b-" or none.
  void contraction(std::string_view prefix, std::string_view word) {
    std::array<std::string_view, 4> after;  // what the endings stand for, last one first
    size_t count = 0;
    std::string joined;
    for (size_t cut; count < after.size() && (cut = word.rfind('\'')) != word.npos;) {
      const std::string_view piece = word.substr(cut + 1);
      if (piece == "t" && cut > 0 && word[cut - 1] == 'n') {
        after[count++] = "not";
        word = repair(word.substr(0, cut - 1));
      } else if (piece == "s" && is_digit(word[cut - 1])) {
        joined = std::string(word.substr(0, cut)) + "s";
        word = joined;
      } else if (const char* meaning = expand(piece)) {
        after[count++] = meaning;
        word = word.substr(0, cut);
      } else {
        break;
      }
    }
    if (word.find('\'') != word.npos) {
      std::string plain(word);
      std::erase(plain, '\'');
      joined = std::move(plain);
      word = joined;
    }
    if (word.empty()) {  // "n't" apart: it belongs to the word before
      if (!prefix.empty())
        words_.emplace_back(prefix.substr(0, 1));
      else if (!words_.empty())
        words_.back() = repair(words_.back());
    } else if (!prefix.empty() && word.size() > 1) {
      words_.push_back(std::string(prefix) + std::string(word));
    } else {
      if (!prefix.empty()) words_.emplace_back(prefix.substr(0, 1));
      emit(word);
    }
    while (count > 0)
      if (!after[--count].empty()) words_.emplace_back(after[count]);
  }

  // "'s", "'ve", "'t" apart from their word (rule 6).
  bool loose_contraction() {
    size_t end = at_ + 1;
    while (word_at(end)) ++end;
    const std::string_view piece = text_.substr(at_ + 1, end - at_ - 1);
    if (is_at(end, '\'') && word_at(end + 1)) return false;
    if (piece == "t" && !words_.empty() && words_.back().ends_with('n')) {
      const std::string_view verb =
          std::string_view(words_.back()).substr(0, words_.back().size() - 1);
      if (!is_negatable(verb)) return false;
      words_.back() = std::string(repair(verb));
      words_.emplace_back("not");
    } else if (const char* meaning = expand(piece)) {
      if (*meaning != '\0') words_.emplace_back(meaning);
    } else {
      return false;
    }
    at_ = end;
    return true;
  }

  // A run of one punctuation mark (rules 5 and 10).
  void mark() {
    const char c = text_[at_];
    size_t end = at_ + 1;
    while (is_at(end, c)) ++end;
    const bool single = end == at_ + 1;
    if (c == '\'' && single && loose_contraction()) return;
    if (c == '\'' && !single)
      words_.emplace_back("\"");
    else if (c == '.' && !single)
      words_.emplace_back("…");
    else
      words_.emplace_back(1, c);
    at_ = end;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::vector<std::string> words_;
};

}  // namespace

std::vector<std::string> tokenize(std::string_view text) {
  const std::string normalized = normalize(text);
  return Scanner(normalized).run();
}

bool is_one_word(const std::string& word) {
  const std::vector<std::string> words = tokenize(word);
  return words.size() == 1 && words[0] == word;
}

}  // namespace textcrs
