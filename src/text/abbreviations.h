// The words that the sentence splitter knows, in lower-case ASCII letters.
#pragma once

#include <cstddef>
#include <string_view>

namespace textcrs {

// When a full stop after a word does not end a sentence.
enum class Abbreviation {
  kNone,
  kTitle,         // never: Mr., vs.
  kNumbered,      // before a number: No. 5, Vol. 2
  kName,          // unless a word follows that usually starts a sentence: Inc., Jr., St.
  kEndOfAListing  // before a lower-case word: etc.
};

constexpr size_t kLongestKnownWord = 8;

Abbreviation abbreviation(std::string_view word);

// "the", "it": a word that is seldom part of a name.
bool starts_sentences(std::string_view word);

// "com", "org": what follows the last dot of a host.
bool is_top_level_domain(std::string_view word);

}  // namespace textcrs
