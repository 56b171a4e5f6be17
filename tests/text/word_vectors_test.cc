#include "textcrs/text/word_vectors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "text/block_hash.h"
#include "text/scratch_home.h"
#include "text/word_vectors_format.h"
#include "text/word_vectors_writer.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

fs::path small_cache(const ScratchHome& scratch) {
  const fs::path cache = scratch.folder() / "small.bin";
  convert_glove_text(scratch.write("small.txt", "the 1 2\ncat 3 4\nsat 5 6\n"), cache);
  return cache;
}

TEST(WordVectors, KeepsWordsAndRowsInTheirOrder) {
  const ScratchHome scratch;
  const WordVectors vectors = WordVectors::open(small_cache(scratch));
  EXPECT_EQ(vectors.size(), 3);
  EXPECT_EQ(vectors.dimension(), 2);
  EXPECT_EQ(vectors.word(1), "cat");
  EXPECT_THAT(vectors.row(1), ElementsAre(3, 4));
  EXPECT_THAT(vectors.matrix(), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(vectors.find("sat"), 2);
  EXPECT_EQ(vectors.find("dog"), std::nullopt);
  EXPECT_EQ(vectors.find(""), std::nullopt);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(vectors.matrix().data()) % 64, 0u);
  EXPECT_THROW(vectors.word(3), std::logic_error);
  EXPECT_THROW(vectors.row(-1), std::logic_error);
}

TEST(WordVectors, FindsEveryWordAndNoOther) {
  EXPECT_TRUE(rc::check([] {
    const auto words =
        *rc::gen::unique<std::vector<std::string>>(rc::gen::arbitrary<std::string>());
    const auto stranger = *rc::gen::arbitrary<std::string>();
    RC_PRE(!words.empty());
    const ScratchHome scratch;
    const fs::path path = scratch.folder() / "any.bin";
    write_file_atomically(path, [&](std::ostream& out) {
      WordVectorsWriter writer(out, 1);
      for (size_t i = 0; i < words.size(); ++i) {
        const std::vector<float> row = {static_cast<float>(i)};
        RC_ASSERT(writer.add(words[i], row));
        RC_ASSERT(!writer.add(words[i], row));
      }
      writer.finish();
    });
    const WordVectors vectors = WordVectors::open(path);
    RC_ASSERT(vectors.size() == static_cast<int>(words.size()));
    bool known = false;
    for (int i = 0; i < vectors.size(); ++i) {
      RC_ASSERT(vectors.word(i) == words[static_cast<size_t>(i)]);
      RC_ASSERT(vectors.find(words[static_cast<size_t>(i)]) == i);
      RC_ASSERT(vectors.row(i)[0] == static_cast<float>(i));
      known = known || words[static_cast<size_t>(i)] == stranger;
    }
    RC_ASSERT(vectors.find(stranger).has_value() == known);
  }));
}

TEST(WordVectors, RefusesEveryTruncationAndEveryChangeOfTheHeader) {
  const ScratchHome scratch;
  const std::string whole = read_file(small_cache(scratch));
  for (size_t size = 0; size < whole.size(); ++size) {
    const auto path = scratch.write("cut.bin", whole.substr(0, size));
    EXPECT_THROW(WordVectors::open(path), Error) << size;
  }
  EXPECT_THROW(WordVectors::open(scratch.write("long.bin", whole + "x")), Error);
  for (size_t byte = 0; byte < 64; ++byte) {
    std::string changed = whole;
    changed[byte] = static_cast<char>(changed[byte] ^ 0x41);
    EXPECT_THROW(WordVectors::open(scratch.write("bad.bin", changed)), Error) << byte;
  }
  EXPECT_THAT(error_of([&] { WordVectors::open(scratch.write("cut.bin", whole.substr(0, 100))); }),
              HasSubstr("cut.bin: not a sound word-vector cache (found 100 bytes, expected "));
}

