// From a text to sentences, for classifiers whose units are sentences.
//
// The rule is local: no state runs over the text. Whether there is a cut at a place depends on
// kSentenceWindow characters on each of its sides; each sentence, read alone, is one sentence, and
// two neighbours with what is between them are two. So an edit changes no sentence that is more
// than a window away. However short the sentences are, one that is rewritten as one pleases,
// without "<",
// "&" and "#", touches at most the one before it and the two after it: the second only if the first
// is a word or two and is joined with the rewritten one. (A "<" may make a tag of up to 500 bytes
// with what follows, and the tag may swallow sentences.)
//
// A character is what textcrs/text/tokenizer.h reads (rules 1 to 3): an entity is one, a run of
// separators (white space, tags, bytes that are not UTF-8) is one, invisible characters and
// combining marks count nothing.
//
// The cuts. The first line that fits a place decides.
//
//   line break, <br>, <p>, <hr>    cut, always.
//   before a mark, a comma, a semicolon, a colon, a closing bracket or an emoticon, with or
//     without a space              no cut: "?!", ". . .", "etc., and", "it. :)".
//   。！？ and the like            cut, with or without a space.
//   marks directly before a letter ("movie.The", "movie!The")
//                                  cut if the word before has two letters at least and ends in
//                                  lower case and the next letter is upper case; not in hosts,
//                                  addresses, numbers.
//   . ! ? … before a space         cut, whatever the case of the next word, but for:
//     closing quote or bracket, then lower case       "Why?" he asked; (really!) good
//     two or more dots or …, then lower case          well... yes
//     Mr. Dr. vs. e.g. i.e. and the like              always
//     No. Vol. Jan. and the like, then a number       No. 5
//     etc. al. approx. incl., then lower case         etc. and
//     Inc. Jr. St. and the like, single letters (J. R. R., U.S., p.m.), unless the next word
//       usually starts a sentence ("The", "It")       Samuel L. Jackson; the U.S. Army
//       but "I", which is a pronoun                   So do I. Good film
//   an emoticon (":)", ":-D", 😀), then a space      cut if it follows a mark or if the next
//                                                     word is in upper case.
//
// Closing quotes and brackets directly after the marks, and emoticons after them, belong to the
// sentence before the cut.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// A cut depends on so many characters before it and after it.
inline constexpr size_t kSentenceWindow = 64;

// The sentences of a text, in order, without separators at their ends; views into the text. Every
// character that is no separator belongs to exactly one; there is none without such a character.
// Pure, thread-safe, linear in the text, and never throws on any bytes (but std::bad_alloc).
//
// The words of the sentences, one after the other, are those of the text (tokenize), but for two
// cases: a contraction that stands apart after a line break ("don\n't") is not joined with the word
// before, and quotes that a cut divides ("。”“") are two words instead of one.
std::vector<std::string_view> sentences(std::string_view text);

}  // namespace textcrs
