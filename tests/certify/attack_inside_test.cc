// B8 with attackers: a search among covered texts never changes the smoothed prediction, which is
// decided by enumeration; beyond the covered texts it does.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "textcrs/base/stream.h"
#include "textcrs/certify/certificate.h"
#include "textcrs/noise/noise.h"
#include "textcrs/noise/word_hash.h"

namespace textcrs {
namespace {

constexpr int kClasses = 3;
constexpr int kLetters = 5;
constexpr double kSlack = 1e-9;  // far above the rounding of the exact shares

using Classifier = std::function<int(const Words&)>;

const Vocabulary& vocabulary() {
  static const Vocabulary words({"ant", "bee", "cat", "dog", "eel"});
  return words;
}

// The share of each class over the law of the noise; an empty outcome of a finite noise is silent.
class Smoothed {
 public:
  Smoothed(const std::string& spec, Classifier h)
      : noise_(make_noise(spec, {&vocabulary(), nullptr, 16})), h_(std::move(h)) {}

  std::array<double, kClasses> shares(const Words& text) const {
    std::array<double, kClasses> shares{};
    const std::optional<uint64_t> outcomes = noise_->outcomes(text);
    Words copy;
    for (uint64_t k = 0; outcomes && k < *outcomes; ++k) {
      noise_->outcome(text, k, copy);
      if (!copy.empty()) shares.at(index(copy)) += 1.0 / static_cast<double>(*outcomes);
    }
    if (!outcomes)
      for (const auto& [outcome, probability] : noise_->law(text))
        shares.at(index(outcome)) += probability;
    return shares;
  }

  // How far `top` is ahead of the best other class.
  double margin(const Words& text, size_t top) const {
    const auto all = shares(text);
    double best = 0;
    for (size_t c = 0; c < kClasses; ++c)
      if (c != top) best = std::max(best, all[c]);
    return all[top] - best;
  }

 private:
  size_t index(const Words& copy) const { return static_cast<size_t>(h_(copy)); }

