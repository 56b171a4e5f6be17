#include "textcrs/text/tokenizer.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <utf8proc.h>

#include <string>

#include "text/utf8.h"

namespace textcrs {
namespace {

std::string join(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : " ") + word;
  return all;
}

// The words of a text with spaces between them.
std::string words(std::string_view text) { return join(tokenize(text)); }

TEST(Tokenizer, LowersAndSplitsPunctuation) {
  EXPECT_EQ(words("A GREAT film, really."), "a great film , really .");
  EXPECT_EQ(words("(not-so) good: 50%!"), "( not so ) good : fifty % !");
  EXPECT_EQ(words("movie.The end"), "movie . the end");
  EXPECT_EQ(words("_really_ **bad** and/or $5"), "_ really _ * bad * and / or $ five");
  EXPECT_TRUE(tokenize("").empty());
  EXPECT_TRUE(tokenize(" \t\r\n ").empty());
}

TEST(Tokenizer, ExpandsContractions) {
  EXPECT_EQ(words("don't can't won't shan't ain't"), "do not can not will not shall not is not");
  EXPECT_EQ(words("I've you're I'm we'll he'd"), "i have you are i am we will he would");
  EXPECT_EQ(words("it's Spielberg's film, the actors' job"),
            "it spielberg film , the actors ' job");
  EXPECT_EQ(words("couldn't've WASN'T"), "could not have was not");
  EXPECT_EQ(words("I don\u2019t, I can\u00b4t, I won`t"), "i do not , i can not , i will not");
  EXPECT_EQ(words("the 80's"), "the eighties");
  EXPECT_EQ(words("1970's"), "1970s");
}

TEST(Tokenizer, ExpandsContractionsThatStandApart) {
  EXPECT_EQ(words("did n't ca n't wo n't"), "did not can not will not");
  EXPECT_EQ(words("he 's i 'm we 'll"), "he i am we will");
  EXPECT_EQ(words("don 't can 't"), "do not can not");
  EXPECT_EQ(words("n't"), "not");
  EXPECT_EQ(words("in 't"), "in ' t");
  EXPECT_EQ(words("'s"), "");
}

TEST(Tokenizer, JoinsOtherApostrophesAndKeepsQuotes) {
  EXPECT_EQ(words("O'Brien rock'n'roll"), "obrien rocknroll");
  EXPECT_EQ(words("'quoted' ''twice'' ``penn''"), "' quoted ' \" twice \" \" penn \"");
  EXPECT_EQ(words("\u201ccurly\u201d \u00abfrench\u00bb"), "\" curly \" \" french \"");
}

TEST(Tokenizer, SplitsHyphensButAfterASingleLetter) {
  EXPECT_EQ(words("low-budget state-of-the-art"), "low budget state of the art");
  EXPECT_EQ(words("B-movie X-ray b-movie's"), "b-movie x-ray b-movie");
  EXPECT_EQ(words("x-b a-b-movie"), "x b a b-movie");
  EXPECT_EQ(words("x-n't"), "x not");
  EXPECT_EQ(words("this--that \u2014 those\u2013these"), "this - that - those - these");
  EXPECT_EQ(words("-first last- --- 10-15"), "- first last - - ten fifteen");
}

TEST(Tokenizer, JoinsInitialisms) {
  EXPECT_EQ(words("the U.S. and F.B.I on T.V."), "the us and fbi on tv");
  EXPECT_EQ(words("U.S.-based U.S.'s"), "us based us");
  EXPECT_EQ(words("Mr. J. Smith e.g.the"), "mr . j . smith e . g . the");
  EXPECT_EQ(words("a.b.c.d.e.f.g.h"), "abcdefgh");
  EXPECT_EQ(words("a.b.c.d.e.f.g.h.i"), "a . bcdefghi");
}

TEST(Tokenizer, SpellsSmallNumbersAndKeepsTheOthers) {
  EXPECT_EQ(words("10/10 0 7 20 21 90 100 101"),
            "ten / ten zero seven twenty 21 ninety hundred 101");
  EXPECT_EQ(words("1st 2nd 3rd 11th 20th 21st 2th"),
            "first second third eleventh twentieth 21st 2th");
  EXPECT_EQ(words("20s 90s 10s 1980s"), "twenties nineties 10s 1980s");
  EXPECT_EQ(words("1,000 3.5 1,000,000.25 3.5mm"), "1,000 3.5 1,000,000.25 3.5mm");
  EXPECT_EQ(words("07 007 1. 2,x"), "07 007 one . two , x");
}

TEST(Tokenizer, RunsOfOneMarkAreOneWord) {
  EXPECT_EQ(words("what!!! no... well.. ???"), "what ! no … well … ?");
  EXPECT_EQ(words("so\u2026 ?!?!"), "so … ? ! ? !");
  EXPECT_EQ(words("★★★ ★"), "★ ★");
  EXPECT_EQ(words("€5 £3"), "€ five £ three");
}

TEST(Tokenizer, TagsAndEntitiesAreNoWords) {
  EXPECT_EQ(words("one.<br /><br />Two<BR>three<i>four</i>"), "one . two three four");
  EXPECT_EQ(words("x<a href=\"q.html\" target=b>link</a>y"), "x link y");
  EXPECT_EQ(words("a <b and c> d"), "a < b and c > d");
  EXPECT_EQ(words("<cough>"), "< cough >");
  EXPECT_EQ(words("<br"), "< br");
  EXPECT_EQ(words("Q&amp;A &lt;b&gt;bold &quot;x&quot; caf&#233; &#39;"),
            "q & a bold \" x \" cafe '");
  EXPECT_EQ(words("Putin #39;s plan; don #39;t #36;10 an #151; end"),
            "putin plan ; do not $ ten an - end");
  EXPECT_EQ(words("#1; #65; &amp;lt; &bogus; &#0; &#9999999;"),
            "# one ; # 65 ; & lt ; & bogus ; & # zero ; & # 9999999 ;");
}

TEST(Tokenizer, FoldsLatinLettersOnly) {
  EXPECT_EQ(words("Café NAÏVE Ærøskøbing Straße Łódź"), "cafe naive aeroskobing strasse lodz");
  EXPECT_EQ(words("cafe\u0301"), "cafe");
  EXPECT_EQ(words("ПРИВЕТ мой"), "привет мой");
  EXPECT_EQ(words("Ａｂｃ！"), "abc !");
  EXPECT_EQ(words("映画は良い"), "映 画 は 良 い");
  EXPECT_EQ(words("soft\u00adhyphen zero\u200bwidth heart\u2764\ufe0f"),
            "softhyphen zerowidth heart ❤");
}

TEST(Tokenizer, ReadsC1ControlsAsWindows1252) {
  EXPECT_EQ(words("don\u0092t\u0085 \u0093ok\u0094 a \u0096 b"), "do not … \" ok \" a - b");
}

TEST(Tokenizer, BytesThatAreNotTextSeparate) {
  EXPECT_EQ(words(std::string_view("a\0b", 3)), "a b");
  EXPECT_EQ(words("x\xff\xfey\xc3"), "x y");
  EXPECT_EQ(words("x\xed\xa0\x80y"), "x y");
  EXPECT_EQ(words("x\u00a0y\u2028z\ufffdw\ue000v"), "x y z w v");
}

void check_laws(const std::string& text) {
  const auto once = tokenize(text);
  for (const std::string& word : once) {
    RC_ASSERT(!word.empty());
    RC_ASSERT(!find_invalid_utf8(word));
    for (const char c : word) RC_ASSERT(static_cast<unsigned char>(c) > ' ');
  }
  RC_ASSERT(tokenize(join(once)) == once);
}

TEST(TokenizerLaws, RandomBytes) {
  EXPECT_TRUE(rc::check([](const std::string& s) { check_laws(s); }));
}

TEST(TokenizerLaws, PiecesThatRulesSpeakOf) {
  static const std::vector<std::string> pieces = {
      "a",  "b",  "n",  "t",  "s",    "'",      "'",   "-",     "-",  ".",   ".",  ",",
      " ",  "1",  "20", "80", "n't",  "'s",     "'ll", "ca",    "wo", "don", "u.", "<br />",
      "<",  "b>", "&",  "#",  "39;",  "&amp;",  "lt;", "é",     "ж",  "★",   "映", "\u0301",
      "\"", "!",  "…",  "—",  "\xff", "\u200d", "’",   "movie", "th", "0",   "İ",  "ß"};
  EXPECT_TRUE(rc::check([] {
    const auto chosen = *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(pieces));
    std::string text;
    for (const std::string& piece : chosen) text += piece;
    check_laws(text);
  }));
}

