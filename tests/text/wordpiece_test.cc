#include "textcrs/text/wordpiece.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <optional>
#include <set>
#include <thread>

#include "text/temporary_folder.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace {

using Ids = std::vector<int32_t>;
using Pieces = std::vector<std::string>;

const Pieces kSpecial = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"};

Pieces with_special(const Pieces& others) {
  Pieces all = kSpecial;
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

Pieces pieces_of(const WordPiece& tokenizer, std::string_view word) {
  Ids ids;
  tokenizer.append_pieces(word, ids);
  Pieces pieces;
  for (const int32_t id : ids) pieces.push_back(tokenizer.piece(id));
  return pieces;
}

TEST(WordPiece, KnowsItsPieces) {
  const WordPiece tokenizer({"a", "[MASK]", "[SEP]", "[CLS]", "b", "[UNK]", "[PAD]"});
  EXPECT_EQ(tokenizer.size(), 7);
  EXPECT_EQ(tokenizer.piece(4), "b");
  EXPECT_EQ(tokenizer.pad(), 6);
  EXPECT_EQ(tokenizer.unk(), 5);
  EXPECT_EQ(tokenizer.cls(), 3);
  EXPECT_EQ(tokenizer.sep(), 2);
  EXPECT_EQ(tokenizer.mask(), 1);
  EXPECT_EQ(tokenizer.rules(), WordPieceRules{});
  EXPECT_EQ(tokenizer.encode("B a"), (Ids{3, 4, 0, 2}));
  EXPECT_EQ(tokenizer.encode(""), (Ids{3, 2}));
}

TEST(WordPiece, RefusesBadPieces) {
  const auto message = [](const Pieces& pieces) { return error_of([&] { WordPiece{pieces}; }); };
  for (const std::string& name : kSpecial) {
    Pieces pieces = with_special({"a"});
    std::erase(pieces, name);
    EXPECT_EQ(message(pieces), "found no piece " + name + " among 5, expected one");
  }
  EXPECT_EQ(message(with_special({"a", ""})),
            "found \"\" as piece 6, expected UTF-8, at least one character");
  EXPECT_EQ(message(with_special({"\xff"})),
            "found \"\\xff\" as piece 5, expected UTF-8, at least one character");
  EXPECT_EQ(message(with_special({"a", "b", "a"})),
            "found \"a\" as piece 5 and as piece 7, expected different pieces");
  EXPECT_THROW(WordPiece(kSpecial, WordPieceRules{.longest_word = 0}), std::logic_error);
}

TEST(WordPiece, TheLongestMatchIsFirst) {
  const WordPiece tokenizer(
      with_special({"un", "una", "##f", "##ff", "##ffa", "##ble", "##a", "b", "##bl"}));
  EXPECT_EQ(pieces_of(tokenizer, "unaffable"), (Pieces{"una", "##ffa", "##ble"}));
  EXPECT_EQ(pieces_of(tokenizer, "unffff"), (Pieces{"un", "##ff", "##ff"}));
  EXPECT_EQ(pieces_of(tokenizer, "una"), (Pieces{"una"}));
  EXPECT_EQ(pieces_of(tokenizer, ""), Pieces{});
}

TEST(WordPiece, OneUnknownForAWordThatHasNoMatch) {
  const WordPiece tokenizer(with_special({"un", "##a", "##ab", "##c", "x", "é"}));
  EXPECT_EQ(pieces_of(tokenizer, "z"), Pieces{"[UNK]"});
  EXPECT_EQ(pieces_of(tokenizer, "unz"), Pieces{"[UNK]"});
  EXPECT_EQ(pieces_of(tokenizer, "unzc"), Pieces{"[UNK]"});
  EXPECT_EQ(pieces_of(tokenizer, "unabb"), Pieces{"[UNK]"});  // the longest match is not taken back
  EXPECT_EQ(pieces_of(tokenizer, "a"), Pieces{"[UNK]"});      // only ##a
  EXPECT_EQ(pieces_of(tokenizer, "unx"), Pieces{"[UNK]"});    // only x
  EXPECT_EQ(pieces_of(tokenizer, "è"), Pieces{"[UNK]"});      // shares a byte with é
  Ids ids = {7};
  tokenizer.append_pieces("unaz", ids);
  EXPECT_EQ(ids, (Ids{7, tokenizer.unk()}));
  EXPECT_EQ(tokenizer.encode("un zz unc"), (Ids{2, 5, 1, 5, 8, 3}));
}

TEST(WordPiece, AVocabularyWithoutContinuations) {
  const WordPiece tokenizer(with_special({"a", "aa", "#"}));
  EXPECT_EQ(pieces_of(tokenizer, "aa"), Pieces{"aa"});
  EXPECT_EQ(pieces_of(tokenizer, "aaa"), Pieces{"[UNK]"});
  const WordPiece lone(with_special({"a", "##"}));
  EXPECT_EQ(pieces_of(lone, "aa"), Pieces{"[UNK]"});
  EXPECT_EQ(pieces_of(lone, "##"), Pieces{"##"});
}

TEST(WordPiece, LongWordsAreUnknownByCodePoints) {
  const WordPiece tokenizer(with_special({"a", "##a", "é", "##é"}), {.strip_accents = false});
  const auto length = [&](const std::string& letter, int count) {
    std::string word;
    for (int i = 0; i < count; ++i) word += letter;
    EXPECT_EQ(tokenizer.encode(word).size(), pieces_of(tokenizer, word).size() + 2);
    return pieces_of(tokenizer, word).size();
  };
  EXPECT_EQ(length("a", 100), 100u);
  EXPECT_EQ(length("a", 101), 1u);
  EXPECT_EQ(length("é", 100), 100u);
  EXPECT_EQ(length("é", 101), 1u);
  const WordPiece shorter(with_special({"a", "##a"}), {.longest_word = 3});
  EXPECT_EQ(pieces_of(shorter, "aaa").size(), 3u);
  EXPECT_EQ(pieces_of(shorter, "aaaa"), Pieces{"[UNK]"});
}

TEST(WordPiece, ATextCanNotForgeSpecialTokens) {
  const WordPiece tokenizer(with_special({"[", "]", "sep", "SEP", "##]"}));
  EXPECT_EQ(tokenizer.encode("[SEP] [sep]"), (Ids{2, 5, 7, 6, 5, 7, 6, 3}));
  for (const std::string& name : kSpecial) {
    const Ids ids = tokenizer.encode(name);
    EXPECT_EQ(std::count(ids.begin(), ids.end(), tokenizer.sep()), 1);
    EXPECT_EQ(std::count(ids.begin(), ids.end(), tokenizer.cls()), 1);
    EXPECT_EQ(std::count(ids.begin(), ids.end(), tokenizer.mask()), 0);
    EXPECT_EQ(std::count(ids.begin(), ids.end(), tokenizer.pad()), 0);
  }
}

// The definition, by comparing every prefix with every piece.
Pieces greedy(const std::set<std::string>& vocabulary, const std::string& word) {
  Pieces pieces;
  for (size_t start = 0; start < word.size();) {
    std::optional<size_t> best;
    for (size_t end = start + 1; end <= word.size(); ++end)
      if (vocabulary.contains((start > 0 ? "##" : "") + word.substr(start, end - start)))
        best = end;
    if (!best) return {"[UNK]"};
    pieces.push_back((start > 0 ? "##" : "") + word.substr(start, *best - start));
    start = *best;
  }
  return pieces;
}

std::string concatenated(const std::vector<std::string>& letters) {
  std::string word;
  for (const std::string& letter : letters) word += letter;
  return word;
}

TEST(WordPiece, MatchesTheDefinitionOnRandomVocabularies) {
  int known = 0;
  EXPECT_TRUE(rc::check([&] {
    const auto letter = rc::gen::element<std::string>("a", "b", "é", "è", "#");
    const auto letters = rc::gen::resize(4, rc::gen::nonEmpty(rc::gen::container<Pieces>(letter)));
    std::set<std::string> vocabulary(kSpecial.begin(), kSpecial.end());
    for (const auto& piece : *rc::gen::resize(40, rc::gen::container<std::vector<Pieces>>(letters)))
      vocabulary.insert(*rc::gen::element<std::string>("", "##") + concatenated(piece));
    const WordPiece tokenizer(Pieces(vocabulary.begin(), vocabulary.end()));
    for (const auto& word : *rc::gen::container<std::vector<Pieces>>(
             rc::gen::resize(8, rc::gen::container<Pieces>(letter)))) {
      const std::string text = concatenated(word);
      const Pieces pieces = pieces_of(tokenizer, text);
      RC_ASSERT(pieces == greedy(vocabulary, text));
      if (pieces == Pieces{"[UNK]"}) continue;
      std::string joined;
      for (size_t i = 0; i < pieces.size(); ++i) joined += pieces[i].substr(i > 0 ? 2 : 0);
      RC_ASSERT(joined == text);
      known += pieces.size() > 1;
    }
  }));
  EXPECT_GT(known, 50);
}

TEST(WordPiece, EncodeIsTheWordsAndTheirPieces) {
  const WordPiece tokenizer(with_special({"a", "##b", "b", "##a", ".", "é", "東"}));
  EXPECT_TRUE(rc::check([&] {
    const auto part =
        rc::gen::element<std::string>("a", "B", "É", ".", " ", "東", "\n", "z", "\xff");
    const std::string text = concatenated(*rc::gen::container<Pieces>(part));
    Ids expected = {tokenizer.cls()};
    for (const std::string& word : tokenizer.words(text)) tokenizer.append_pieces(word, expected);
    expected.push_back(tokenizer.sep());
    RC_ASSERT(tokenizer.encode(text) == expected);
  }));
}

TEST(WordPiece, NeverThrowsAndNeverMakesForeignIds) {
  const WordPiece tokenizer(with_special({"a", "##b", "b", "##a", ".", "#"}));
  EXPECT_TRUE(rc::check([&](const std::vector<uint8_t>& bytes) {
    const std::string text(bytes.begin(), bytes.end());
    Ids ids = tokenizer.encode(text);
    tokenizer.append_pieces(text, ids);
    for (const int32_t id : ids) RC_ASSERT(id >= 0 && id < tokenizer.size());
  }));
}

TEST(WordPiece, ManyThreadsShareOne) {
  const WordPiece tokenizer(with_special({"a", "##b", "é"}));
  std::vector<Ids> found(4);
  std::vector<std::thread> threads;
  for (Ids& ids : found) threads.emplace_back([&] { ids = tokenizer.encode("ab É abb z"); });
  for (std::thread& thread : threads) thread.join();
  for (const Ids& ids : found) EXPECT_EQ(ids, tokenizer.encode("ab É abb z"));
}

// Ids by Hugging Face's tokenizers 0.22.2.
TEST(WordPiece, ThePublishedVocabulary) {
  const auto folder = home_folder() / "data" / "minilm" / "model";
  if (!std::filesystem::exists(folder / "tokenizer.json"))
    GTEST_SKIP() << "needs: textcrs data fetch minilm";
  const WordPiece tokenizer = WordPiece::load(folder);
  EXPECT_EQ(tokenizer.size(), 30522);
  EXPECT_EQ(tokenizer.rules(), WordPieceRules{});
  EXPECT_EQ(tokenizer.encode("hello world"), (Ids{101, 7592, 2088, 102}));
  EXPECT_EQ(tokenizer.encode("This is an example sentence"),
            (Ids{101, 2023, 2003, 2019, 2742, 6251, 102}));
  EXPECT_EQ(pieces_of(tokenizer, "unaffable"), (Pieces{"una", "##ffa", "##ble"}));
  EXPECT_EQ(tokenizer.encode("I don't like U.S. films!"),
            (Ids{101, 1045, 2123, 1005, 1056, 2066, 1057, 1012, 1055, 1012, 3152, 999, 102}));
  EXPECT_EQ(tokenizer.encode("Crème brûlée, 10/10…"),
            (Ids{101, 13675, 21382, 7987, 9307, 2063, 1010, 2184, 1013, 2184, 1529, 102}));
  EXPECT_EQ(tokenizer.encode("İstanbul Straße naïve ΣΑΣ"),
            (Ids{101, 9960, 2358, 27807, 15743, 1173, 14608, 29733, 102}));
  EXPECT_EQ(tokenizer.encode("東京 한국 ไทย"),
            (Ids{101, 1879, 1755, 1469, 30006, 30021, 29991, 30014, 30020, 100, 102}));
  EXPECT_EQ(tokenizer.encode("antidisestablishmentarianism"),
            (Ids{101, 3424, 10521, 4355, 7875, 13602, 3672, 12199, 2964, 102}));
  EXPECT_EQ(tokenizer.encode("🙂 👩‍👩‍👧 ok"), (Ids{101, 100, 100, 7929, 102}));
  EXPECT_EQ(tokenizer.encode("co\u00adoperate\u200b now\u00a0then"),
            (Ids{101, 17654, 2085, 2059, 102}));
}

}  // namespace
}  // namespace textcrs