TEST(WordVectors, RefusesEveryChangeOfWhatFollowsTheHeader) {
  const ScratchHome scratch;
  const std::string whole = read_file(small_cache(scratch));
  for (size_t byte = 64; byte < whole.size(); ++byte)
    for (const int bit : {0, 3, 7}) {
      std::string changed = whole;
      changed[byte] = static_cast<char>(changed[byte] ^ 1 << bit);
      EXPECT_THAT(error_of([&] { WordVectors::open(scratch.write("bad.bin", changed)); }),
                  HasSubstr("bad.bin: not a sound word-vector cache (what follows the header"))
          << byte;
    }
}

// With the hashes that an intact file of these bytes has.
std::string sealed(std::string bytes) {
  VectorsHeader header{};
  std::memcpy(&header, bytes.data(), sizeof(header));
  header.content = block_hash(std::string_view(bytes).substr(sizeof(header)));
  header.checksum = header_checksum(header);
  return bytes.replace(0, sizeof(header), reinterpret_cast<const char*>(&header), sizeof(header));
}

TEST(WordVectors, AForgedBodyNeverLeadsOutOfTheFile) {
  const ScratchHome scratch;
  const std::string whole = read_file(small_cache(scratch));
  for (size_t byte = 64; byte < whole.size(); ++byte) {
    std::string changed = whole;
    changed[byte] = static_cast<char>(~changed[byte]);
    const WordVectors vectors = WordVectors::open(scratch.write("bad.bin", sealed(changed)));
    for (const char* word : {"the", "cat", "sat", "dog"}) {
      try {
        if (const auto row = vectors.find(word)) {
          ASSERT_GE(*row, 0);
          ASSERT_LT(*row, 3);
          EXPECT_EQ(vectors.word(*row), word);
        }
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("bad.bin: not a sound word-vector cache"));
      }
    }
    for (int row = 0; row < 3; ++row) {
      try {
        EXPECT_LE(vectors.word(row).size(), whole.size());
      } catch (const Error&) {
      }
    }
  }
}

TEST(WordVectors, AnIndexWithoutAnEmptySlotEndsTheSearch) {
  const ScratchHome scratch;
  std::string bytes = read_file(small_cache(scratch));
  const size_t index = 64 + 64 + 64;  // one block of matrix, one of offsets, then 64 slots
  for (size_t slot = 0; slot < 64; ++slot) bytes.replace(index + 4 * slot, 4, "\1\0\0\0", 4);
  const WordVectors vectors = WordVectors::open(scratch.write("full.bin", sealed(bytes)));
  EXPECT_EQ(vectors.find("dog"), std::nullopt);
  EXPECT_EQ(vectors.find("the"), 0);
}

TEST(WordVectors, TheFingerprintFollowsWordsAndNumbersOnly) {
  const ScratchHome scratch;
  const auto fingerprint = [&](const std::string& text) {
    convert_glove_text(scratch.write("v.txt", text), scratch.folder() / "v.bin");
    return WordVectors::open(scratch.folder() / "v.bin").fingerprint();
  };
  const uint64_t one = fingerprint("a 1 2\nb 3 4\n");
  EXPECT_EQ(fingerprint("a 1.0 2.0\r\nb 3.0 4e0"), one);
  EXPECT_NE(fingerprint("a 1 2\nb 3 5\n"), one);
  EXPECT_NE(fingerprint("a 1 2\nc 3 4\n"), one);
  EXPECT_NE(fingerprint("b 1 2\na 3 4\n"), one);
}

TEST(OpenWordVectors, MakesTheCacheOnceAndAgainWhenItIsDamaged) {
  const ScratchHome scratch;
  const auto source = scratch.write("v.txt", "a 1 2\nb 3 4\n");
  EXPECT_EQ(open_word_vectors(source).size(), 2);
  std::vector<fs::path> caches;
  for (const auto& entry : fs::directory_iterator(scratch.home() / "cache"))
    caches.push_back(entry.path());
  ASSERT_EQ(caches.size(), 1u);

  const auto made = fs::last_write_time(caches[0]) - std::chrono::hours(1);
  fs::last_write_time(caches[0], made);
  EXPECT_EQ(open_word_vectors(source).word(1), "b");
  EXPECT_EQ(fs::last_write_time(caches[0]), made);

  fs::resize_file(caches[0], 70);
  EXPECT_EQ(open_word_vectors(source).word(1), "b");
}

