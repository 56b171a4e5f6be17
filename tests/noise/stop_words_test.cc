// Deletion with stop words: the noise of the text without them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/expect_error.h"
#include "noise/fixture.h"
#include "textcrs/noise/parameters.h"

namespace textcrs {
namespace {

using ::testing::HasSubstr;

// a .. g are the ids 3 .. 9; b and e are stop words.
const Vocabulary& marked() {
  static const Vocabulary words =
      textcrs::testing::vocabulary().with_stop_words({"some", {"b", "e"}});
  return words;
}

std::unique_ptr<Noise> make(const std::string& spec) { return make_noise(spec, {&marked()}); }

Words without_stop_words(Words text) {
  std::erase_if(text, [](WordId word) { return word == 4 || word == 7; });
  return text;
}

const std::vector<Words> kTexts = {{},        {4},          {4, 7, 4},          {3, 4, 5},
                                   {7, 3, 3}, {5, 4, 3, 7}, {4, 3, 6, 4, 5, 9}, {1, 4, 2, 8}};

TEST(StopWords, TheLawIsThatOfTheOtherWords) {
  for (const std::string noise :
       {"delete:p=0.3", "delete:p=0.6,order=shuffled", "universal:p=0.4"}) {
    const auto with = make(noise + ",stop=some"), plain = make(noise);
    EXPECT_EQ(with->spec(), noise + ",stop=some");
    for (const Words& text : kTexts) {
      const Words others = without_stop_words(text);
      EXPECT_EQ(with->law(text), plain->law(others));
      EXPECT_EQ(with->law_size(text), plain->law_size(others));
      EXPECT_EQ(with->blank_share(text), plain->blank_share(others));
      EXPECT_GT(textcrs::testing::fit(*with, text, with->law(text)), 1e-4);
    }
    EXPECT_EQ(with->blank_share(Words{4, 7}), 1);
    EXPECT_FALSE(with->picks_places());
    EXPECT_TRUE(plain->picks_places());
  }
}

TEST(StopWords, ACopyIsThatOfTheTextWithoutThem) {
  for (const std::string noise : {"delete:p=0.5", "universal:p=0.7"}) {
    const auto with = make(noise + ",stop=some"), plain = make(noise);
    Words text;
    for (uint32_t i = 0; i < 700; ++i) text.push_back(static_cast<WordId>(i * i % 12));
    const Words others = without_stop_words(text);
    Words a, b;
    for (uint32_t sample = 0; sample < 40; ++sample) {
      Stream one(3, 1, sample), two(3, 1, sample);
      with->sample(text, one, a);
      plain->sample(others, two, b);
      EXPECT_EQ(a, b);
      with->sample_bag(text, Stream(3, 1, sample), a);
      plain->sample_bag(others, Stream(3, 1, sample), b);
      EXPECT_EQ(a, b);
    }
  }
}

TEST(StopWords, OwnWordsAreNone) {
  const Vocabulary open =
      Vocabulary({"a", "b"}, Vocabulary::Growth::kOpen).with_stop_words({"some", {"b"}});
  const auto noise = make_noise("delete:p=0.5,stop=some", {&open});
  OwnWords own;
  const Words text = open.encode({"b", "zork", "mork"}, own);
  EXPECT_EQ(noise->law(Text(text, own.list())).size(), 4u);
}

TEST(StopWords, TheListIsNamedByItsFile) {
  const auto parse = [](const std::string& spec) {
    return DeletionParameters::parse(Spec::parse(spec));
  };
  EXPECT_EQ(parse("universal:p=0.9,stop=lists/my_list.txt").spec(), "universal:p=0.9,stop=my_list");
  EXPECT_EQ(parse("delete:stop=english,p=0.9,order=shuffled").spec(),
            "delete:p=0.9,order=shuffled,stop=english");
  EXPECT_EQ(parse("universal:p=0.9").stop, "");
  EXPECT_THROW(parse("universal:p=0.9,stop"), Error);
  EXPECT_THROW(parse("universal:p=0.9,stop=a b"), Error);
}

TEST(StopWords, NeedsThoseOfTheList) {
  const auto refusal = [](const NoiseContext& context) {
    return expect_error(ErrorKind::kUsage,
                        [&] { make_noise("universal:p=0.9,stop=english", context); });
  };
  EXPECT_THAT(refusal({}), HasSubstr("'english', and there are none here"));
  EXPECT_THAT(refusal({&textcrs::testing::vocabulary()}), HasSubstr("there are none here"));
  EXPECT_THAT(refusal({&marked()}), HasSubstr("the model has those of 'some'"));
  for (const char* spec : {"mask:p=0.5,stop=some", "reorder:full,stop=some"})
    EXPECT_THROW(make(spec), Error) << spec;
}

}  // namespace
}  // namespace textcrs
