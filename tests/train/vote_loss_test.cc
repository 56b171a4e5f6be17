// The certified loss against its definition, and its gradient by finite differences.
#include "train/vote_loss.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

constexpr size_t kClasses = 3, kRows = 12, kLabel = 1;
constexpr double kEdits[] = {0, 1, 1.5, 3, 20};

struct Parameters {
  explicit Parameters(size_t widths)
      : scores(kRows * kClasses), bias(kClasses), caps(widths * kClasses) {}

  VoteParameters view() { return {scores, bias, caps}; }

  std::vector<float> scores, bias, caps;
};

Parameters random_parameters(size_t widths, uint32_t seed) {
  Parameters p(widths);
  Stream stream(seed, 0, 0, 0);
  for (auto* values : {&p.scores, &p.bias, &p.caps})
    for (float& value : *values) value = static_cast<float>(stream.below(100000)) / 50000.0F;
  return p;
}

// Words that repeat, and windows that share a row.
VoteText text_with(size_t widths) {
  VoteText text{{0, 0, 1, 3, 3, 3, 4}, {{5, 6, 7, 5, 5, 8}, {9, 10, 11, 9, 9}}};
  text.windows.resize(widths - 1);
  return text;
}

// For each row and pair of classes the row of a word: its own for the windows'.
using Candidates = std::vector<uint32_t>;

// Of a word any of the words, by a random list each.
Candidates worst_of(const Parameters& p) {
  Candidates worst;
  for (uint32_t row = 0; row < kRows; ++row)
    for (size_t a = 0; a < kClasses; ++a)
      for (size_t b = 0; b < kClasses; ++b) {
        const auto lead = [&](uint32_t of) {
          return p.scores[of * kClasses + a] - p.scores[of * kClasses + b];
        };
        const uint32_t candidate = (row + 2) % 5;
        worst.push_back(row < 5 && lead(candidate) < lead(row) ? candidate : row);
      }
  return worst;
}

// The definition: the lead of the label over another class that the worst edits leave, every word
// replaced by its worst candidate first.
double least_lead(const VoteText& text, const Parameters& p, const Candidates& worst, double edits,
                  size_t other) {
  const auto lead = [&](uint32_t row) {
    return double{p.scores[row * kClasses + kLabel]} - p.scores[row * kClasses + other];
  };
  double margin = double{p.bias[kLabel]} - p.bias[other];
  std::vector<double> losses;  // by place
  for (const uint32_t word : text.words) {
    const uint32_t row =
        worst.empty() ? word : worst[(word * kClasses + kLabel) * kClasses + other];
    margin += lead(row);
    losses.push_back(std::max(0.0, lead(row)));
  }
  double gain = p.caps[other];
  for (size_t w = 0; w < text.windows.size(); ++w) {
    gain += static_cast<double>(w + 2) * p.caps[(w + 1) * kClasses + other];
    for (size_t first = 0; first < text.windows[w].size(); ++first) {
      const double of_window = lead(text.windows[w][first]);
      margin += of_window;
      for (size_t i = first; i < first + w + 2; ++i) losses[i] += std::max(0.0, of_window);
    }
  }
  std::sort(losses.rbegin(), losses.rend());
  for (size_t k = 0; k < losses.size(); ++k)
    margin -= std::clamp(edits - static_cast<double>(k), 0.0, 1.0) * losses[k];
  return margin - edits * gain;
}

double defined_loss(const VoteText& text, const Parameters& p, const Candidates& worst,
                    double edits, double temperature) {
  double sum = 1;
  for (size_t other = 0; other < kClasses; ++other)
    if (other != kLabel) sum += std::exp(-least_lead(text, p, worst, edits, other) / temperature);
  return temperature * std::log(sum);
}

struct Case {
  size_t widths;  // 1: words alone
  bool candidates;
};

class VoteLoss : public testing::TestWithParam<Case> {
 protected:
  Candidates candidates(const Parameters& p) const {
    return GetParam().candidates ? worst_of(p) : Candidates();
  }

  double loss(Parameters p, double edits, double temperature, float weight,
              Parameters& gradient) const {
    const Candidates worst = candidates(p);
    return CertifiedLoss(edits, temperature)
        .add(text_with(GetParam().widths), kLabel, p.view(), worst, weight, gradient.view());
  }
};

