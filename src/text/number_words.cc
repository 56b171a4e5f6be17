#include "text/number_words.h"

#include <array>
#include <charconv>

namespace textcrs {
namespace {

constexpr std::array<std::string_view, 21> kCardinals = {
    "zero",     "one",     "two",     "three",     "four",     "five",     "six",
    "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",   "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty"};
constexpr std::array<std::string_view, 21> kOrdinals = {
    "",           "first",     "second",    "third",       "fourth",     "fifth",      "sixth",
    "seventh",    "eighth",    "ninth",     "tenth",       "eleventh",   "twelfth",    "thirteenth",
    "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth"};
constexpr std::array<std::string_view, 10> kTens = {
    "", "", "", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};
constexpr std::array<std::string_view, 10> kDecades = {
    "",        "",        "twenties",  "thirties", "forties",
    "fifties", "sixties", "seventies", "eighties", "nineties"};

constexpr std::string_view ordinal_ending(size_t n) {
  if (n > 10) return "th";
  return n == 1 ? "st" : n == 2 ? "nd" : n == 3 ? "rd" : "th";
}

}  // namespace

std::string_view spell_number(std::string_view word) {
  if (word.empty() || word.size() > 4 || word[0] < '0' || word[0] > '9') return word;
  size_t n = 0;
  const char* const end = word.data() + word.size();
  const char* const digits_end = std::from_chars(word.data(), end, n).ptr;
  const size_t digits = static_cast<size_t>(digits_end - word.data());
  const std::string_view ending = word.substr(digits);
  if (digits > 1 && word[0] == '0') return word;
  const bool tens = n % 10 == 0 && n < 100;
  if (ending.empty()) {
    if (n < kCardinals.size()) return kCardinals[n];
    if (tens) return kTens[n / 10];
    return n == 100 ? "hundred" : word;
  }
  if (ending == "s" && tens && n >= 20) return kDecades[n / 10];
  if (n >= 1 && n < kOrdinals.size() && ending == ordinal_ending(n)) return kOrdinals[n];
  return word;
}

}  // namespace textcrs
