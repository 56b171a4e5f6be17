// Windows around edits, against the encoder asked by hand.
#include "attack/window_similarity.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/tiny_bert.h"
#include "text/temporary_folder.h"
#include "word_count_target.h"

namespace textcrs {
namespace {

using Kind = WordEdit::Kind;

class WindowSimilarity : public testing::Test {
 protected:
  WindowSimilarity() {
    TinyBert().write(folder_.path() / "encoder");
    encoder_ = std::make_unique<SentenceEncoder>(folder_.path() / "encoder");
  }
  double angular(const std::string& a, const std::string& b) const {
    const auto va = encoder_->encode(std::vector<WordList>{words_in(a)});
    const auto vb = encoder_->encode(std::vector<WordList>{words_in(b)});
    return angular_similarity(va, vb);
  }
  // Of one edit; `edits` together give the same.
  std::vector<double> after(const std::vector<WordEdit>& edits, const std::string& words,
                            size_t window, double least = 0) const {
    const auto similarity = make_window_similarity(*encoder_, window, least);
    const EditedText text(words_in(words));
    std::vector<double> each;
    for (const WordEdit& edit : edits)
      each.push_back(similarity->after(text, std::span(&edit, 1)).at(0));
    EXPECT_EQ(similarity->after(text, edits), each);
    return each;
  }

  TemporaryFolder folder_;
  std::unique_ptr<SentenceEncoder> encoder_;
  const std::string text_ = "the film and a very warm story";
};

TEST_F(WindowSimilarity, IsThatOfTheWordsAroundTheEdit) {
  const std::vector<double> similar = after({{Kind::kReplace, 3, "bad"},
                                             {Kind::kReplace, 0, "bad"},
                                             {Kind::kReplace, 6, "bad"},
                                             {Kind::kInsert, 3, "bad"},
                                             {Kind::kInsert, 7, "bad"},
                                             {Kind::kDelete, 3},
                                             {Kind::kDelete, 6},
                                             {Kind::kSwap, 1, {}, 5},
                                             {Kind::kSwap, 5, {}, 1}},
                                            text_, 3);
  EXPECT_EQ(similar[0], angular("and a very", "and bad very"));
  EXPECT_EQ(similar[1], angular("the film and", "bad film and"));
  EXPECT_EQ(similar[2], angular("very warm story", "very warm bad"));
  EXPECT_EQ(similar[3], angular("and a very", "and bad a"));
  EXPECT_EQ(similar[4], angular("very warm story", "warm story bad"));
  EXPECT_EQ(similar[5], angular("and a very", "and very warm"));
  EXPECT_EQ(similar[6], angular("very warm story", "a very warm"));
  // Both windows of a swap count, whichever comes first.
  EXPECT_EQ(similar[7], std::min(angular("the film and", "the warm and"),
                                 angular("very warm story", "very film story")));
  EXPECT_EQ(similar[8], similar[7]);
  for (const double each : similar) EXPECT_LT(each, 1);
}

TEST_F(WindowSimilarity, AShortTextIsComparedAsAWhole) {
  EXPECT_EQ(after({{Kind::kReplace, 1, "bad"}}, text_, 15)[0],
            angular(text_, "the bad and a very warm story"));
  EXPECT_EQ(after({{Kind::kDelete, 0}}, "film", 15)[0], angular("film", ""));
  EXPECT_EQ(after({{Kind::kInsert, 0, "film"}}, "", 15)[0], angular("", "film"));
}

TEST_F(WindowSimilarity, TooLittleIsNone) {
  const std::vector<WordEdit> edits = {{Kind::kReplace, 3, "bad"}, {Kind::kReplace, 5, "dull"}};
  std::vector<double> similar = after(edits, text_, 3);
  ASSERT_NE(similar[0], similar[1]);
  const double larger = std::max(similar[0], similar[1]);
  for (double& each : similar) each = each < larger ? 0 : each;
  EXPECT_EQ(after(edits, text_, 3, larger), similar) << "at least so much is enough";
}

TEST_F(WindowSimilarity, OfTwoTextsIsTheCosineOfTheWhole) {
  const auto similarity = make_window_similarity(*encoder_, 3, 0.9);
  const WordList a = words_in("a very warm film"), b = words_in("the story");
  EXPECT_EQ(similarity->of(a, b), cosine_similarity(encoder_->encode(std::vector<WordList>{a}),
                                                    encoder_->encode(std::vector<WordList>{b})));
  EXPECT_NEAR(similarity->of(a, a), 1, 1e-6);
}

}  // namespace
}  // namespace textcrs