std::vector<fs::path> caches_of(const ScratchHome& scratch) {
  std::vector<fs::path> caches;
  for (const auto& entry : fs::directory_iterator(scratch.home() / "cache"))
    caches.push_back(entry.path());
  return caches;
}

TEST(OpenWordVectors, AFlippedBitOfTheCacheIsRepaired) {
  const ScratchHome scratch;
  const auto source = scratch.write("v.txt", "a 1 2\nb 3 4\n");
  open_word_vectors(source);
  const fs::path cache = caches_of(scratch).at(0);
  const std::string whole = read_file(cache);
  std::string changed = whole;
  changed[64 + 5] = static_cast<char>(changed[64 + 5] ^ 1);  // of the first row
  write_file_atomically(cache, changed);
  EXPECT_THAT(open_word_vectors(source).row(0), ElementsAre(1, 2));
  EXPECT_EQ(read_file(cache), whole);
}

TEST(OpenWordVectors, AChangedSourceGetsAnotherCacheInPlaceOfTheOld) {
  const ScratchHome scratch;
  const auto source = scratch.write("v.txt", "a 1 2\nb 3 4\n");
  const auto other = scratch.write("w/v.txt", "d 1 2\n");
  open_word_vectors(other);
  EXPECT_EQ(open_word_vectors(source).size(), 2);
  EXPECT_EQ(caches_of(scratch).size(), 2u);
  scratch.write("v.txt", "a 1 2\nb 3 4\nc 5 6\n");
  EXPECT_EQ(open_word_vectors(source).size(), 3);
  EXPECT_EQ(caches_of(scratch).size(), 2u);
  EXPECT_EQ(open_word_vectors(other).size(), 1);
}

TEST(OpenWordVectors, OtherContentOfTheSameSizeAndTimeIsNotTakenForTheOld) {
  const ScratchHome scratch;
  const auto source = scratch.write("v.txt", "a 1 2\nb 3 4\n");
  const auto time = fs::last_write_time(source);
  EXPECT_THAT(open_word_vectors(source).row(1), ElementsAre(3, 4));
  scratch.write("v.txt", "a 1 2\nb 3 5\n");
  fs::last_write_time(source, time);
  EXPECT_THAT(open_word_vectors(source).row(1), ElementsAre(3, 5));
}

// Where no sampled block shows it, the time at which the inode changed does.
TEST(OpenWordVectors, AByteBetweenTheSampledBlocksCounts) {
  const ScratchHome scratch;
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "w" + std::to_string(i) + " 1\n";
  const size_t at = text.find(" 1\n", 4096 + 100) + 1;  // behind the first block
  const auto source = scratch.write("v.txt", text);
  const auto time = fs::last_write_time(source);
  const uint64_t before = open_word_vectors(source).fingerprint();
  text[at] = '2';
  scratch.write("v.txt", text);
  fs::last_write_time(source, time);
  EXPECT_NE(open_word_vectors(source).fingerprint(), before);
}

// However it is cut.
TEST(BlockHash, DependsOnTheBytesAlone) {
  EXPECT_TRUE(rc::check([](const std::vector<std::string>& parts) {
    BlockHash hash;
    std::string whole;
    for (const std::string& part : parts) {
      hash.update(part);
      whole += part;
    }
    RC_ASSERT(hash.finish() == block_hash(whole));
    RC_ASSERT(block_hash(whole + '\0') != block_hash(whole));
    if (!whole.empty()) {
      const size_t at = *rc::gen::inRange<size_t>(0, whole.size());
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ 1 << *rc::gen::inRange(0, 8));
      RC_ASSERT(block_hash(changed) != block_hash(whole));
    }
  }));
}

TEST(OpenWordVectors, RefusesOtherNamesAndMissingFiles) {
  const ScratchHome scratch;
  EXPECT_THAT(error_of([&] { open_word_vectors(scratch.write("v.bin", "a 1 2\n")); }),
              HasSubstr("v.bin: expected word vectors as .txt (GloVe) or .json (wink)"));
  EXPECT_THAT(error_of([&] { open_word_vectors(scratch.folder() / "none.txt"); }),
              HasSubstr("none.txt: cannot be read"));
  EXPECT_FALSE(fs::exists(scratch.home()));
}

}  // namespace
}  // namespace textcrs
