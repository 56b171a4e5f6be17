#include "text/basic_tokenizer.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <utf8proc.h>

#include <cstdlib>
#include <initializer_list>
#include <utility>

#include "text/utf8.h"
#include "textcrs/base/hash.h"

namespace textcrs {
namespace {

using Words = std::vector<std::string>;

constexpr WordPieceRules kUncased;
constexpr WordPieceRules kCased{.lower_case = false, .strip_accents = false};
constexpr WordPieceRules kBare{
    .lower_case = false, .strip_accents = false, .split_chinese = false, .clean_text = false};

Words words_of(std::string_view text, const WordPieceRules& rules = kUncased) {
  Words words;
  for_each_word(basic_words(text, rules), [&](std::string_view word) { words.emplace_back(word); });
  return words;
}

std::string join(const Words& words) {
  std::string text;
  for (const std::string& word : words) text.append(text.empty() ? "" : " ").append(word);
  return text;
}

std::string utf8(utf8proc_int32_t code) {
  std::string bytes(4, '\0');
  bytes.resize(static_cast<size_t>(
      utf8proc_encode_char(code, reinterpret_cast<utf8proc_uint8_t*>(bytes.data()))));
  return bytes;
}

template <typename Visit>
void for_every_code_point(const Visit& visit) {
  for (utf8proc_int32_t code = 0; code <= 0x10ffff; ++code)
    if (code < 0xd800 || code > 0xdfff) visit(code);
}

std::vector<utf8proc_int32_t> decomposed(utf8proc_int32_t code) {
  utf8proc_uint8_t* mapped = utf8proc_NFD(
      reinterpret_cast<const utf8proc_uint8_t*>(utf8(code).c_str()));  // of nothing for U+0000
  std::vector<utf8proc_int32_t> codes;
  utf8proc_int32_t part;
  for (const utf8proc_uint8_t* at = mapped; *at != 0; codes.push_back(part))
    at += utf8proc_iterate(at, -1, &part);
  std::free(mapped);
  return codes;
}

// The uncased rules as BERT's paper code puts them, on "a", one code point and "b", with the
// categories of utf8proc.
Words words_around(utf8proc_int32_t code) {
  const auto category = [](utf8proc_int32_t c) {
    return std::string_view(utf8proc_category_string(c));
  };
  const auto is_in = [&](auto... ranges) {
    return ((code >= ranges.first && code <= ranges.second) || ...);
  };
  using R = std::pair<int, int>;
  const std::string_view kind = category(code);
  if (code == '\t' || code == '\n' || code == '\r') return {"a", "b"};
  if (code == 0xfffd || kind == "Cc" || kind == "Cf" || kind == "Co") return {"ab"};
  if (kind[0] == 'Z') return {"a", "b"};
  const bool chinese =
      is_in(R{0x4e00, 0x9fff}, R{0x3400, 0x4dbf}, R{0x20000, 0x2a6df}, R{0x2a700, 0x2b73f},
            R{0x2b740, 0x2b81f}, R{0x2b920, 0x2ceaf}, R{0xf900, 0xfaff}, R{0x2f800, 0x2fa1f});
  Words words = {"a"};
  bool alone = chinese;
  for (const utf8proc_int32_t part : decomposed(code)) {
    if (category(part) == "Mn") continue;
    const bool symbol = part < 128 && std::string_view("$+<=>^`|~").find(static_cast<char>(part)) !=
                                          std::string_view::npos;
    if (alone || category(part)[0] == 'P' || symbol) words.emplace_back();
    words.back() += utf8(utf8proc_tolower(part));
    alone = alone || category(part)[0] == 'P' || symbol;
  }
  if (alone) words.emplace_back();
  words.back() += "b";
  return words;
}

// Unicode has changed since 8.0: younger code points were unassigned then, and the categories of
// six others were not those of today.
TEST(BasicTokenizer, EveryCodePointFollowsTheRules) {
  int different = 0;
  for_every_code_point([&](utf8proc_int32_t code) {
    const Words found = words_of("a" + utf8(code) + "b"), expected = words_around(code);
    if (found == expected) return;
    ++different;
    const bool changed = code == 0x166d || code == 0x1734 || code == 0x1885 || code == 0x1886 ||
                         code == 0xa9bd || code == 0x111c9;
    const bool unassigned = code > 0x600 && found == Words{"a" + utf8(code) + "b"};
    EXPECT_TRUE(changed || unassigned) << code << ": " << join(found) << ", not " << join(expected);
  });
  EXPECT_LT(different, 1000);
}

// Code points whose case or decomposition is younger than Unicode 12: as the utf8proc at hand has
// it.
bool depends_on_utf8proc(utf8proc_int32_t code) {
  constexpr std::pair<int, int> kYoung[] = {
      {0x1c89, 0x1c8a},   {0x2c2f, 0x2c2f},   {0x2c5f, 0x2c5f},   {0xa7c0, 0xa7dc},
      {0x10570, 0x105bc}, {0x105c9, 0x105e4}, {0x10d50, 0x10d65}, {0x11383, 0x11391},
      {0x113c5, 0x113c8}, {0x11938, 0x11938}, {0x16121, 0x16128}, {0x16d68, 0x16d6a},
      {0x16ea0, 0x16ed8}};
  for (const auto& [first, last] : kYoung)
    if (code >= first && code <= last) return true;
  return false;
}

// FNV-1a of the words of "a", the code point and "b", from U+0001 on: U+001F between words, a line
// feed at the end.
uint64_t hash_of_all(const WordPieceRules& rules) {
  uint64_t hash = kHashStart;
  for_every_code_point([&](utf8proc_int32_t code) {
    if (code == 0 || depends_on_utf8proc(code)) return;
    std::string line;
    for (const std::string& word : words_of("a" + utf8(code) + "b", rules))
      line.append(line.empty() ? "" : "\x1f").append(word);
    hash = fnv1a(line + "\n", hash);
  });
  return hash;
}

// The same hashes of what Hugging Face's tokenizers 0.22.2 gives.
TEST(BasicTokenizer, EveryCodePointIsAsInHuggingFacesLibrary) {
  WordPieceRules lower = kBare, strip = kBare;
  lower.lower_case = true;
  strip.strip_accents = true;
  EXPECT_EQ(hash_of_all(kUncased), 0x0057eea250af1962u);
  EXPECT_EQ(hash_of_all(kCased), 0xc02b6c31350579c8u);
  EXPECT_EQ(hash_of_all(kBare), 0x7094a1d4c4cbf2cfu);
  EXPECT_EQ(hash_of_all(lower), 0x152736686636cdbfu);
  EXPECT_EQ(hash_of_all(strip), 0xc148201590fd25e1u);
}

TEST(BasicTokenizer, WordsAndPunctuation) {
  EXPECT_EQ(words_of("Hello, World!"), (Words{"hello", ",", "world", "!"}));
  EXPECT_EQ(words_of("don't"), (Words{"don", "'", "t"}));
  EXPECT_EQ(words_of("U.S."), (Words{"u", ".", "s", "."}));
  EXPECT_EQ(words_of("...a--b"), (Words{".", ".", ".", "a", "-", "-", "b"}));
  EXPECT_EQ(words_of("$5 + x^2|~`"), (Words{"$", "5", "+", "x", "^", "2", "|", "~", "`"}));
  EXPECT_EQ(words_of("“a”—b…"), (Words{"“", "a", "”", "—", "b", "…"}));
  EXPECT_EQ(words_of("[SEP][MASK]"), (Words{"[", "sep", "]", "[", "mask", "]"}));
  EXPECT_EQ(words_of("[SEP]", kCased), (Words{"[", "SEP", "]"}));
  EXPECT_EQ(words_of("5€ 3°"), (Words{"5€", "3°"}));  // Sc and So are no punctuation
  EXPECT_EQ(words_of(""), Words{});
  EXPECT_EQ(words_of(" \t\r\n "), Words{});
}

TEST(BasicTokenizer, AccentsAndCase) {
  EXPECT_EQ(words_of("Crème BRÛLÉE"), (Words{"creme", "brulee"}));
  EXPECT_EQ(words_of("cre\u0300me e\u0301\u0323"), (Words{"creme", "e"}));
  EXPECT_EQ(words_of("\u0301"), Words{});
  EXPECT_EQ(words_of("Straße ẞ ø Đ"), (Words{"straße", "ß", "ø", "đ"}));
  EXPECT_EQ(words_of("İI ΣΑΣ"), (Words{"ii", "σασ"}));
  EXPECT_EQ(words_of("Å K ά\u037e"), (Words{"a", "k", "α", ";"}));
  EXPECT_EQ(words_of("Crème İ", kCased), (Words{"Crème", "İ"}));
  WordPieceRules rules = kCased;
  rules.lower_case = true;
  EXPECT_EQ(words_of("CRÈME İ", rules), (Words{"crème", "i\u0307"}));
  rules = kCased;
  rules.strip_accents = true;
  EXPECT_EQ(words_of("CRÈME İ", rules), (Words{"CREME", "I"}));
}

TEST(BasicTokenizer, OtherScripts) {
  EXPECT_EQ(words_of("a東京b"), (Words{"a", "東", "京", "b"}));
  EXPECT_EQ(words_of("東京", kBare), (Words{"東京"}));
  EXPECT_EQ(words_of("カタ カナ"), (Words{"カタ", "カナ"}));
  EXPECT_EQ(words_of("ガ"), (Words{"カ"}));
  EXPECT_EQ(words_of("\uf900"), (Words{"\u8c48"}));
  EXPECT_EQ(words_of("\U0002b820\U0002b91fx\U0002b920x"),
            (Words{"\U0002b820\U0002b91fx", "\U0002b920", "x"}));
  EXPECT_EQ(words_of("한국"), (Words{"\u1112\u1161\u11ab\u1100\u116e\u11a8"}));
  EXPECT_EQ(words_of("한국", kCased), (Words{"한국"}));
  EXPECT_EQ(words_of("ไทยที่"), (Words{"ไทยท"}));  // two marks are Mn
  EXPECT_EQ(words_of("हिन्दी।"), (Words{"हिनदी", "।"}));
  EXPECT_EQ(words_of("🙂x👩‍👩‍👧"), (Words{"🙂x👩👩👧"}));
}

TEST(BasicTokenizer, InvisibleCharacters) {
  EXPECT_EQ(words_of("a\u00a0b\u3000c\u2028d"), (Words{"a", "b", "c", "d"}));
  EXPECT_EQ(words_of("co\u00adop\u200ber\u200date\ufeff"), (Words{"cooperate"}));
  EXPECT_EQ(words_of("a\x0b\x0c\x7f\u0085\ue000\ufffd"
                     "b"),
            (Words{"ab"}));
  EXPECT_EQ(words_of(std::string_view("a\0b", 3)), (Words{"ab"}));
  EXPECT_EQ(words_of("a\x0b"
                     "b\u0085c\u200bd\ufffd",
                     kBare),
            (Words{"a", "b", "c\u200bd\ufffd"}));
  EXPECT_EQ(words_of("a\u0378b"), (Words{"a\u0378b"}));  // unassigned
}

TEST(BasicTokenizer, MarksThatStayComeIntoCanonicalOrder) {
  // U+302E has the class 224 and U+1D165 the class 216; neither is Mn.
  EXPECT_EQ(words_of("x\u302e\U0001d165y"), (Words{"x\U0001d165\u302ey"}));
  EXPECT_EQ(words_of("x\u302e\x01\U0001d165y"), (Words{"x\U0001d165\u302ey"}));
  EXPECT_EQ(words_of("x\u302e\u034f\U0001d165y"), (Words{"x\u302e\U0001d165y"}));
  EXPECT_EQ(words_of("x\u302e\U0001d165y", kCased), (Words{"x\u302e\U0001d165y"}));
}

TEST(BasicTokenizer, BytesThatAreNotUtf8) {
  EXPECT_EQ(words_of("a\xff\xc3-\xe2\x82"
                     "b"),
            (Words{"a", "-", "b"}));
  EXPECT_EQ(words_of("a\xff"
                     "b"),
            (Words{"ab"}));
  EXPECT_EQ(words_of("a\xff"
                     "b\xed\xa0\x80"
                     "c\xc0\x80",
                     kBare),
            (Words{"a", "b", "c"}));
}

WordPieceRules any_rules() {
  WordPieceRules rules;
  rules.lower_case = *rc::gen::arbitrary<bool>();
  rules.strip_accents = *rc::gen::arbitrary<bool>();
  rules.split_chinese = *rc::gen::arbitrary<bool>();
  rules.clean_text = *rc::gen::arbitrary<bool>();
  return rules;
}

void check_laws(const std::string& text, const WordPieceRules& rules) {
  const Words words = words_of(text, rules);
  for (const std::string& word : words) {
    RC_ASSERT(!word.empty());
    RC_ASSERT(!find_invalid_utf8(word));
    RC_ASSERT(word.find_first_of(" \t\n\r\v\f") == word.npos);
  }
  RC_ASSERT(words_of(join(words), rules) == words);
}

TEST(BasicTokenizer, LawsOnRandomBytes) {
  EXPECT_TRUE(rc::check([] {
    const auto bytes = *rc::gen::arbitrary<std::vector<uint8_t>>();
    check_laws(std::string(bytes.begin(), bytes.end()), any_rules());
  }));
}

TEST(BasicTokenizer, LawsOnRandomCodePoints) {
  const auto code =
      rc::gen::oneOf(rc::gen::inRange(0, 0x80), rc::gen::inRange(0x80, 0x3100),
                     rc::gen::inRange(0x3100, 0xd800), rc::gen::inRange(0xe000, 0x110000));
  EXPECT_TRUE(rc::check([&] {
    std::string text;
    for (const int c : *rc::gen::container<std::vector<int>>(code)) text += utf8(c);
    check_laws(text, any_rules());
  }));
}

TEST(BasicTokenizer, WordsOfWordsAreTheWords) {
  for_every_code_point([](utf8proc_int32_t code) {
    const Words words = words_of("A" + utf8(code) + "\u0301b");
    ASSERT_EQ(words_of(join(words)), words) << code;
  });
}

}  // namespace
}  // namespace textcrs
