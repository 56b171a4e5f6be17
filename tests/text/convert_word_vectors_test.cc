#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "text/scratch_home.h"
#include "textcrs/base/error.h"
#include "textcrs/text/word_vectors.h"

namespace textcrs {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

class Convert : public testing::Test {
 protected:
  WordVectors glove(std::string_view text) {
    convert_glove_text(scratch_.write("v.txt", text), cache_);
    return WordVectors::open(cache_);
  }
  WordVectors wink(std::string_view text) {
    convert_wink_json(scratch_.write("v.json", text), cache_);
    return WordVectors::open(cache_);
  }
  std::string glove_error(std::string_view text) {
    const auto before = (scratch_.write("v.txt", text), scratch_.listing());
    const std::string error = error_of([&] { glove(text); });
    EXPECT_EQ(scratch_.listing(), before);
    return error;
  }
  std::string wink_error(std::string_view text) {
    const auto before = (scratch_.write("v.json", text), scratch_.listing());
    const std::string error = error_of([&] { wink(text); });
    EXPECT_EQ(scratch_.listing(), before);
    return error;
  }

  ScratchHome scratch_;
  std::filesystem::path cache_ = scratch_.folder() / "v.bin";
};

TEST_F(Convert, GloveTakesTheDimensionFromTheFirstLine) {
  const WordVectors vectors = glove("the 0.5 -1e-3 2\n, 1 2 3\n");
  EXPECT_EQ(vectors.dimension(), 3);
  EXPECT_THAT(vectors.row(0), ElementsAre(0.5f, -1e-3f, 2.0f));
  EXPECT_EQ(vectors.word(1), ",");
}

TEST_F(Convert, GloveWordsMayHoldSpaces) {
  const WordVectors vectors = glove("the 1 2\n. . . 3 4\nat name@domain.com 5 6\n. 7 8\n");
  EXPECT_EQ(vectors.find(". . ."), 1);
  EXPECT_EQ(vectors.find("at name@domain.com"), 2);
  EXPECT_EQ(vectors.find("."), 3);
  EXPECT_THAT(vectors.row(1), ElementsAre(3, 4));
}

TEST_F(Convert, GloveToleratesWindowsLineEndsTrailingSpacesAndNoLastLineEnd) {
  const WordVectors vectors = glove("a 1 2 \r\nb 3 4\r\nc 5 6");
  EXPECT_EQ(vectors.size(), 3);
  EXPECT_THAT(vectors.row(2), ElementsAre(5, 6));
}

TEST_F(Convert, OfARepeatedWordTheFirstCounts) {
  const WordVectors vectors = glove("a 1 2\nb 3 4\na 5 6\n");
  EXPECT_EQ(vectors.size(), 2);
  EXPECT_THAT(vectors.row(0), ElementsAre(1, 2));
}

TEST_F(Convert, AWord2vecHeaderIsUnderstoodAndChecked) {
  const WordVectors vectors = glove("2 3\na 1 2 3\nb 4 5 6\n");
  EXPECT_EQ(vectors.size(), 2);
  EXPECT_EQ(vectors.dimension(), 3);
  EXPECT_THAT(glove_error("3 2\nx 1 2\ny 3 4\n"), HasSubstr("ends after 2 words, expected 3"));
}

TEST_F(Convert, TwoNumbersThatAreNoHeaderAreAWordAndItsVector) {
  const WordVectors vectors = glove("5 3\n7 4\n");
  EXPECT_EQ(vectors.dimension(), 1);
  EXPECT_EQ(vectors.find("5"), 0);
  EXPECT_THAT(vectors.row(1), ElementsAre(4));
}

TEST_F(Convert, GloveErrorsNameTheLine) {
  EXPECT_THAT(glove_error("a 1 2\nb 3\n"),
              EndsWith("v.txt:2: found 2 fields, expected a word and 2 numbers"));
  EXPECT_THAT(glove_error("a 1 2\nb 3 4\nc 1.5 2.5 3.5\n"),
              EndsWith("v.txt:3: found 4 fields, expected a word and 2 numbers"));
  EXPECT_THAT(glove_error("a 1 2\n\nb 3 4\n"),
              EndsWith("v.txt:2: found 0 fields, expected a word and 2 numbers"));
  EXPECT_THAT(glove_error("a 1 2\nb 3 x4\n"),
              EndsWith("v.txt:2: number 2 is 'x4', expected a finite number"));
  for (const char* bad : {"nan", "inf", "-inf", "1e39", "0x1"})
    EXPECT_THAT(glove_error(std::string("a 1 2\nb ") + bad + " 4\n"),
                HasSubstr(std::string("v.txt:2: number 1 is '") + bad + "'"));
  EXPECT_THAT(glove_error(""), HasSubstr("v.txt:1: found 0 fields"));
  EXPECT_THAT(glove_error("alone\n"), HasSubstr("v.txt:1: found 1 fields"));
}

constexpr const char* kHead =
    R"({"precision":8,"l2NormIndex":2,"wordIndex":3,"size":2,"dimensions":2,)";

TEST_F(Convert, WinkRowsFollowTheIndex) {
  const WordVectors vectors =
      wink(std::string(kHead) +
           R"("words":["the","\"q\u00e9\\"],)"
           R"("vectors":{"\"q\u00e9\\":[3,-4.5,5,1],"the":[1,2,2.23,0]},"unkVector":[0,0,0,-1]})");
  EXPECT_EQ(vectors.size(), 2);
  EXPECT_EQ(vectors.dimension(), 2);
  EXPECT_EQ(vectors.word(0), "the");
  EXPECT_EQ(vectors.find("\"q\xc3\xa9\\"), 1);
  EXPECT_THAT(vectors.matrix(), ElementsAre(1, 2, 3, -4.5));
}

