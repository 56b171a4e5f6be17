#include "page/html.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "text/utf8.h"

namespace textcrs {
namespace {

using nlohmann::ordered_json;

TEST(EscapedHtml, LeavesNoCharacterThatMeansSomething) {
  EXPECT_EQ(escaped_html("a good film"), "a good film");
  EXPECT_EQ(escaped_html("</script><b title=\"x\" id='y'>&amp;"),
            "&lt;/script&gt;&lt;b title=&quot;x&quot; id=&#39;y&#39;&gt;&amp;amp;");
  EXPECT_EQ(escaped_html("a\nb\tc"), "a\nb\tc");
  EXPECT_EQ(escaped_html("größe 映画 😀"), "größe 映画 😀");
}

TEST(EscapedHtml, ReplacesWhatNoPageMayHold) {
  EXPECT_EQ(escaped_html(std::string("a\0b", 3)), "a\uFFFDb");
  EXPECT_EQ(escaped_html("a\x1B[31m\vb\x7F"), "a\uFFFD[31m\uFFFDb\uFFFD");
  EXPECT_EQ(escaped_html("caf\xE9!"), "caf\uFFFD!");
  EXPECT_EQ(escaped_html("\xC0\xBC"), "\uFFFD\uFFFD");            // "<" in too many bytes
  EXPECT_EQ(escaped_html("\xED\xA0\x80"), "\uFFFD\uFFFD\uFFFD");  // half of a surrogate pair
  for (int byte = 0; byte < 256; ++byte) {
    const std::string escaped = escaped_html(std::string(1, static_cast<char>(byte)));
    EXPECT_FALSE(find_invalid_utf8(escaped)) << byte;
    EXPECT_FALSE(escaped.empty()) << byte;
  }
}

TEST(EscapedHtml, EndsLinesAlike) {
  EXPECT_EQ(escaped_html("a\r\nb\rc\n\r"), "a\nb\nc\n\n");
  EXPECT_EQ(escaped_html("a\r\r\n"), "a\n\n");
}

// A name in a sentence turns nothing but itself; what is no formatting character stays.
TEST(Prose, GoesInOneDirection) {
  EXPECT_EQ(prose("a \u202Ename\u202C b \u2066x\u2069"), "a \uFFFDname\uFFFD b \uFFFDx\uFFFD");
  const std::string plain = "عربي \u2014 \u2026 \u2192 \xE2\x80";
  EXPECT_EQ(prose(plain), plain);
}

TEST(Prose, KeepsANumberAndItsPerCentInOneLine) {
  EXPECT_EQ(prose("81.5 % of 100 % are"), "81.5\u00A0% of 100\u00A0% are");
  EXPECT_EQ(prose(""), "");
}

TEST(StartOf, EndsBetweenCharactersAndIsLongerThanWhatFits) {
  EXPECT_EQ(start_of("abc", 3), "abc");
  EXPECT_EQ(start_of("abcd", 3), "abc …");
  EXPECT_EQ(start_of("ab😀", 5), "ab …");
  EXPECT_GT(start_of("ab😀", 5).size(), 5u);
  EXPECT_EQ(start_of("\x80\x80\x80", 2), " …");
}

TEST(ScriptJson, EndsNoScriptAndIsTheValue) {
  const ordered_json value = {{"a</script><!--", "<script>&\u2028\u2029\"\\'"},
                              {"n", {1, -2.5, nullptr, true}},
                              {"nul", std::string("\0", 1)}};
  const std::string json = script_json(value);
  EXPECT_EQ(json.find_first_of("<>&"), json.npos);
  EXPECT_EQ(json.find("\u2028"), json.npos);
  EXPECT_EQ(json.find("\u2029"), json.npos);
  EXPECT_EQ(ordered_json::parse(json), value);
  EXPECT_EQ(ordered_json::parse(script_json("caf\xE9")), "caf\uFFFD");
}

TEST(Html, ClosesWhatIsOpen) {
  Html html;
  html.open("p", {{"title", "a \"b\" <c>"}}).text("1 < 2").element("b", "&").close();
  html.single("meta", {{"charset", "utf-8"}}).raw("<i></i>");
  EXPECT_EQ(html.take(),
            "<p title=\"a &quot;b&quot; &lt;c&gt;\">1 &lt; 2<b>&amp;</b></p>"
            "<meta charset=\"utf-8\"><i></i>");
  EXPECT_EQ(html.take(), "");
  EXPECT_THROW(html.close(), std::logic_error);
  html.open("p");
  EXPECT_THROW(html.take(), std::logic_error);
}

}  // namespace
}  // namespace textcrs
