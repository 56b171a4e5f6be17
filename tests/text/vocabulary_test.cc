#include "textcrs/text/vocabulary.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

#include "text/temporary_folder.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace {

TEST(Vocabulary, SpecialWordsComeFirst) {
  const Vocabulary empty;
  EXPECT_EQ(empty.size(), 3);
  EXPECT_EQ(empty.word(kPad), "<pad>");
  EXPECT_EQ(empty.word(kUnk), "<unk>");
  EXPECT_EQ(empty.word(kMask), "<mask>");
  EXPECT_EQ(empty.id("<mask>"), kMask);
}

TEST(Vocabulary, IsABijection) {
  const Vocabulary vocabulary({"the", "film"});
  EXPECT_EQ(vocabulary.size(), 5);
  EXPECT_EQ(vocabulary.id("the"), kFirstWord);
  EXPECT_EQ(vocabulary.id("film"), kFirstWord + 1);
  EXPECT_EQ(vocabulary.id("The"), kUnk);
  EXPECT_TRUE(vocabulary.holds("film"));
  EXPECT_FALSE(vocabulary.holds("book"));
  EXPECT_EQ(vocabulary.encode({"film", "book", "the"}), (std::vector<WordId>{4, kUnk, 3}));
  EXPECT_EQ(vocabulary.size(), 5);  // closed: it learned nothing
  EXPECT_FALSE(vocabulary.holds("book"));
  for (const WordId id : {5, -1, std::numeric_limits<WordId>::max()})
    EXPECT_THROW(vocabulary.word(id), std::out_of_range) << id;
}

TEST(Vocabulary, RefusesWordsThatCanNotBeStored) {
  EXPECT_EQ(error_of([] {
              Vocabulary({"a", "a"});
            }),
            "vocabulary: found \"a\" as word 3 and as word 4, expected different words");
  EXPECT_EQ(error_of([] {
              Vocabulary({"a", ""});
            }),
            "vocabulary: found \"\" as word 4, expected a word in one line");
  EXPECT_EQ(error_of([] { Vocabulary({"a\nb"}); }),
            "vocabulary: found \"a\\x0ab\" as word 3, expected a word in one line");
  EXPECT_EQ(error_of([] { Vocabulary({"<unk>"}); }),
            "vocabulary: found \"<unk>\" as word 1 and as word 3, expected different words");
}

TEST(Vocabulary, SavesOneWordPerLine) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "vocab.txt";
  Vocabulary({"the", "é"}).save(path);
  EXPECT_EQ(read_file(path), "<pad>\n<unk>\n<mask>\nthe\né\n");
  EXPECT_EQ(Vocabulary::load(path).id("é"), 4);
}

TEST(Vocabulary, LoadNamesWhatIsWrong) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "vocab.txt";
  const auto message = [&](const std::string& content) {
    write_file_atomically(path, content);
    return error_of([&] { Vocabulary::load(path); });
  };
  const std::string file = path.string();
  EXPECT_EQ(message(""), file + ":1: found \"\", expected <pad>");
  EXPECT_EQ(message("<pad>\nthe\n"), file + ":2: found \"the\", expected <unk>");
  EXPECT_EQ(message("<pad>\r\n<unk>\r\n<mask>\r\n"),
            file + ":1: found \"<pad>\\x0d\", expected <pad>");
  EXPECT_EQ(message("<pad>\n<unk>\n<mask>\na\n\nb\n"),
            file + ": vocabulary: found \"\" as word 4, expected a word in one line");
  EXPECT_EQ(message("<pad>\n<unk>\n<mask>\n\xff\n"),
            file + ": found the byte 0xff at offset 19, expected UTF-8");
  EXPECT_EQ(error_of([&] { Vocabulary::load(folder.path() / "none.txt"); }).substr(0, 1), "/");
}

TEST(Vocabulary, LoadUndoesSave) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "vocab.txt";
  EXPECT_TRUE(rc::check([&] {
    const auto letters =
        rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange('a', 'z')));
    const auto words = *rc::gen::unique<std::vector<std::string>>(letters);
    Vocabulary(words).save(path);
    const Vocabulary loaded = Vocabulary::load(path);
    RC_ASSERT(loaded.size() == static_cast<int>(words.size()) + kFirstWord);
    for (size_t i = 0; i < words.size(); ++i) {
      RC_ASSERT(loaded.word(kFirstWord + static_cast<WordId>(i)) == words[i]);
      RC_ASSERT(loaded.id(words[i]) == kFirstWord + static_cast<WordId>(i));
    }
  }));
}

constexpr auto kOpen = Vocabulary::Growth::kOpen;

