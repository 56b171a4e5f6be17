// The windows of the CNN against a loop in double precision, on every instruction set.
#include "kernels/cnn.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

std::vector<float> normals(size_t count, uint32_t key, float scale = 1) {
  std::vector<float> values(count);
  Stream(17, key, 0).normals(values);
  for (float& x : values) x *= scale;
  return values;
}

// Filters with random parameters, and a few words with random vectors; word 0 is PAD.
struct Problem {
  static constexpr size_t kWords = 30;

  Problem(size_t filter_count, size_t dimension) : filters(filter_count), inputs(dimension) {
    for (uint32_t i = 0; i < 3; ++i) {
      weights.push_back(normals(filters * inputs * width(i), i, .1f));
      biases.push_back(normals(filters, 10 + i));
    }
    vectors = normals(kWords * inputs, 20);
    std::fill_n(vectors.begin(), inputs, 0.0f);
  }
  static size_t width(size_t i) { return static_cast<size_t>(kCnnWidths[i]); }

  CnnFilters on(Isa isa) const {
    return CnnFilters(
        isa, static_cast<int>(filters), static_cast<int>(inputs),
        {{{weights[0], biases[0]}, {weights[1], biases[1]}, {weights[2], biases[2]}}});
  }

  // The features of a text by their definition; noise (words, inputs) or empty.
  std::vector<double> expected(const std::vector<size_t>& text,
                               const std::vector<float>& noise) const {
    std::vector<double> features;
    for (size_t i = 0; i < 3; ++i)
      for (size_t f = 0; f < filters; ++f) {
        double best = 0;
        const size_t last = text.size() > width(i) ? text.size() - width(i) : 0;
        for (size_t start = 0; start <= last; ++start) {
          double response = biases[i][f];
          for (size_t o = 0; o < width(i) && start + o < text.size(); ++o)
            for (size_t d = 0; d < inputs; ++d) {
              double x = vectors[text[start + o] * inputs + d];
              if (!noise.empty()) x += noise[(start + o) * inputs + d];
              response += x * weights[i][(f * inputs + d) * width(i) + o];
            }
          best = std::max(best, response);
        }
        features.push_back(best);
      }
    return features;
  }

  size_t filters, inputs;
  std::vector<std::vector<float>> weights, biases;
  std::vector<float> vectors;
};

struct Text {
  std::vector<size_t> words;
  std::vector<float> noise;
};

Text random_text(const Problem& problem, size_t length, uint32_t key, bool noisy) {
  Text text;
  Stream stream(19, key, 0);
  for (size_t s = 0; s < length; ++s) text.words.push_back(stream.below(Problem::kWords));
  if (noisy) text.noise = normals(length * problem.inputs, 1000 + key, .5f);
  return text;
}

// The features of the texts, all in one run; either all of them have noise or none.
std::vector<std::vector<float>> features_of(const Problem& problem, const CnnFilters& filters,
                                            const std::vector<Text>& texts) {
  const auto size = static_cast<size_t>(filters.row_size());
  const AlignedBytes table(Problem::kWords * size * sizeof(float));
  for (size_t word = 0; word < Problem::kWords; ++word)
    filters.make_row({problem.vectors.data() + word * problem.inputs, problem.inputs},
                     table.as<float>() + word * size);
  std::vector<int> lengths;
  std::vector<std::vector<const float*>> rows;
  std::vector<const float*> noise;
  for (const Text& text : texts) {
    lengths.push_back(static_cast<int>(text.words.size()));
    rows.emplace_back();
    for (const size_t word : text.words) rows.back().push_back(table.as<float>() + word * size);
    if (!text.noise.empty()) noise.push_back(text.noise.data());
  }
  std::vector<const float* const*> starts;
  for (const auto& list : rows) starts.push_back(list.data());
  // Values the kernel must not write lie behind the last.
  const size_t width = 3 * problem.filters, behind = 64;
  std::vector<float> all(texts.size() * width + behind, -7);
  AlignedBytes scratch;
  filters.run({static_cast<int>(texts.size()), lengths.data(), starts.data(),
               noise.empty() ? nullptr : noise.data(), all.data()},
              scratch);
  EXPECT_EQ(std::count(all.end() - behind, all.end(), -7.0f), behind);
  std::vector<std::vector<float>> features;
  for (size_t k = 0; k < texts.size(); ++k)
    features.emplace_back(all.begin() + static_cast<ptrdiff_t>(k * width),
                          all.begin() + static_cast<ptrdiff_t>((k + 1) * width));
  return features;
}