TEST(TokenizerLaws, EveryCodePoint) {
  for (int code = 1; code <= 0x10ffff; ++code) {
    if (!utf8proc_codepoint_valid(code)) continue;
    utf8proc_uint8_t bytes[4];
    const auto length = utf8proc_encode_char(code, bytes);
    const std::string character(reinterpret_cast<const char*>(bytes), static_cast<size_t>(length));
    const auto once = tokenize("ж" + character + "b " + character);
    ASSERT_EQ(tokenize(join(once)), once) << "code point " << code;
  }
}

TEST(Tokenizer, LongHostileTextsWork) {
  std::string dots, quotes;
  for (int i = 0; i < 300000; ++i) dots += "a.", quotes += "a'";
  EXPECT_EQ(tokenize(dots + "bc").size(), 600001u);
  EXPECT_EQ(tokenize(quotes + "b").size(), 1u);
  EXPECT_EQ(tokenize(std::string(1000000, '<')).size(), 1u);
}

TEST(WithoutMarkup, DecodesOnceAndPutsASpaceForATag) {
  EXPECT_EQ(without_markup(""), "");
  EXPECT_EQ(without_markup("A film,<br /><br>not  a \tBOOK."), "A film,  not  a \tBOOK.");
  EXPECT_EQ(without_markup("<b>bold</b> <A HREF=\"x\">link</a>"), " bold   link ");
  EXPECT_EQ(without_markup("Tom &amp; Jerry&#39;s &quot;x&quot;, Putin #39;s"),
            "Tom & Jerry's \"x\", Putin 's");
  EXPECT_EQ(without_markup("&amp;lt;"), "&lt;");     // once
  EXPECT_EQ(without_markup("a&lt;br&gt;b"), "a b");  // rule 1, then rule 2
  EXPECT_EQ(without_markup("caf\u00e9&#233;\xff"), "caf\u00e9\u00e9\xff");
}

