// Guesses of missing words in the cpu engine against those of the LibTorch graph, on every ISA.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "kernels/known_precision.h"
#include "masked_lm_folder.h"
#include "textcrs/engine/masked_words.h"

namespace textcrs {
namespace {

using Words = std::vector<std::string>;

class MaskedWordsAgainstLibTorch : public MaskedLmFolder {
 protected:
  MaskedWordsAgainstLibTorch() {
    // Neither width is a multiple of a vector's; heads of 24.
    tiny_ = {.layers = 3, .heads = 2, .width = 48, .inner = 88};
    folder_of_both_ = write("bert.", head());
    reference_ = load(folder_of_both_);
  }
  // Short ones, one without words, and one that is too long for the 24 positions.
  static std::vector<Words> texts() {
    std::vector<Words> list = {{}, {"good"}, {"the", "films", "very", "\u0436", "dull", "!"}, {}};
    for (int i = 0; i < 40; ++i)
      list.back().push_back(i % 7 == 3 ? "storylines"
                                       : std::string(1, static_cast<char>('a' + i % 26)));
    return list;
  }

  std::filesystem::path folder_of_both_;
  std::unique_ptr<MaskedLm> reference_;
};

TEST_F(MaskedWordsAgainstLibTorch, FillsWithTheSameWords) {
  for (const Isa isa : available_isas()) {
    if (!knows(isa, Precision::kFp32)) continue;
    SCOPED_TRACE(to_string(isa));
    const MaskedWords model(folder_of_both_,
                            {.precision = Precision::kFp32, .isa = std::string(to_string(isa))});
    for (const Words& text : texts())
      for (size_t place = 0; place <= text.size(); place += text.size() > 10 ? 5 : 1) {
        const auto expected = reference_->fill(text, place, 1000),
                   found = model.fill(text, place, 1000);
        ASSERT_EQ(found.size(), expected.size());
        for (size_t i = 0; i < found.size(); ++i) {
          EXPECT_EQ(found[i].word, expected[i].word);
          EXPECT_NEAR(found[i].probability, expected[i].probability,
                      1e-4 * expected[i].probability);
        }
      }
  }
}

// By less than 0.6 in their logarithms, which spread over about 20.
TEST_F(MaskedWordsAgainstLibTorch, InBf16TheProbabilitiesAreRounded) {
  for (const Isa isa : available_isas()) {
    SCOPED_TRACE(to_string(isa));
    const MaskedWords model(folder_of_both_, {.isa = std::string(to_string(isa))});
    for (const Words& text : texts())
      for (size_t place = 0; place <= text.size(); place += text.size() > 10 ? 5 : 1) {
        std::map<std::string, double> expected;
        for (const WordGuess& guess : reference_->fill(text, place, 1000))
          expected[guess.word] = std::log(guess.probability);
        for (const WordGuess& guess : model.fill(text, place, 1000))
          EXPECT_NEAR(std::log(guess.probability), expected.at(guess.word), 0.6) << guess.word;
      }
  }
}

}  // namespace
}  // namespace textcrs
