// Files of some megabytes that would take hundreds of times as much: each is read, or refused with
// its name, within ten times its size and 64 MiB.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/json.h"
#include "text/peak_memory.h"
#include "text/scratch_home.h"
#include "textcrs/base/error.h"
#include "textcrs/text/synonyms.h"
#include "textcrs/text/vocabulary.h"
#include "textcrs/text/word_lists.h"
#include "textcrs/text/word_vectors.h"
#include "textcrs/text/wordpiece.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr size_t kBytes = size_t{12} << 20;

std::string repeated(const std::string& part, size_t bytes = kBytes) {
  std::string text;
  text.reserve(bytes + part.size());
  while (text.size() < bytes) text += part;
  return text;
}

// "aaaaa", "baaaa", ...: the i-th word of five letters.
std::string word(size_t i) {
  std::string letters = "aaaaa";
  for (char& letter : letters) {
    letter = static_cast<char>('a' + i % 26);
    i /= 26;
  }
  return letters;
}

// before word(0) between word(1) between ... of about so many bytes.
std::string words(const std::string& before, const std::string& after, size_t bytes = kBytes) {
  std::string text;
  for (size_t i = 0; text.size() < bytes; ++i) text += before + word(i) + after;
  return text;
}

class HostileFiles : public testing::Test {
 protected:
  // Reads the file within bounds, in a child; here, what is said against it is about it.
  template <typename Read>
  void expect_bounded(const std::string& name, const std::string& content, const Read& read) {
    const fs::path path = scratch_.write(name, content);
    expect_bounded_memory(path, content.substr(0, 60), [&] { read(path); });
  }
  template <typename Read>
  void expect_refused(const std::string& name, const std::string& content, const Read& read,
                      const std::string& why) {
    expect_bounded(name, content, read);
    const std::string error = error_of([&] { read(scratch_.folder() / name); });
    EXPECT_THAT(error, HasSubstr("/" + name + ":"));
    EXPECT_THAT(error, HasSubstr(why));
    EXPECT_LT(error.size(), 1000u);
  }

  ScratchHome scratch_;
};

TEST_F(HostileFiles, JsonOfSmallValues) {
  const auto tree = [](const fs::path& path) { read_json_file<nlohmann::json>(path); };
  const auto list = [](const fs::path& path) { read_json_file<nlohmann::ordered_json>(path); };
  for (const std::string value : {"[],", "{},", "\"\",", "0,", "null,", "[[[]]],", R"({"":0},)"}) {
    const std::string content = "[" + repeated(value) + "0]";
    expect_bounded("values.json", content, tree);
    expect_bounded("values.json", content, list);
  }
  expect_refused("values.json", "[" + repeated("{},") + "0]", tree, "more values than its size");
  const std::string members = "{" + words("\"", "\":0,") + "\"\":0}";
  expect_bounded("members.json", members, tree);
  expect_refused("members.json", members, list, "more than 10000 members");
}