struct Case {
  size_t filters, inputs;
};

class CnnKernels : public testing::TestWithParam<Case> {};

TEST_P(CnnKernels, AgreeWithTheDefinition) {
  const Problem problem(GetParam().filters, GetParam().inputs);
  for (const bool noisy : {false, true}) {
    std::vector<Text> texts;
    for (uint32_t length = 1; length <= 40; ++length)
      texts.push_back(random_text(problem, length, length, noisy));
    for (const uint32_t length : {96u, 97u, 215u})
      texts.push_back(random_text(problem, length, length, noisy));
    for (const Isa isa : available_isas()) {
      const auto found = features_of(problem, problem.on(isa), texts);
      for (size_t k = 0; k < texts.size(); ++k) {
        const auto expected = problem.expected(texts[k].words, texts[k].noise);
        for (size_t f = 0; f < expected.size(); ++f)
          ASSERT_NEAR(found[k][f], expected[f], 1e-5)
              << to_string(isa) << (noisy ? " noisy" : "") << " words " << texts[k].words.size()
              << " feature " << f;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, CnnKernels,
                         testing::Values(Case{1, 1}, Case{9, 6}, Case{16, 5}, Case{37, 50}));

TEST(CnnFilters, ATextsFeaturesDependOnTheTextAlone) {
  const Problem problem(21, 7);
  for (const Isa isa : available_isas()) {
    const CnnFilters filters = problem.on(isa);
    EXPECT_TRUE(rc::check([&] {
      const bool noisy = *rc::gen::arbitrary<bool>();
      const auto lengths = *rc::gen::nonEmpty(
          rc::gen::container<std::vector<size_t>>(rc::gen::inRange<size_t>(1, 120)));
      std::vector<Text> texts;
      for (size_t k = 0; k < lengths.size(); ++k)
        texts.push_back(random_text(problem, lengths[k], static_cast<uint32_t>(k), noisy));
      const auto together = features_of(problem, filters, texts);
      for (size_t k = 0; k < texts.size(); ++k)
        RC_ASSERT(features_of(problem, filters, {texts[k]})[0] == together[k]);
    }));
  }
}

TEST(CnnFilters, PadAddsNothing) {
  const Problem problem(21, 7);
  for (const Isa isa : available_isas()) {
    const CnnFilters filters = problem.on(isa);
    std::vector<float> row(static_cast<size_t>(filters.row_size()), 3);
    filters.make_row({problem.vectors.data(), problem.inputs}, row.data());
    EXPECT_EQ(row, std::vector<float>(row.size(), 0));
  }
}

TEST(CnnFilters, RefusesOtherShapes) {
  const Problem problem(4, 3);
  const CnnFilters::Width three = {problem.weights[0], problem.biases[0]},
                          four = {problem.weights[1], problem.biases[1]},
                          five = {problem.weights[2], problem.biases[2]};
  const Isa isa = Isa::kPortable;
  EXPECT_NO_THROW(CnnFilters(isa, 4, 3, {{three, four, five}}));
  EXPECT_THROW(CnnFilters(isa, 4, 3, {{three, five, four}}), std::logic_error);
  EXPECT_THROW(CnnFilters(isa, 3, 4, {{three, four, five}}), std::logic_error);
  EXPECT_THROW(CnnFilters(isa, 0, 3, {{three, four, five}}), std::logic_error);
  std::vector<float> row(1000);
  EXPECT_THROW(problem.on(isa).make_row(std::vector<float>(2), row.data()), std::logic_error);
}

}  // namespace
}  // namespace textcrs
