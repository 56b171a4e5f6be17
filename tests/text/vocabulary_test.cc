#include "textcrs/text/vocabulary.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

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
  EXPECT_THROW(vocabulary.word(5), std::logic_error);
  EXPECT_THROW(vocabulary.word(-1), std::logic_error);
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

TEST(Vocabulary, SavesOneWordALine) {
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

}  // namespace
}  // namespace textcrs