TEST_P(VoteLoss, IsWhatItsDefinitionSays) {
  const size_t widths = GetParam().widths;
  for (uint32_t seed = 0; seed < 50; ++seed)
    for (const double edits : kEdits)
      for (const double temperature : {0.7, 10.0}) {
        const Parameters p = random_parameters(widths, seed);
        Parameters gradient(widths);
        const double expected =
            defined_loss(text_with(widths), p, candidates(p), edits, temperature);
        EXPECT_NEAR(loss(p, edits, temperature, 1, gradient), expected, 1e-4 * (1 + expected))
            << seed << " " << edits;
      }
}

// With little temperature it is what is missing of the least lead.
TEST_P(VoteLoss, IsAboutTheWorstEdits) {
  const size_t widths = GetParam().widths;
  for (uint32_t seed = 0; seed < 50; ++seed)
    for (const double edits : kEdits) {
      const Parameters p = random_parameters(widths, seed);
      Parameters gradient(widths);
      double least = 1e9;
      for (const size_t other : {size_t{0}, size_t{2}})
        least = std::min(least, least_lead(text_with(widths), p, candidates(p), edits, other));
      EXPECT_NEAR(loss(p, edits, 1e-3, 1, gradient), std::max(0.0, -least), 3e-3)
          << seed << " " << edits;
    }
}

TEST_P(VoteLoss, ItsGradientIsThatOfFiniteDifferences) {
  constexpr float kStep = 1e-3F;
  const size_t widths = GetParam().widths;
  for (uint32_t seed = 0; seed < 20; ++seed)
    for (const double edits : kEdits) {
      const Parameters p = random_parameters(widths, seed);
      Parameters gradient(widths);
      loss(p, edits, 0.7, 1, gradient);
      // The loss has kinks, where the worst edits change: there the gradient is between the slopes
      // of its two sides.
      const auto compare = [&](std::vector<float> Parameters::*part, const char* name) {
        for (size_t i = 0; i < (p.*part).size(); ++i) {
          const auto at = [&](float step) {
            Parameters moved = p;
            (moved.*part)[i] += step;
            return defined_loss(text_with(widths), moved, candidates(moved), edits, 0.7);
          };
          const double down = (at(0) - at(-kStep)) / kStep, up = (at(kStep) - at(0)) / kStep;
          EXPECT_GT((gradient.*part)[i], std::min(down, up) - 0.02)
              << seed << " " << edits << " " << name << " " << i;
          EXPECT_LT((gradient.*part)[i], std::max(down, up) + 0.02)
              << seed << " " << edits << " " << name << " " << i;
        }
      };
      compare(&Parameters::scores, "scores");
      compare(&Parameters::bias, "bias");
      compare(&Parameters::caps, "caps");
    }
}

TEST_P(VoteLoss, TheGradientIsAddedAsOftenAsTheWeightSays) {
  const size_t widths = GetParam().widths;
  const Parameters p = random_parameters(widths, 3);
  Parameters once(widths), twice(widths);
  const double one = loss(p, 1.5, 0.7, 1, once);
  EXPECT_EQ(loss(p, 1.5, 0.7, 0.5F, twice), one);
  for (int i = 0; i < 3; ++i) loss(p, 1.5, 0.7, 0.5F, twice);
  for (size_t i = 0; i < once.scores.size(); ++i)
    EXPECT_NEAR(twice.scores[i], 2 * once.scores[i], 1e-5);
  for (size_t i = 0; i < once.caps.size(); ++i) EXPECT_NEAR(twice.caps[i], 2 * once.caps[i], 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Texts, VoteLoss,
                         testing::Values(Case{1, false}, Case{2, false}, Case{3, false},
                                         Case{1, true}, Case{3, true}),
                         [](const auto& each) {
                           return "windows" + std::to_string(each.param.widths) +
                                  (each.param.candidates ? "candidates" : "");
                         });

TEST(VoteLossOfNothing, IsThatOfTheBias) {
  Parameters p(1), gradient(1);
  p.bias = {1, 3, 0};
  const double loss = CertifiedLoss(2, 1).add({}, kLabel, p.view(), {}, 1, gradient.view());
  EXPECT_NEAR(loss, std::log(1 + std::exp(-2) + std::exp(-3)), 1e-6);
}

}  // namespace
}  // namespace textcrs