  std::unique_ptr<Noise> noise_;
  Classifier h_;
};

// A base classifier that has learnt nothing, one that adds up word scores, and one that looks for a
// keyword; `salt` chooses it.
Classifier some_classifier(uint64_t salt) {
  const auto roll = [salt](uint64_t of) { return mix_bits(of * 31 + salt); };
  switch (salt % 3) {
    case 0:
      return [=](const Words& copy) {
        uint64_t hash = 7;
        for (const WordId word : copy) hash = roll(hash + static_cast<uint64_t>(word));
        return hash % 100 < 75 ? 0 : static_cast<int>(hash / 100 % kClasses);
      };
    case 1:
      return [=](const Words& copy) {
        int score = 30;
        for (size_t i = 0; i < copy.size(); ++i)
          score += static_cast<int>(roll(static_cast<uint64_t>(copy[i])) % 100) - 40 +
                   static_cast<int>(roll(i + 50) % 20);
        return score >= 0 ? 1 : 2;
      };
    default:
      return [=](const Words& copy) {
        const WordId bad = kFirstWord + static_cast<WordId>(roll(1) % kLetters);
        const WordId worse = kFirstWord + static_cast<WordId>(roll(2) % kLetters);
        const auto holds = [&](WordId word) {
          return std::find(copy.begin(), copy.end(), word) != copy.end();
        };
        return holds(bad) ? holds(worse) ? 2 : 1 : 0;
      };
  }
}

// Everything one edit away: deletions, insertions, substitutions and swaps.
std::vector<Words> neighbours(const Words& text) {
  std::vector<Words> all;
  for (size_t i = 0; i <= text.size(); ++i)
    for (WordId word = kFirstWord; word < kFirstWord + kLetters; ++word) {
      all.push_back(text);
      all.back().insert(all.back().begin() + static_cast<long>(i), word);
      if (i == text.size()) continue;
      all.push_back(text);
      all.back()[i] = word;
    }
  for (size_t i = 0; i < text.size(); ++i) {
    all.push_back(text);
    all.back().erase(all.back().begin() + static_cast<long>(i));
    for (size_t j = 0; j < i; ++j) {
      all.push_back(text);
      std::swap(all.back()[i], all.back()[j]);
    }
  }
  return all;
}

struct Findings {
  int texts = 0;          // attacked
  int covered = 0;        // covered texts looked at that are not the text
  int flips_outside = 0;  // not covered, and the prediction changed
};

// One attack on one text: a step goes to some covered neighbour (`greedy`: to the one where the
// winner leads least), and everything on the way is checked.
void attack(const Smoothed& smoothed, const Certificate& certificate, const Words& text,
            bool greedy, Stream& stream, Findings& findings) {
  const auto shares = smoothed.shares(text);
  const size_t top =
      static_cast<size_t>(std::max_element(shares.begin(), shares.end()) - shares.begin());
  const double lead = smoothed.margin(text, top);
  const Bounds bounds{std::max(0.0, shares[top] - kSlack), shares[top] - lead + kSlack};
  if (bounds.pa <= bounds.pb) return;
  ++findings.texts;
  Words current = text;
  for (int step = 0; step < 3; ++step) {
    std::vector<Words> around = neighbours(current);
    stream.shuffle(std::span(around));
    if (!greedy) around.resize(20);
    Words next = current;
    double least = std::numeric_limits<double>::infinity();
    for (const Words& edited : around) {
      if (edited == text || edited.size() > 5) continue;
      const double margin = smoothed.margin(edited, top);
      const Coverage coverage = certificate.covers(bounds, text, edited);
      if (!coverage.covered) {
        findings.flips_outside += margin <= 0;
        continue;
      }
      ++findings.covered;
      ASSERT_GT(margin, -1e-12) << certificate.noise() << " " << ::testing::PrintToString(text)
                                << " -> " << ::testing::PrintToString(edited) << ": "
                                << coverage.why;
      if (margin < least) next = edited;
      if (greedy) least = std::min(least, margin);
    }
    current = next;
  }
}

class AttackInside : public ::testing::TestWithParam<const char*> {};

TEST_P(AttackInside, NeverChangesThePrediction) {
  CertificateContext context;
  context.vocabulary = &vocabulary();
  const auto certificate = make_certificate(GetParam(), CertificateMode::kSound, context);
  Findings findings;
  for (uint32_t round = 0; round < 30; ++round) {
    Stream stream(3, round, 0);
    Words text(3 + stream.below(2));
    for (WordId& word : text) word = kFirstWord + static_cast<WordId>(stream.below(kLetters));
    const Smoothed smoothed(GetParam(), some_classifier(round + 100));
    for (const bool greedy : {true, false})
      attack(smoothed, *certificate, text, greedy, stream, findings);
  }
  EXPECT_GE(findings.texts, 30);
  EXPECT_GT(findings.covered, 300);
  EXPECT_GT(findings.flips_outside, 100);
}

INSTANTIATE_TEST_SUITE_P(Noises, AttackInside,
                         ::testing::Values("delete:p=0.3", "delete:p=0.6", "universal:p=0.4",
                                           "universal:p=0.7", "delete:p=0.6,order=shuffled",
                                           "reorder:block=3", "reorder:block=6", "reorder:full",
                                           "reorder:block=5,order=sorted", "mask:p=0.9",
                                           "hash:buckets=6,functions=4",
                                           "hash:buckets=20,functions=3"));

// h says yA until it sees a foreign word. Around x it always does; with b foreign words gained, or
// R words replaced, yA keeps the share p^b, p^R and flips at 1/2: covered just up to there.
TEST(Planted, ForeignWordsAreCoveredUpToTheFlip) {
  const Bounds unanimous{1, 0};
  for (const double p : {0.5, 0.7, 0.9, 0.97})
    for (const char* noise : {"delete", "universal", "mask"}) {
      const auto certificate = make_certificate(std::string(noise) + ":p=" + std::to_string(p),
                                                CertificateMode::kSound, CertificateContext{});
      const Words text(30, kFirstWord);
      int covered = 0;
      for (int foreign = 1; foreign <= 30; ++foreign) {
        Words edited = text;
        for (int i = 0; i < foreign; ++i)
          if (noise == std::string("mask"))
            edited[static_cast<size_t>(i)] = kFirstWord + 1;
          else
            edited.insert(edited.begin() + i, kFirstWord + 1);
        const bool stays = std::pow(p, foreign) > 0.5;
        EXPECT_EQ(certificate->covers(unanimous, text, edited).covered, stays)
            << noise << " " << p << " " << foreign;
        covered += stays;
      }
      EXPECT_EQ(covered, p == 0.5 ? 0 : p == 0.7 ? 1 : p == 0.9 ? 6 : 22);
    }
}

// h says yA iff one of k keywords is left: pA = 1 - p^k, and with j left the prediction is lost at
// p^j >= 1/2.
TEST(Planted, KeywordsAreNotCoveredBeyondTheFlip) {
  for (const char* spec : {"delete:p=0.6", "universal:p=0.6"}) {
    const auto certificate = make_certificate(spec, CertificateMode::kSound, CertificateContext{});
    int covered = 0;
    for (int k = 3; k <= 20; ++k) {
      Words text(20, kFirstWord);
      std::fill_n(text.begin(), k, kFirstWord + 1);
      const double pa = 1 - std::pow(0.6, k) - kSlack;
      for (int left = k - 1; left >= 0; --left) {
        const Words edited(text.begin() + (k - left), text.end());
        const bool lost = std::pow(0.6, left) >= 0.5;
        const bool claimed = certificate->covers({pa, 1 - pa}, text, edited).covered;
        EXPECT_FALSE(claimed && lost) << k << " " << left;
        covered += claimed;
      }
    }
    EXPECT_GT(covered, 50);
  }
}

// h says yA on the outcomes of x and yB on all others.
TEST(Planted, WhoeverRemembersTheTextIsNotFooledInside) {
  for (const char* spec : {"reorder:block=2", "reorder:block=4", "reorder:block=4,order=sorted",
                           "reorder:block=7,order=sorted", "hash:buckets=5,functions=4"}) {
    const Words text = {3, 4, 5, 6, 4};
    const auto noise = make_noise(spec, {&vocabulary(), nullptr, 16});
    const Law known = noise->law(text);
    const Smoothed smoothed(spec, [&](const Words& copy) { return known.contains(copy) ? 0 : 1; });
    CertificateContext context;
    context.vocabulary = &vocabulary();
    const auto certificate = make_certificate(spec, CertificateMode::kSound, context);
    const double pa = smoothed.shares(text)[0] - kSlack;  // below 1 where some pieces are silent
    int covered = 0, flipped = 0;
    for (const Words& near : neighbours(text))
      for (const Words& edited : neighbours(near)) {
        const bool claimed = certificate->covers({pa, 0}, text, edited).covered;
        const bool flips = smoothed.margin(edited, 0) <= 0;
        EXPECT_FALSE(claimed && flips) << spec;
        covered += claimed && edited != text;
        flipped += flips;
      }
    if (spec != std::string("reorder:block=2")) EXPECT_GT(covered, 20) << spec;
    EXPECT_GT(flipped, 20) << spec;
  }
}

// Pearson's statistic for "both texts have the same law" from N noisy copies of each; about the
// number of outcomes if they have.
double chi_square(const char* spec, const Words& text, const Words& other, uint32_t samples) {
  const auto noise = make_noise(spec);
  std::map<Words, std::array<double, 2>> counts;
  Words copy;
  for (uint32_t k = 0; k < samples; ++k)
    for (size_t side = 0; side < 2; ++side) {
      Stream stream(17, static_cast<uint32_t>(side), k);
      noise->sample(side == 0 ? text : other, stream, copy);
      ++counts[copy][side];
    }
  double sum = 0;
  for (const auto& [outcome, seen] : counts)
    sum += (seen[0] - seen[1]) * (seen[0] - seen[1]) / (seen[0] + seen[1]);
  return sum;
}

TEST(Invariance, TheFullShuffleForgetsTheOrder) {
  const Words text = {3, 4, 4, 5};  // 12 orders
  for (const Words& other : {Words{5, 4, 4, 3}, Words{4, 3, 5, 4}}) {
    // P(chi-square with 11 degrees > 40) = 4e-5.
    EXPECT_LT(chi_square("reorder:full", text, other, 20000), 40);
    // 1 + 3 + 7 + 12 + 12 outcomes by length, so 34 degrees; P(> 80) = 2e-5.
    EXPECT_LT(chi_square("universal:p=0.5", text, other, 20000), 80);
    // What keeps some of the order is told apart.
    EXPECT_GT(chi_square("reorder:block=3", text, other, 20000), 400);
    EXPECT_GT(chi_square("delete:p=0.5", text, other, 20000), 400);
  }
}

}  // namespace
}  // namespace textcrs