// What is in use is far from the bounds.
TEST_F(HostileFiles, JsonOfManyMembersIsNotRefused) {
  std::string members = "{";
  for (size_t i = 0; i < 300'000; ++i) members += "\"" + word(i) + "\": " + std::to_string(i) + ",";
  const auto path = scratch_.write("vocab.json", members + "\"\": [\"a\", \"b\"]}");
  EXPECT_EQ(read_json_file<nlohmann::json>(path).size(), 300'001u);
}

TEST_F(HostileFiles, WinkVectorsThatAreNotThere) {
  const auto convert = [this](const fs::path& path) {
    convert_wink_json(path, scratch_.folder() / "v.bin");
  };
  const auto head = [](size_t size, size_t dimension) {
    return R"({"l2NormIndex":)" + std::to_string(dimension) + R"(,"wordIndex":)" +
           std::to_string(dimension + 1) + R"(,"size":)" + std::to_string(size) +
           R"(,"dimensions":)" + std::to_string(dimension) + R"(,"words":[)";
  };
  std::string many = head(10'000, 65'536);
  for (size_t i = 0; i < 10'000; ++i) many += (i > 0 ? ",\"" : "\"") + word(i) + "\"";
  expect_refused("many.json", many + R"(],"vectors":{}})", convert, "do not hold so many vectors");
  for (const size_t size : {1'000'000, 2'000'000})
    expect_bounded("words.json", head(size, 1) + words("\"", "\",") + "\"\"]", convert);
  expect_refused("numbers.json", head(1, 1) + R"("a"],"vectors":{"a":[)" + repeated("0,") + "0]}}",
                 convert, "vector of 'a': found more than 3 numbers");
}

TEST_F(HostileFiles, GloveVectorsOfOneNumber) {
  const auto convert = [this](const fs::path& path) {
    convert_glove_text(path, scratch_.folder() / "v.bin");
  };
  expect_bounded("v.txt", words("", " 1\n"), convert);
  expect_bounded("v.txt", repeated("a 1\n"), convert);
  expect_bounded("v.txt", repeated("a") + " 1\n", convert);
  expect_refused("v.txt", "a" + repeated(" 1") + "\n", convert, "expected a word and 1 to 65536");
}

constexpr const char* kSpecial = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";

std::string tokenizer(const std::string& pieces) {
  return R"({"normalizer":{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,)"
         R"("lowercase":true},"pre_tokenizer":{"type":"BertPreTokenizer"},"model":{"type":)"
         R"("WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##",)"
         R"("max_input_chars_per_word":100,"vocab":{"[PAD]":0,"[UNK]":1,"[CLS]":2,"[SEP]":3,)"
         R"("[MASK]":4)" +
         pieces + "}}}";
}

TEST_F(HostileFiles, PiecesOfWords) {
  const auto load = [](const fs::path& path) { WordPiece::load(path); };
  std::string numbered;
  for (size_t i = 0; numbered.size() < kBytes; ++i)
    numbered += ",\"" + word(i) + "\":" + std::to_string(i + 5);
  expect_bounded("tokenizer.json", tokenizer(numbered), load);
  expect_bounded("tokenizer.json", tokenizer(",\"" + repeated("a") + "\":5"), load);
  expect_bounded("vocab.txt", kSpecial + words("", "\n"), load);
  expect_bounded("vocab.txt", kSpecial + repeated("a") + "\n", load);
  expect_refused("vocab.txt", kSpecial + repeated("\n"), load, "expected a piece");
  expect_refused("vocab.txt", kSpecial + repeated("a\n"), load, "as in line 6");
  EXPECT_EQ(WordPiece::load(scratch_.write("long.txt", kSpecial + repeated("a", 5000) + "\na\n"))
                .encode(repeated("a", 50))
                .size(),
            3u);
}

TEST_F(HostileFiles, VocabulariesAndLists) {
  const auto vocabulary = [](const fs::path& path) { Vocabulary::load(path); };
  const std::string specials = "<pad>\n<unk>\n<mask>\n";
  expect_bounded("words.txt", specials + words("", "\n"), vocabulary);
  expect_refused("words.txt", specials + repeated("\n"), vocabulary, "expected a word in one line");
  expect_refused("words.txt", specials + repeated("a\n"), vocabulary, "expected different words");
  expect_bounded("stop.txt", words("", "\n"),
                 [](const fs::path& path) { load_stop_words(path, "list"); });
  expect_bounded("clusters.txt", words("", " b\n"),
                 [](const fs::path& path) { load_clusters(path); });
}

TEST_F(HostileFiles, Synonyms) {
  const Vocabulary known({"aaaaa", "baaaa"});
  const auto read = [&](const fs::path& path) { SynonymTable::from_json(path, known); };
  const auto list = [](const fs::path& path) { SynonymTable::json_words(path); };
  for (const std::string& content :
       {"{" + words("\"", "\":[],") + "\"\":[]}", "{\"aaaaa\":[" + words("\"", "\",") + "\"\"]}",
        "{\"aaaaa\":[" + repeated("\"\",") + "\"\"]}"}) {
    expect_bounded("synonyms.json", content, read);
    expect_bounded("synonyms.json", content, list);
  }
}

}  // namespace
}  // namespace textcrs