TEST(OpenVocabulary, GivesATextsOwnWordsTheNextIds) {
  const Vocabulary vocabulary({"the", "film"}, kOpen);
  OwnWords own;
  EXPECT_EQ(vocabulary.encode({"film", "book", "a", "book", "the", "<mask>"}, own),
            (std::vector<WordId>{4, 5, 6, 5, 3, kMask}));
  EXPECT_EQ(own.list(), (std::vector<std::string>{"book", "a"}));
  EXPECT_EQ(vocabulary.encode({"a", "novel", "book"}, own), (std::vector<WordId>{6, 7, 5}));
  EXPECT_EQ(own.list(), (std::vector<std::string>{"book", "a", "novel"}));
  EXPECT_EQ(vocabulary.word(4, own.list()), "film");
  EXPECT_EQ(vocabulary.word(7, own.list()), "novel");
  EXPECT_THROW(vocabulary.word(8, own.list()), std::out_of_range);
  EXPECT_THROW(vocabulary.word(-1, own.list()), std::out_of_range);
}

TEST(OpenVocabulary, NothingOfATextStaysBehind) {
  const Vocabulary vocabulary({"the"}, kOpen);
  OwnWords first, second;
  vocabulary.encode({"one", "two"}, first);
  EXPECT_EQ(vocabulary.size(), 4);
  EXPECT_EQ(vocabulary.id("one"), kUnk);
  EXPECT_FALSE(vocabulary.holds("one"));
  EXPECT_THROW(vocabulary.word(4), std::out_of_range);
  EXPECT_EQ(vocabulary.encode({"two"}, second), std::vector<WordId>{4});
  const TemporaryFolder folder;
  vocabulary.save(folder.path() / "vocab.txt");
  EXPECT_EQ(read_file(folder.path() / "vocab.txt"), "<pad>\n<unk>\n<mask>\nthe\n");
}

TEST(OpenVocabulary, LoadedAsOneOrAsAClosedOne) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "vocab.txt";
  Vocabulary({"the", "é"}, kOpen).save(path);
  const Vocabulary open = Vocabulary::load(path, kOpen), closed = Vocabulary::load(path);
  EXPECT_TRUE(open.is_open());
  EXPECT_FALSE(closed.is_open());
  OwnWords own, none;
  EXPECT_EQ(open.encode({"é", "book"}, own), (std::vector<WordId>{4, 5}));
  EXPECT_EQ(closed.encode({"é", "book"}, none), (std::vector<WordId>{4, kUnk}));
  EXPECT_TRUE(none.list().empty());
}

TEST(OpenVocabulary, WithoutRoomForOwnWordsOnlyHeldOnesAreEncoded) {
  const Vocabulary vocabulary({"the"}, kOpen);
  EXPECT_EQ(vocabulary.encode({"the", "<unk>"}), (std::vector<WordId>{3, kUnk}));
  EXPECT_THROW(vocabulary.encode({"the", "book"}), std::logic_error);
}

TEST(OpenVocabulary, AnEmptyWordIsNone) {
  const Vocabulary open({"the"}, kOpen), closed({"the"});
  OwnWords own;
  EXPECT_EQ(error_of([&] {
              open.encode({"the", ""}, own);
            }),
            "a text: found an empty word, expected none");
  EXPECT_TRUE(own.list().empty());
  EXPECT_EQ(closed.encode({""}), std::vector<WordId>{kUnk});
}

TEST(OpenVocabulary, TextsThatShareTheirOwnWordsAgreeOnIds) {
  EXPECT_TRUE(rc::check([] {
    const Vocabulary vocabulary({"a"}, kOpen);
    OwnWords own;
    std::map<std::string, WordId> expected = {{"<pad>", 0}, {"<unk>", 1}, {"<mask>", 2}, {"a", 3}};
    const auto word = rc::gen::element<std::string>("a", "b", "ab", "ba", "c", "<unk>", "cc", "d");
    for (const auto& text : *rc::gen::container<std::vector<std::vector<std::string>>>(
             rc::gen::container<std::vector<std::string>>(word))) {
      std::vector<WordId> ids;
      for (const std::string& one : text)
        ids.push_back(expected.emplace(one, static_cast<WordId>(expected.size())).first->second);
      RC_ASSERT(vocabulary.encode(text, own) == ids);
    }
    RC_ASSERT(own.list().size() == expected.size() - 4);
    for (const auto& [spelled, id] : expected)
      RC_ASSERT(vocabulary.word(id, own.list()) == spelled);
  }));
}

TEST(OwnWords, AWordHasOnePlace) {
  OwnWords own;
  EXPECT_EQ(own.add("one"), 0u);
  EXPECT_EQ(own.add("two"), 1u);
  EXPECT_EQ(own.add("one"), 0u);
  EXPECT_EQ(own.list(), (std::vector<std::string>{"one", "two"}));
}

TEST(Text, IsAViewOfIdsAndSpellings) {
  const std::vector<WordId> ids = {3, 5, 4};
  const std::vector<std::string> own = {"book"};
  const Text text(ids, own);
  EXPECT_EQ(text.size(), 3u);
  EXPECT_EQ(text[1], 5);
  EXPECT_EQ(text.ids.data(), ids.data());
  const Text cut = text.cut(2);
  EXPECT_TRUE(std::ranges::equal(cut, std::vector<WordId>{3, 5}));
  EXPECT_EQ(cut.own.data(), own.data());
  EXPECT_EQ(text.cut(9).size(), 3u);
  EXPECT_TRUE(Text().empty());
  EXPECT_TRUE(text.cut(0).empty());
}

}  // namespace
}  // namespace textcrs
