#include "textcrs/text/sentences.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "text/sentence_characters.h"
#include "textcrs/text/tokenizer.h"

namespace textcrs {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The sentences of a text with " | " between them.
std::string cut(std::string_view text) {
  std::string all;
  for (const std::string_view one : sentences(text)) {
    if (!all.empty()) all += " | ";
    all += one;
  }
  return all;
}

TEST(Sentences, EndAfterMarks) {
  EXPECT_THAT(sentences("A great film. I loved it! Did you?"),
              ElementsAre("A great film.", "I loved it!", "Did you?"));
  EXPECT_EQ(cut("What?! No way!!! Yes."), "What?! | No way!!! | Yes.");
  EXPECT_EQ(cut("  One.\tTwo.  "), "One. | Two.");
  EXPECT_EQ(cut("Spaced . Marks ! Here ? ! Yes"), "Spaced . | Marks ! | Here ? ! | Yes");
}

TEST(Sentences, AreThereWithoutCapitals) {
  EXPECT_EQ(cut("it was bad. then it got worse! why? no idea"),
            "it was bad. | then it got worse! | why? | no idea");
}

TEST(Sentences, EndAtLineBreaks) {
  EXPECT_EQ(cut("no full stop\nnext line\r\n\r\nlast"), "no full stop | next line | last");
  EXPECT_EQ(cut("one<br />two<BR><br/>three<p>four</p>five<hr>six"),
            "one | two | three | four | five | six");
  EXPECT_EQ(cut("one&lt;br /&gt;two&#10;three"), "one | two | three");
  EXPECT_EQ(cut("Mr.<br />Smith"), "Mr. | Smith");
  EXPECT_EQ(cut("one\u2028two\u2029three"), "one | two | three");
}

TEST(Sentences, OtherTagsAreSpaces) {
  EXPECT_EQ(cut("a <i>very</i> good film"), "a <i>very</i> good film");
  EXPECT_EQ(cut("<b>Good.</b> Then"), "Good. | Then");
  EXPECT_EQ(cut("Good.<i>Then</i>"), "Good. | Then");
}

TEST(Sentences, GoOnAfterAbbreviations) {
  for (const std::string text :
       {"Mr. Smith met Mrs. Jones and Dr. No", "Alien vs. Predator", "films, e.g. Alien",
        "films, i.e. The Matrix", "mr. smith and dr. jones", "St. Louis", "Warner Bros. Pictures",
        "actors, songs, etc. and so on", "No. 5 of Vol. 2 on Jan. 3", "Kramer Vs. Kramer",
        "Mr.Smith met St.John", "a Ph.D. Thesis", "et al. are", "Sammy Davis Jr. sings",
        "etc., etc., etc.", "'Daniel' and 'Dr. Fraiser'"})
    EXPECT_EQ(cut(text), text);
  EXPECT_EQ(cut("cars, guns, etc. The end"), "cars, guns, etc. | The end");
  EXPECT_EQ(cut("Cuba Gooding Jr. The film"), "Cuba Gooding Jr. | The film");
  EXPECT_EQ(cut("No. I say no. Twice."), "No. | I say no. | Twice.");
  EXPECT_EQ(cut("a drama. st"), "a drama. | st");
  EXPECT_EQ(cut("the first. of them"), "the first. | of them");
}

TEST(Sentences, GoOnAfterInitials) {
  for (const std::string text :
       {"J. R. R. Tolkien", "J.R.R. Tolkien", "Samuel L. Jackson", "the U.S. Army",
        "at 5 p.m. Monday", "w. c. fields", "a.k.a. Bob", "H. I. McDunnough", "i. e. this"})
    EXPECT_EQ(cut(text), text);
  EXPECT_EQ(cut("in the U.S. The film"), "in the U.S. | The film");
  EXPECT_EQ(cut("It is rated R. It's bad"), "It is rated R. | It's bad");
  EXPECT_EQ(cut("So do I. Good film"), "So do I. | Good film");
  EXPECT_EQ(cut("so do i. good film"), "so do i. | good film");
  EXPECT_EQ(cut("I can't. We won't. It's 3D. R&B. B-F. Go"),
            "I can't. | We won't. | It's 3D. | R&B. | B-F. | Go");
}

TEST(Sentences, GoOnAfterAnEllipsisBeforeLowerCase) {
  EXPECT_EQ(cut("well... yes"), "well... yes");
  EXPECT_EQ(cut("well\u2026 yes.. no . . . maybe"), "well\u2026 yes.. no . . . maybe");
  EXPECT_EQ(cut("well... \"yes\" ... - no"), "well... \"yes\" ... - no");
  EXPECT_EQ(cut("Well... Yes"), "Well... | Yes");
  EXPECT_EQ(cut("Well . . . Yes\u2026 No"), "Well . . . | Yes\u2026 | No");
  EXPECT_EQ(cut("well...yes"), "well...yes");
  EXPECT_EQ(cut("well...Yes\u2026But"), "well... | Yes\u2026 | But");
  EXPECT_EQ(cut("well\xc2\x85 yes"), "well\xc2\x85 yes");  // Windows-1252
}

TEST(Sentences, EndWithoutASpaceBetweenLowerAndUpperCase) {
  EXPECT_EQ(cut("a great movie.The end"), "a great movie. | The end");
  EXPECT_EQ(cut("great!!!The end.\"Why?\"He"), "great!!! | The end.\" | Why?\" | He");
  EXPECT_EQ(cut("don't.The (well.(And"), "don't. | The (well. | (And");
  EXPECT_EQ(cut("great.the GREAT.The 7.The a.The"), "great.the GREAT.The 7.The a.The");
}

TEST(Sentences, KeepClosingQuotesAndBrackets) {
  EXPECT_EQ(cut("He said \"No.\" Then he left."), "He said \"No.\" | Then he left.");
  EXPECT_EQ(cut("\u201cNo!\u201d She left. \u2018Yes.\u2019 \u00abOui.\u00bb Fin"),
            "\u201cNo!\u201d | She left. | \u2018Yes.\u2019 | \u00abOui.\u00bb | Fin");
  EXPECT_EQ(cut("(It was bad.) Then (really?). Yes"), "(It was bad.) | Then (really?). | Yes");
  EXPECT_EQ(cut("It ended. \"Why?\" \"Because.\""), "It ended. | \"Why?\" | \"Because.\"");
  EXPECT_EQ(cut("\"Why?\" he asked. A (really!) good film"),
            "\"Why?\" he asked. | A (really!) good film");
  EXPECT_EQ(cut("It was *bad.* Then &quot;No.&quot; Yes"),
            "It was *bad.* | Then &quot;No.&quot; | Yes");
  EXPECT_EQ(cut("( it was bad . ) Then"), "( it was bad . ) | Then");
  EXPECT_EQ(cut("\u201eNein.\u201c Dann"), "\u201eNein.\u201c | Dann");
}

TEST(Sentences, KeepNumbersHostsAndAddresses) {
  for (const std::string text :
       {"It costs $3.50 or 1,000.5 in v2.0.1", "see www.IMDb.com or Amazon.Com", "a .5 and .NET",
        "write to John.Smith@example.com now", "http://example.com/watch?V=3&a.B",
        "example.com/index.Html", "Yahoo!, they said", "foo.bar.Baz"})
    EXPECT_EQ(cut(text), text);
  EXPECT_EQ(cut("I give it 10. Then 3.5. 7/10."), "I give it 10. | Then 3.5. | 7/10.");
  EXPECT_EQ(cut("See www.imdb.com. Then go."), "See www.imdb.com. | Then go.");
}

TEST(Sentences, KeepEmoticons) {
  EXPECT_EQ(cut("I loved it. :) Then :-D and"), "I loved it. :) | Then :-D and");
  EXPECT_EQ(cut("loved it :)) The end"), "loved it :)) | The end");
  EXPECT_EQ(cut("loved it. :P then"), "loved it. :P | then");
  EXPECT_EQ(cut("loved it! \U0001F600\U0001F600 then"), "loved it! \U0001F600\U0001F600 | then");
  EXPECT_EQ(cut("great!\U0001F600 Then"), "great!\U0001F600 | Then");
}

TEST(Sentences, KnowOtherScripts) {
  EXPECT_EQ(cut("很好。真的！是吗？好"), "很好。 | 真的！ | 是吗？ | 好");
  EXPECT_EQ(cut("「很好。」他说。“好！”再见"), "「很好。」 | 他说。 | “好！” | 再见");
  EXPECT_EQ(cut("यह अच्छा है। वह"), "यह अच्छा है। | वह");
  EXPECT_EQ(cut("Это хорошо. Да! нет"), "Это хорошо. | Да! | нет");
  EXPECT_EQ(cut("А. С. Пушкин"), "А. С. Пушкин");
}

TEST(Sentences, AreNoneWithoutCharacters) {
  for (const std::string_view text : {"", " ", " \n\t ", "<br /><p>", "\xff\xfe", "\u200b"})
    EXPECT_THAT(sentences(text), IsEmpty());
  EXPECT_EQ(cut("..."), "...");
  EXPECT_EQ(cut("?\n!"), "? | !");
  EXPECT_EQ(cut(") . ( ,"), ") . | ( ,");
}

TEST(Sentences, TakeAnyBytes) {
  EXPECT_EQ(cut("Good.\xff Bad\xc3.Then\xe2\x80"), "Good. | Bad\xc3.Then");
  EXPECT_EQ(cut(std::string_view("good.\0Bad", 9)), "good. | Bad");
}

TEST(Sentences, AreFoundInLongTexts) {
  constexpr size_t kLength = 1'000'000;
  for (const char c : {'a', '.', '!', '"', ')', '(', ' ', '<', '&', ':', '\'', '\xe3'}) {
    const std::string text(kLength, c);
    EXPECT_LE(sentences(text).size(), 1) << c;
  }
  std::string lines;
  for (int i = 0; i < 100'000; ++i) lines += "Good.\n";
  EXPECT_EQ(sentences(lines).size(), 100'000);
}

TEST(Sentences, WordsDifferFromThoseOfTheTextInTwoCases) {
  const auto words = [](std::string_view text) {
    std::vector<std::string> all;
    for (const std::string_view one : sentences(text))
      for (std::string& word : tokenize(one)) all.push_back(std::move(word));
    return all;
  };
  EXPECT_THAT(tokenize("I don\n't"), ElementsAre("i", "do", "not"));
  EXPECT_THAT(words("I don\n't"), ElementsAre("i", "don", "'", "t"));
  EXPECT_THAT(tokenize("。”“"), ElementsAre("。", "\""));
  EXPECT_THAT(words("。”“a"), ElementsAre("。", "\"", "\"", "a"));
}

// The laws, on texts made of what the rule speaks of.

const std::vector<std::string> kPieces = {"a",
                                          "I",
                                          "i",
                                          "J",
                                          "the",
                                          "The",
                                          "It",
                                          "movie",
                                          "GREAT",
                                          "Mr",
                                          "etc",
                                          "U.S",
                                          "e.g",
                                          "St",
                                          "no",
                                          "com",
                                          "3",
                                          "10",
                                          "s",
                                          "n",
                                          ".",
                                          ".",
                                          ".",
                                          ". ",
                                          ". ",
                                          "...",
                                          "…",
                                          "!",
                                          "?",
                                          "?!",
                                          "。",
                                          "！",
                                          ",",
                                          ":",
                                          ";",
                                          "-",
                                          "--",
                                          "'",
                                          "\"",
                                          "\" ",
                                          "’",
                                          "”",
                                          "(",
                                          ")",
                                          ") ",
                                          "*",
                                          "_",
                                          "@",
                                          "/",
                                          "$",
                                          " ",
                                          " ",
                                          " ",
                                          "  ",
                                          "\n",
                                          ":)",
                                          ":) ",
                                          " :-D ",
                                          "=((( ",
                                          "\U0001F600",
                                          "é",
                                          "ж",
                                          "Ж",
                                          "映",
                                          "\u0301",
                                          "\u200d",
                                          "\xff",
                                          "★",
                                          "»",
                                          "‘",
                                          "!!!!!!!!!!!!!!!!!!",
                                          ")))))))))",
                                          "pneumonoultramicroscopicsilicovolcanoconiosis",
                                          "Rindfleischetikettierungsueberwachungsgesetz"};
const std::vector<std::string> kMarkup = {
    "<br />", "</p>",       "<i>", "<a href=x. Y>", "<",     ">",       "&quot;", "&amp;",
    "lt;",    "&lt;br&gt;", "&",   "#39;",          "&#46;", "<p x=\"", "“",      "〈"};

std::vector<std::string> with_markup() {
  std::vector<std::string> pieces = kPieces;
  pieces.insert(pieces.end(), kMarkup.begin(), kMarkup.end());
  return pieces;
}

std::string random_text(const std::vector<std::string>& pieces) {
  std::string text;
  for (const std::string& piece :
       *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(pieces)))
    text += piece;
  return text;
}

void check(const std::function<void()>& law) { EXPECT_TRUE(rc::check(law)); }

bool is_visible(const Character& c) {
  return c.kind != CharacterKind::kSpace && c.kind != CharacterKind::kBreak;
}

TEST(SentenceLaws, EveryVisibleCharacterBelongsToOne) {
  check([] {
    const std::string text = random_text(with_markup());
    const auto found = sentences(text);
    size_t sentence = 0;
    const auto end = [&](size_t i) {
      return static_cast<size_t>(found[i].data() - text.data()) + found[i].size();
    };
    for (const Character& c : read_characters(text)) {
      if (!is_visible(c)) continue;
      while (sentence < found.size() && end(sentence) <= c.begin) ++sentence;
      RC_ASSERT(sentence < found.size());
      RC_ASSERT(static_cast<size_t>(found[sentence].data() - text.data()) <= c.begin);
      RC_ASSERT(c.end <= end(sentence));
    }
    for (const std::string_view one : found) {
      const auto characters = read_characters(one);
      RC_ASSERT(!characters.empty());
      RC_ASSERT(is_visible(characters.front()) && is_visible(characters.back()));
    }
  });
}

TEST(SentenceLaws, EachReadAloneIsOne) {
  check([] {
    const std::string text = random_text(with_markup());
    for (const std::string_view one : sentences(text))
      RC_ASSERT(sentences(one) == std::vector<std::string_view>{one});
  });
}

TEST(SentenceLaws, ACutDependsOnTheTwoAtItsSides) {
  check([] {
    const std::string text = random_text(with_markup());
    const auto found = sentences(text);
    for (size_t i = 0; i + 1 < found.size(); ++i) {
      const char* end = found[i + 1].data() + found[i + 1].size();
      const std::string_view both(found[i].data(), static_cast<size_t>(end - found[i].data()));
      RC_ASSERT(sentences(both) == std::vector<std::string_view>({found[i], found[i + 1]}));
    }
  });
}

TEST(SentenceLaws, AnEditTouchesOneSentenceBeforeAndTwoAfter) {
  check([] {
    const std::string text = random_text(kPieces), rewritten = random_text(kPieces);
    const auto old = sentences(text);
    RC_PRE(!old.empty());
    const size_t k = *rc::gen::inRange<size_t>(0, old.size());
    const auto offset = static_cast<size_t>(old[k].data() - text.data());
    std::string edited = text;
    edited.replace(offset, old[k].size(), rewritten);
    const auto now = sentences(edited);
    const size_t before = k - std::min<size_t>(k, 1),
                 after = old.size() - std::min(k + 3, old.size());
    RC_ASSERT(now.size() >= before + after);
    RC_ASSERT(std::equal(old.begin(), old.begin() + static_cast<ptrdiff_t>(before), now.begin()));
    RC_ASSERT(std::equal(old.end() - static_cast<ptrdiff_t>(after), old.end(),
                         now.end() - static_cast<ptrdiff_t>(after)));
  });
}

// Whether a sentence of the text ends at this offset.
bool ends_at(std::string_view text, size_t offset) {
  const auto found = sentences(text);
  return std::any_of(found.begin(), found.end(), [&](std::string_view one) {
    return one.data() + one.size() == text.data() + offset;
  });
}

// What is more than the window and `slack` bytes away from a place is replaced: whether there is a
// cut stays.
void check_window(const std::vector<std::string>& pieces, size_t slack) {
  std::string text;
  while (text.size() < 4 * kSentenceWindow + 2 * slack) text += random_text(pieces) + "x";
  const auto characters = read_characters(text);
  const size_t place = *rc::gen::inRange<size_t>(0, characters.size());
  const size_t first = place + 1 - std::min(place + 1, kSentenceWindow);
  const size_t last = std::min(place + kSentenceWindow, characters.size() - 1);
  const size_t begin = characters[first].begin - std::min(characters[first].begin, slack);
  const size_t end = std::min(characters[last].end + slack, text.size());
  const std::string before = begin > 0 ? random_text(pieces) : "";
  const std::string after = end < text.size() ? random_text(pieces) : "";
  const std::string edited = before + text.substr(begin, end - begin) + after;
  const size_t offset = characters[place].end;
  if (is_visible(characters[place]))
    RC_ASSERT(ends_at(text, offset) == ends_at(edited, offset - begin + before.size()));
}

TEST(SentenceLaws, ACutDependsOnItsWindow) {
  check([] { check_window(kPieces, 0); });
}

TEST(SentenceLaws, MarkupIsReadInFiveHundredBytes) {
  check([] { check_window(with_markup(), 510); });
}

TEST(SentenceLaws, WordsAreThoseOfTheText) {
  std::vector<std::string> pieces = with_markup();
  std::erase(pieces, "“");  // the second case of sentences.h
  check([&] {
    const std::string text = random_text(pieces);
    std::vector<std::string> words;
    for (const std::string_view one : sentences(text))
      for (std::string& word : tokenize(one)) words.push_back(std::move(word));
    RC_ASSERT(words == tokenize(text));
  });
}

TEST(SentenceLaws, WordsStayWhenJoinedBySpaces) {
  check([] {
    const std::string text = random_text(kPieces);
    std::string joined;
    for (const std::string_view one : sentences(text)) joined += std::string(one) + " ";
    RC_ASSERT(tokenize(joined) == tokenize(text));
  });
}

TEST(SentenceLaws, HoldForAnyBytes) {
  check([] {
    const std::string text = *rc::gen::arbitrary<std::string>();
    for (const std::string_view one : sentences(text))
      RC_ASSERT(sentences(one) == std::vector<std::string_view>{one});
  });
}

}  // namespace
}  // namespace textcrs