TEST_F(Convert, WinkSizesHaveToAgree) {
  const auto with = [&](const std::string& words, const std::string& vectors) {
    return wink_error(kHead + ("\"words\":[" + words) + "],\"vectors\":{" + vectors + "}}");
  };
  const std::string ab = R"("a","b")", a = R"("a":[1,2,3,0])", b = R"("b":[3,4,5,1])";
  EXPECT_THAT(with(ab, a + "," + b + "}"), HasSubstr("not the JSON of"));
  EXPECT_THAT(with(R"("a")", a), HasSubstr("\"words\": found 1, expected 2 words"));
  EXPECT_THAT(with(ab, a), HasSubstr("\"vectors\": found 1, expected 2 vectors"));
  EXPECT_THAT(with(ab, R"("a":[1,2,0])"), HasSubstr("vector of 'a': found 3 numbers, expected 4"));
  EXPECT_THAT(with(ab, R"("a":[1,2,3,2])"), HasSubstr("found the index 2, expected 0 to 1"));
  EXPECT_THAT(with(ab, R"("a":[1,2,3,0.5])"), HasSubstr("found the index 0.5"));
  EXPECT_THAT(with(ab, R"("a":[1,2,3,-1])"), HasSubstr("found the index -1"));
  EXPECT_THAT(with(ab, a + "," + a), HasSubstr("the index 0 was used before"));
  EXPECT_THAT(with(ab, R"("a":[1,2,3,1])"),
              HasSubstr("vector of 'a': has the index 1, where \"words\" holds 'b'"));
  EXPECT_THAT(with(ab, R"("a":[1,1e39,3,0])"), HasSubstr("number 2 is 1e+39"));
  EXPECT_THAT(with(ab, R"("a":[1,1e999,3,0])"), HasSubstr("not the JSON of"));
  EXPECT_THAT(with(R"("a","a")", a + R"(,"a":[3,4,5,1])"), HasSubstr("'a' appears twice"));
}

TEST_F(Convert, WhatIsNotWinkJsonIsRefused) {
  EXPECT_THAT(wink_error("[]"), HasSubstr("v.json"));
  EXPECT_THAT(wink_error("{}"), HasSubstr("not the JSON of a wink-embeddings package"));
  EXPECT_THAT(wink_error(""), HasSubstr("v.json"));
  EXPECT_THAT(wink_error(R"({"l2NormIndex":3,"wordIndex":3,"size":2,"dimensions":2})"),
              HasSubstr("\"l2NormIndex\": found 3, expected 2"));
  const std::string whole =
      std::string(kHead) + R"("words":["a","b"],"vectors":{"a":[1,2,3,0],"b":[3,4,5,1]}})";
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_THAT(wink_error(whole.substr(0, size)), HasSubstr("v.json: ")) << size;
  const std::string deep(100000, '[');
  for (const std::string& hostile :
       {deep, "{\"l2NormIndex\":" + deep, std::string(kHead) + "\"words\":" + deep,
        std::string(kHead) + R"("words":["a","b"],"vectors":{"a":)" + deep,
        whole.substr(0, whole.size() - 1) + ",\"more\":" + deep + "}"})
    EXPECT_THAT(wink_error(hostile), HasSubstr("v.json: "));
  std::string wrong = whole;
  wrong.replace(wrong.find("[3,4"), 4, "[3,x");
  EXPECT_THAT(wink_error(wrong), HasSubstr("byte"));
  EXPECT_THAT(wink_error(whole + "]"), HasSubstr("not the JSON of"));
  EXPECT_EQ(wink(whole + "\n").size(), 2);
  EXPECT_THAT(error_of([&] { convert_wink_json(scratch_.folder() / "none.json", cache_); }),
              HasSubstr("none.json: cannot be read"));
}

}  // namespace
}  // namespace textcrs
