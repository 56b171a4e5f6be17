// BERT in the cpu engine against the LibTorch graph: every noise and every ISA.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/bert_model.h"
#include "textcrs/torch/backend.h"

namespace textcrs {
namespace {

using Votes = std::vector<int64_t>;

class CpuBertAgainstLibTorch : public BertModel {
 protected:
  std::unique_ptr<Engine> reference(int threads = 0, int batch_size = 0) const {
    return torch_backend().reference_engine(*classifier_, "cpu",
                                            {.threads = threads, .batch_size = batch_size});
  }
};

TEST_F(CpuBertAgainstLibTorch, ClassifiesAsTheReferenceButForTies) {
  for (const bool by_slots : {false, true}) {
    SCOPED_TRACE(by_slots);
    make(by_slots);
    const CopyBatch batch = copies(500, 2);
    const auto scores = reference()->scores(batch);
    const auto expected = reference()->classify(batch);
    const auto ones = std::count(expected.begin(), expected.end(), 1);
    ASSERT_TRUE(ones > 100 && ones < 400) << "trivial: " << ones;
    for (const Precision precision : {Precision::kFp32, Precision::kBf16}) {
      for (const Isa isa : available_isas()) {
        if (!knows(isa, precision)) continue;
        SCOPED_TRACE(to_string(isa));
        const auto found = engine(precision, isa)->classify(batch);
        int different = 0;
        for (size_t i = 0; i < found.size(); ++i) {
          if (found[i] == expected[i]) continue;
          ++different;
          EXPECT_LT(std::abs(scores[2 * i] - scores[2 * i + 1]),
                    precision == Precision::kFp32 ? 1e-5 : 0.1)
              << i;
        }
        EXPECT_LE(different, precision == Precision::kFp32 ? 1 : 20);
      }
    }
  }
}

TEST_F(CpuBertAgainstLibTorch, ScoresAreTheSameButForRounding) {
  for (const bool by_slots : {false, true}) {
    make(by_slots);
    const CopyBatch batch = copies(200, 5);
    const auto expected = reference()->scores(batch);
    const auto [least, most] = std::minmax_element(expected.begin(), expected.end());
    EXPECT_GT(*most - *least, 3) << "the case is trivial";
    for (const Precision precision : {Precision::kFp32, Precision::kBf16}) {
      for (const Isa isa : available_isas()) {
        if (!knows(isa, precision)) continue;
        const auto found = engine(precision, isa)->scores(batch);
        ASSERT_EQ(found.size(), expected.size());
        double largest = 0;
        for (size_t i = 0; i < found.size(); ++i)
          largest = std::max(largest, std::abs(found[i] - expected[i]));
        EXPECT_LT(largest, precision == Precision::kFp32 ? 5e-5 : 0.3) << to_string(isa);
      }
    }
  }
}

TEST_F(CpuBertAgainstLibTorch, VotesLikeTheReferenceUnderEveryNoise) {
  const std::vector<std::string> specs = {"none",
                                          "universal:p=0.5",
                                          "delete:p=0.3",
                                          "delete:p=0.97",
                                          "reorder:full",
                                          "reorder:block=3",
                                          "reorder:block=3,order=sorted",
                                          "reorder:groups=4",
                                          "mask:p=0.4",
                                          "hash:buckets=3,functions=20",
                                          "substitute:kernel=uniform",
                                          "substitute:kernel=graph",
                                          "insert:sigma=0.5",
                                          "gaussian:sigma=0.5"};
  for (const bool by_slots : {false, true}) {
    make(by_slots);
    std::vector<std::unique_ptr<Engine>> engines;
    for (const Isa isa : available_isas())
      if (knows(isa, Precision::kFp32)) engines.push_back(engine(Precision::kFp32, isa));
    for (const std::string& spec : specs) {
      const auto drawn = noise(spec);
      if (drawn->sigma() > 0 && !by_slots) continue;
      SCOPED_TRACE(spec);
      // Two words are the text's own.
      std::vector<std::string> spelt = {"good", "film", "films", "very", "storylines", "dull", "."};
      for (const char* kind : {"unseen", "novel"}) spelt.push_back(kind + spec);
      OwnWords own;
      const Words words = classifier_->vocabulary().encode(spelt, own);
      ASSERT_EQ(own.list().size(), 2u);
      const Text text(words, own.list());
      const SampleRange range{7, 3, 100, 350};
      const Votes expected = reference()->votes(text, *drawn, range);
      for (const auto& one : engines) {
        const Votes found = one->votes(text, *drawn, range);
        EXPECT_EQ(found[0] + found[1], 250);
        EXPECT_NEAR(static_cast<double>(found[0]), static_cast<double>(expected[0]), 1)
            << one->name();
      }
    }
  }
}

// In the reference engine. The texts' own words have the same ids and other spellings.
TEST_F(CpuBertAgainstLibTorch, ReferenceVotesOfSeveralTextsAreThoseOfEachAlone) {
  const std::vector<std::vector<std::string>> spelt = {
      {"good", "unseen", "of", "films", "story", "and", "dull"},
      {"novel", "bad", "story", "?"},
      {"very", "warmest", "film"},
      {}};
  for (const std::string spec : {"universal:p=0.5", "insert:sigma=0.5", "gaussian:sigma=0.5"}) {
    make(spec.find("sigma") != std::string::npos);
    const auto drawn = noise(spec);
    std::vector<OwnWords> own(spelt.size());
    std::vector<Words> words;
    std::vector<TextSamples> samples;
    for (size_t t = 0; t < spelt.size(); ++t)
      words.push_back(classifier_->vocabulary().encode(spelt[t], own[t]));
    for (uint32_t t = 0; t < spelt.size(); ++t)
      samples.push_back({{words[t], own[t].list()}, {5, t, 10, 70 + 41 * t}});
    std::vector<Votes> expected;
    for (const auto& [text, range] : samples)
      expected.push_back(reference(1)->votes(text, *drawn, range));
    for (const auto& [threads, batch_size] : {std::pair{1, 0}, {3, 7}, {2, 10000}})
      EXPECT_EQ(reference(threads, batch_size)->votes(samples, *drawn), expected)
          << spec << " " << threads << " " << batch_size;
  }
}

// As CpuBert.ReadsTheWordsThatFitAndNoMore.
TEST_F(CpuBertAgainstLibTorch, ReferenceReadsTheWordsThatFitAndNoMore) {
  make();
  const CopyBatch batch = copies_at_the_edge(classifier_->vocabulary());
  const auto scores = reference()->scores(batch);
  const auto same = [&](size_t a, size_t b) {
    return std::abs(scores[2 * a] - scores[2 * b]) < 1e-4 &&
           std::abs(scores[2 * a + 1] - scores[2 * b + 1]) < 1e-4;
  };
  EXPECT_TRUE(same(0, 1) && same(0, 2) && same(3, 4) && same(5, 6) && same(5, 7));
  EXPECT_FALSE(same(0, 3));
  EXPECT_FALSE(same(0, 6));
}

}  // namespace
}  // namespace textcrs