TEST(WithoutMarkup, LeavesWhatIsNoMarkup) {
  for (const char* text : {"1 < 2 > 0", "<table>", "<br", "< br>", "&unknown;", "&", "#", "#12x",
                           "I <3 it", "<b or not>", "&#0;", "&#99999999;"})
    EXPECT_EQ(without_markup(text), text);
  EXPECT_TRUE(rc::check([] {
    std::string text = *rc::gen::arbitrary<std::string>();
    std::erase_if(text, [](char c) { return c == '&' || c == '#' || c == '<'; });
    RC_ASSERT(without_markup(text) == text);
  }));
}

TEST(WithoutMarkup, IsWhatTheTokenizerReads) {
  // Marks on both sides keep what is decoded from meeting its neighbours.
  EXPECT_TRUE(rc::check([] {
    const auto part = rc::gen::element<std::string>("<br />", "<i>", "</i>", "&quot;", "&#39;",
                                                    "#36;", "good", "Film", "1 < 2", "<p", ", ");
    std::string text;
    for (const std::string& one : *rc::gen::container<std::vector<std::string>>(part))
      text += one + " ";
    RC_ASSERT(tokenize(without_markup(text)) == tokenize(text));
  }));
}

TEST(WithoutMarkup, LongHostileTextsWork) {
  std::string open_tags, entities;
  for (int i = 0; i < 100'000; ++i) open_tags += "<b ", entities += "&amp;";
  EXPECT_EQ(without_markup(open_tags), open_tags);
  EXPECT_EQ(without_markup(entities), std::string(100'000, '&'));
}

}  // namespace
}  // namespace textcrs
