#include "textcrs/text/vocabulary.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <atomic>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <stdexcept>

#include "text/temporary_folder.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/base/parallel.h"
#include "textcrs/base/stream.h"

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

constexpr auto kOpen = Vocabulary::Growth::kOpen;

TEST(OpenVocabulary, GivesNewWordsTheNextIds) {
  const Vocabulary vocabulary({"the", "film"}, kOpen);
  EXPECT_EQ(vocabulary.id("book"), kUnk);  // asking is not meeting
  EXPECT_FALSE(vocabulary.holds("book"));
  EXPECT_EQ(vocabulary.size(), 5);
  EXPECT_THROW(vocabulary.word(5), std::out_of_range);
  EXPECT_EQ(vocabulary.encode({"film", "book", "a", "book", "the", "<mask>"}),
            (std::vector<WordId>{4, 5, 6, 5, 3, kMask}));
  EXPECT_EQ(vocabulary.size(), 7);
  EXPECT_EQ(vocabulary.word(5), "book");
  EXPECT_EQ(vocabulary.id("a"), 6);
  EXPECT_THROW(vocabulary.word(7), std::out_of_range);
  EXPECT_THROW(vocabulary.word(-1), std::out_of_range);
}

TEST(OpenVocabulary, CopiesShareTheirWordsForAsLongAsTheyLive) {
  auto original = std::make_unique<Vocabulary>(std::vector<std::string>{"the"}, kOpen);
  const Vocabulary copy = *original;
  Vocabulary assigned;
  assigned = copy;
  original->encode({"one"});
  copy.encode({"two"});
  assigned.encode({"three", "one"});
  EXPECT_EQ(original->encode({"one", "two", "three"}), (std::vector<WordId>{4, 5, 6}));
  original.reset();
  EXPECT_EQ(copy.size(), 7);
  EXPECT_EQ(assigned.word(5), "two");
  EXPECT_EQ(Vocabulary({"the"}, kOpen).id("one"), kUnk);  // another one shares nothing
}

TEST(OpenVocabulary, WordsStayWhereTheyAre) {
  const Vocabulary vocabulary({"the"}, kOpen);
  const std::string* const before = &vocabulary.word(3);
  for (int i = 0; i < 5000; ++i) vocabulary.encode({"w" + std::to_string(i)});
  EXPECT_EQ(&vocabulary.word(3), before);
  for (int i = 0; i < 5000; ++i) EXPECT_EQ(vocabulary.word(4 + i), "w" + std::to_string(i));
}

TEST(OpenVocabulary, RefusesWordsThatCanNotBeStored) {
  const Vocabulary open({"the"}, kOpen), closed({"the"});
  for (const char* word : {"", "a\nb", "\r"}) {
    EXPECT_NE(error_of([&] {
                open.encode({"the", word});
              }).find("expected a word in one line"),
              std::string::npos);
    EXPECT_EQ(closed.encode({word}), std::vector<WordId>{kUnk});
  }
  EXPECT_EQ(open.size(), 4);
}

TEST(OpenVocabulary, SavesWhatItLearnedAndLearnsOn) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "vocab.txt";
  const Vocabulary vocabulary({"the"}, kOpen);
  vocabulary.encode({"film", "é"});
  vocabulary.save(path);
  EXPECT_EQ(read_file(path), "<pad>\n<unk>\n<mask>\nthe\nfilm\né\n");
  const Vocabulary open = Vocabulary::load(path, kOpen), closed = Vocabulary::load(path);
  EXPECT_EQ(open.encode({"é", "book"}), (std::vector<WordId>{5, 6}));
  EXPECT_EQ(closed.encode({"é", "book"}), (std::vector<WordId>{5, kUnk}));
  EXPECT_EQ(vocabulary.id("book"), kUnk);
}

TEST(OpenVocabulary, IsAMapThatOnlyGrows) {
  EXPECT_TRUE(rc::check([] {
    const Vocabulary vocabulary({"a"}, kOpen);
    std::map<std::string, WordId> expected = {{"<pad>", 0}, {"<unk>", 1}, {"<mask>", 2}, {"a", 3}};
    const auto word = rc::gen::element<std::string>("a", "b", "ab", "ba", "c", "<unk>", "cc", "d");
    for (const auto& text : *rc::gen::container<std::vector<std::vector<std::string>>>(
             rc::gen::container<std::vector<std::string>>(word))) {
      std::vector<WordId> ids;
      for (const std::string& one : text)
        ids.push_back(expected.emplace(one, static_cast<WordId>(expected.size())).first->second);
      RC_ASSERT(vocabulary.encode(text) == ids);
    }
    RC_ASSERT(vocabulary.size() == static_cast<int>(expected.size()));
    for (const auto& [spelled, id] : expected) {
      RC_ASSERT(vocabulary.word(id) == spelled);
      RC_ASSERT(vocabulary.id(spelled) == id);
    }
  }));
}

TEST(OpenVocabulary, ThreadsThatMeetTheSameWordsGetTheSameIds) {
  constexpr size_t kThreads = 4, kWords = 3000;
  for (int round = 0; round < 5; ++round) {
    const Vocabulary vocabulary(std::vector<std::string>{}, kOpen);
    std::vector<std::vector<std::string>> texts(kThreads);
    std::vector<std::vector<WordId>> ids(kThreads);
    std::set<std::string> all;
    for (size_t thread = 0; thread < kThreads; ++thread) {
      for (size_t i = 0; i < kWords; ++i)  // half of the words are the next thread's as well
        texts[thread].push_back("w" + std::to_string(thread * kWords / 2 + i));
      Stream(1, static_cast<uint32_t>(thread), 0).shuffle(std::span(texts[thread]));
      all.insert(texts[thread].begin(), texts[thread].end());
    }
    std::atomic<int> misread = 0;
    parallel_for(kThreads, kThreads, [&](size_t thread) {
      const Vocabulary copy = vocabulary;
      for (const std::string& word : texts[thread]) {
        ids[thread].push_back(copy.encode({word})[0]);
        if (copy.word(copy.size() - 1).empty() || copy.id(word) != ids[thread].back()) ++misread;
      }
    });
    EXPECT_EQ(misread, 0);
    ASSERT_EQ(vocabulary.size(), kFirstWord + static_cast<int>(all.size()));
    for (size_t thread = 0; thread < kThreads; ++thread) {
      EXPECT_EQ(vocabulary.encode(texts[thread]), ids[thread]);
      for (size_t i = 0; i < kWords; ++i)
        ASSERT_EQ(vocabulary.word(ids[thread][i]), texts[thread][i]);
    }
  }
}

}  // namespace
}  // namespace textcrs
