// From a text to words, for word models. A "word" of every certificate is a token of this function.
//
// The rules are chosen so that lower-case GloVe vectors without contraction pieces cover as many
// words of film reviews as possible (docs/formats.md gives the measured shares). In order:
//
//  1. Entities. &amp; &lt; &gt; &quot; &apos; &nbsp; and &#N; stand for their character, once; so
//     does #N; without '&' (as in AG's News: "Putin #39;s") where N has 2 to 5 digits and is no
//     letter or digit.
//  2. Tags. <br>, <p>, <hr>, <i>, <b>, <u>, <em>, <strong>, <a>, <font>, closed or not, with
//     attributes (name=...) or without, separate words.
//  3. Separators. White space, control characters, NUL, private and unassigned code points, U+FFFD
//     and bytes that are not UTF-8. U+0080 to U+009F are read as Windows-1252. Invisible format
//     characters (soft hyphen, zero-width joiner) and variation selectors vanish.
//  4. Letters. Lower case; accents on Latin letters vanish (é -> e, ß -> ss, æ -> ae, ø -> o);
//     full-width forms become ASCII; marks stay only after letters of other scripts.
//  5. Marks. Curly, acute, grave and angular quotes become ' or ", two or more ' in a row become ";
//     hyphens become -, longer dashes stand alone as -.
//  6. Contractions, attached or apart ("don't", "do n't", "don 't"): n't -> not (can't -> can not,
//     won't -> will not, shan't -> shall not, ain't -> is not), 've -> have, 're -> are, 'm -> am,
//     'll -> will, 'd -> would; 's vanishes (possessive or "is": it can not be told), but joins
//     after a digit (80's -> 80s). Other apostrophes between letters vanish (o'brien -> obrien).
//  7. Hyphens between word characters vanish and split (low-budget -> low budget), except after a
//     single letter (b-movie, x-ray stay one word).
//  8. Initialisms of two to eight letters lose their dots (U.S. -> us, t.v. -> tv).
//  9. Numbers. '.' and ',' between digits belong to the word (1,000; 3.5). 0 to 20, the tens to 90
//     and 100 are spelled out (10/10 -> ten / ten), as are 1st to 20th and 20s to 90s; other
//     numbers stay digits.
// 10. Every other punctuation mark or symbol is a word of its own; a run of one mark is one word
//     ("!!!" -> !), two or more dots are "…". Han characters and kana are words of their own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// Pure, thread-safe, and never throws on any bytes (but std::bad_alloc). Words are valid UTF-8, not
// empty, without white space, and tokenize(join(tokenize(text), " ")) == tokenize(text).
std::vector<std::string> tokenize(std::string_view text);

// The text after rules 1 and 2, a space for every tag: for tokenizers with rules of their own.
std::string without_markup(std::string_view text);

// Whether a text can have it as a word: read alone, it is one word, spelled the same.
bool is_one_word(const std::string& word);

}  // namespace textcrs
