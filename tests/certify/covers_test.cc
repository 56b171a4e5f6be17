// B8: whether a concrete edited text is covered, against the exact worst case over all base
// classifiers.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <set>

#include "certify/oracle.h"
#include "textcrs/base/error.h"
#include "textcrs/base/spec.h"
#include "textcrs/base/stream.h"
#include "textcrs/noise/word_hash.h"

namespace textcrs {
namespace {

using namespace oracle;
using ::testing::HasSubstr;

const Vocabulary& vocabulary() {
  static const Vocabulary words({"ant", "bee", "cat", "dog", "eel", "fox"});
  return words;
}

std::unique_ptr<Certificate> certificate(const std::string& spec,
                                         CertificateMode mode = CertificateMode::kSound,
                                         int slots = 256) {
  CertificateContext context;
  context.slots = slots;
  context.vocabulary = &vocabulary();
  return make_certificate(spec, mode, context);
}

struct NoiseCase {
  std::string spec;
  std::function<ExactLaw(const ExactText&)> law;
};

NoiseCase deleting(double p, bool shuffled) {
  return {(shuffled ? "universal:p=" : "delete:p=") + shortest(p),
          [=](const ExactText& text) { return deletion_law(text, Rational(p), shuffled); }};
}

NoiseCase masking(double p) {
  return {"mask:p=" + shortest(p),
          [=](const ExactText& text) { return masking_law(text, Rational(p)); }};
}

NoiseCase blocks(int length, bool sorted) {
  return {"reorder:block=" + std::to_string(length) + (sorted ? ",order=sorted" : ""),
          [=](const ExactText& text) {
            return sorted ? sorted_block_law(text, length) : block_law(text, length);
          }};
}

NoiseCase hashing(int buckets, int functions) {
  const auto bucket = [=](int word, int t) {
    return static_cast<int>(word_bucket(spelling_hash(vocabulary().word(word)),
                                        static_cast<uint32_t>(t), static_cast<uint32_t>(buckets)));
  };
  return {"hash:buckets=" + std::to_string(buckets) + ",functions=" + std::to_string(functions),
          [=](const ExactText& text) { return pieces_law(text, buckets, functions, bucket); }};
}

// Every text of `fewest` .. `longest` words over the words 3, .., 2 + letters.
std::vector<ExactText> all_texts(size_t fewest, size_t longest, int letters) {
  std::vector<ExactText> all = {{}};
  for (size_t begin = 0, length = 1; length <= longest; ++length) {
    const size_t end = all.size();
    for (; begin < end; ++begin)
      for (int word = kFirstWord; word < kFirstWord + letters; ++word) {
        all.push_back(all[begin]);
        all.back().push_back(word);
      }
  }
  std::erase_if(all, [=](const ExactText& text) { return text.size() < fewest; });
  return all;
}

std::vector<ExactText> all_orders(ExactText text) {
  std::sort(text.begin(), text.end());
  std::vector<ExactText> all;
  do all.push_back(text);
  while (std::next_permutation(text.begin(), text.end()));
  return all;
}

struct Tally {
  int covered = 0;  // pairs of an edited text, not x itself, and bounds
  int refused = 0;
  int robust_but_refused = 0;
};

// Compares covers() with the worst case for one text and all these edited ones.
void check_against_the_worst_case(const NoiseCase& noise, const ExactText& text,
                                  const std::vector<ExactText>& edits, Tally& tally) {
  const auto certified = certificate(noise.spec);
  const ExactLaw law = noise.law(text);
  for (const ExactText& edited : edits) {
    if (edited == text) continue;
    const WorstCase worst(law, noise.law(edited));
    for (const Bounds bounds : bounds_to_try()) {
      const Coverage coverage = certified->covers(bounds, text, edited);
      const bool robust = worst.robust(bounds);
      ++(coverage.covered ? tally.covered : tally.refused);
      tally.robust_but_refused += robust && !coverage.covered;
      ASSERT_TRUE(robust || !coverage.covered)
          << noise.spec << " " << ::testing::PrintToString(text) << " -> "
          << ::testing::PrintToString(edited) << " pA=" << bounds.pa << " pB=" << bounds.pb << ": "
          << coverage.why;
    }
  }
}

const std::vector<ExactText> kRepeating = {{}, {3}, {3, 3}, {3, 4, 3}, {4, 3, 3}, {3, 4, 3, 4}};

TEST(Covers, EveryEditUnderDeletionNoiseIsWithinTheWorstCase) {
  for (const bool shuffled : {false, true})
    for (const double p : {0.5, 0.75, 0.9}) {
      Tally tally;
      for (const ExactText& text : kRepeating)
        check_against_the_worst_case(deleting(p, shuffled), text, all_texts(0, shuffled ? 3 : 4, 3),
                                     tally);
      EXPECT_GT(tally.covered, 200) << p;
      EXPECT_GT(tally.refused, 200) << p;
    }
}

TEST(Covers, RandomEditsOfLongerTextsUnderDeletionNoiseAreWithinTheWorstCase) {
  Stream stream(11, 0, 0);
  for (const bool shuffled : {false, true}) {
    Tally tally;
    const NoiseCase noise = deleting(0.875, shuffled);
    for (int round = 0; round < 12; ++round) {
      ExactText text;
      for (int i = 0; i < (shuffled ? 5 : 7); ++i)
        text.push_back(kFirstWord + static_cast<int>(stream.below(4)));
      ExactText edited = text;  // a mixture of an insertion, deletions and a move
      edited.insert(edited.begin() + stream.below(3),
                    kFirstWord + static_cast<int>(stream.below(5)));
      for (uint32_t gone = stream.below(3); gone > 0; --gone)
        edited.erase(edited.begin() + stream.below(static_cast<uint32_t>(edited.size())));
      std::swap(edited[stream.below(4)], edited[stream.below(4)]);
      check_against_the_worst_case(noise, text, {edited}, tally);
    }
    EXPECT_GT(tally.covered, 20);
    EXPECT_GT(tally.refused, 20);
  }
}

// x' keeps some of x's different words and gains foreign ones. With the order kept the kept words
// stay in their order; under the full shuffle any order will do.
TEST(Covers, IsTheExactWorstCaseForDifferentWordsUnderDeletionNoise) {
  for (const bool shuffled : {false, true})
    for (const double p : {0.5, 0.75, 0.9}) {
      Tally tally;
      for (int m = 0; m <= 3; ++m) {
        ExactText text;
        for (int i = 0; i < m; ++i) text.push_back(kFirstWord + i);
        std::vector<ExactText> edits;
        for (const ExactText& edited : all_texts(0, shuffled ? 3 : 4, 5)) {
          if (std::set<int>(edited.begin(), edited.end()).size() < edited.size()) continue;
          ExactText kept;
          std::copy_if(edited.begin(), edited.end(), std::back_inserter(kept),
                       [&](int word) { return word < kFirstWord + m; });
          if (shuffled || std::is_sorted(kept.begin(), kept.end())) edits.push_back(edited);
        }
        check_against_the_worst_case(deleting(p, shuffled), text, edits, tally);
      }
      EXPECT_GT(tally.covered, 100);
      EXPECT_EQ(tally.robust_but_refused, 0) << shuffled << " " << p;
    }
}

TEST(Covers, EveryReorderingUnderTheBlockNoisesIsWithinTheWorstCase) {
  const std::vector<ExactText> texts = {
      {3, 4, 5, 6, 7}, {3, 4, 3, 5, 4}, {3, 3, 4, 4, 5, 5}, {3, 4, 5, 3, 4, 5}};
  for (const bool sorted : {false, true})
    for (const int length : {1, 2, 3, 5, 8}) {
      Tally tally;
      for (const ExactText& text : texts)
        check_against_the_worst_case(blocks(length, sorted), text, all_orders(text), tally);
      if (length >= 5) EXPECT_GT(tally.covered, 200) << length;
      EXPECT_GT(tally.refused, 200) << length;
    }
}

// As long as the worst yA fills up among the outcomes of ratio 1 (docs/certificates.md, B4).
TEST(Covers, ASwapOfNeighboursExactlyWhereTheWorstCaseAllows) {
  const int length = 4;
  const ExactText text = {3, 4, 5, 6, 7}, swapped = {3, 5, 4, 6, 7};
  const ExactLaw law = block_law(text, length), other = block_law(swapped, length);
  Rational below = 0, equal = 0;  // P(ratio < 1), P(ratio = 1)
  for (const auto& [before, after] : by_ratio(law, other)) {
    if (after < before) below += before;
    if (after == before) equal += before;
  }
  const WorstCase worst(law, other);
  const auto certified = certificate("reorder:block=4");
  std::array<int, 2> answers{};
  for (int k = 501; k < 1000; ++k) {
    const Bounds bounds{k / 1000.0, 1 - k / 1000.0};
    if (Rational(bounds.pa) < below || Rational(bounds.pa) > below + equal) continue;
    const bool covered = certified->covers(bounds, text, swapped).covered;
    EXPECT_EQ(covered, worst.robust(bounds)) << bounds.pa;
    ++answers.at(covered);
  }
  EXPECT_GT(answers[0], 50);
  EXPECT_GT(answers[1], 50);
}

TEST(Covers, CountsTheOffsetsOfSortedBlocksExactly) {
  const ExactText text = {3, 4, 5, 3, 6, 4, 7};
  for (const int length : {3, 4, 6, 9})
    for (const ExactText& edited : all_orders({3, 4, 5, 3, 6})) {
      ExactText whole = edited;
      whole.insert(whole.end(), {4, 7});
      if (whole == text) continue;
      int differing = 0;  // offset by offset, from the outcomes themselves
      for (int offset = 0; offset < length; ++offset) {
        const auto outcome = [&](ExactText words) {
          size_t begin = 0;
          for (size_t g = 1; g <= words.size(); ++g) {
            if (g < words.size() && static_cast<int>(g) % length != offset) continue;
            std::sort(words.begin() + static_cast<long>(begin),
                      words.begin() + static_cast<long>(g));
            begin = g;
          }
          return words;
        };
        differing += outcome(text) != outcome(whole);
      }
      for (int votes = 1; votes <= length; ++votes) {
        const double margin = (votes - 0.5) / length;  // between two counts
        const Bounds bounds{(1 + margin) / 2, (1 - margin) / 2};
        EXPECT_EQ(certificate("reorder:block=" + std::to_string(length) + ",order=sorted")
                      ->covers(bounds, text, whole)
                      .covered,
                  2 * differing < votes)
            << length << " " << votes << " " << differing;
      }
    }
}

TEST(Covers, TheFullShuffleCoversEveryReorderingAndNothingElse) {
  const NoiseCase noise{"reorder:full", full_law};
  for (const ExactText& text : {ExactText{3, 4, 4}, ExactText{3, 4, 5, 3}}) {
    Tally tally;
    check_against_the_worst_case(noise, text, all_texts(0, 4, 3), tally);
    EXPECT_GT(tally.covered, 20);
    for (const ExactText& edited : all_orders(text))
      EXPECT_TRUE(certificate("reorder:full")->covers({0.500001, 0.5}, text, edited).covered);
  }
}

TEST(Covers, EverySubstitutionUnderMaskingIsWithinTheWorstCase) {
  for (const double p : {0.75, 0.9, 0.95}) {
    Tally tally;
    for (const ExactText& text : kRepeating)
      check_against_the_worst_case(masking(p), text, all_texts(0, 4, 3), tally);
    EXPECT_GT(tally.covered, 200);
    // Tight for every substitution in place; other lengths are refused without looking.
    Tally same_length;
    check_against_the_worst_case(masking(p), {3, 4, 3, 4}, all_texts(4, 4, 3), same_length);
    EXPECT_EQ(same_length.robust_but_refused, 0);
  }
}

TEST(Covers, EveryEditUnderHashPiecesIsWithinTheWorstCase) {
  for (const NoiseCase& noise : {hashing(4, 3), hashing(8, 2), hashing(16, 5)}) {
    Tally tally;
    for (const ExactText& text : kRepeating)
      check_against_the_worst_case(noise, text, all_texts(0, 4, 3), tally);
    EXPECT_GT(tally.covered, 200) << noise.spec;
    EXPECT_GT(tally.refused, 200) << noise.spec;
  }
}

// Two words that share a piece cost one: more than the radius says, which does not know the words.
TEST(Covers, CountsTheHashPiecesThatDifferExactly) {
  const int buckets = 4, functions = 3;
  const auto hash = certificate("hash:buckets=4,functions=3");
  CertificateContext bare;
  const auto unspelled =
      make_certificate("hash:buckets=4,functions=3", CertificateMode::kSound, bare);
  const ExactText text = {3, 4, 5, 5};
  int beyond = 0;
  for (const ExactText& edited : all_texts(0, 4, 5)) {
    int pieces = 0;
    for (int t = 0; t < functions; ++t)
      for (int b = 0; b < buckets; ++b) {
        const auto piece = [&](const ExactText& words) {
          std::multiset<int> held;
          for (const int word : words)
            if (static_cast<int>(word_bucket(spelling_hash(vocabulary().word(word)),
                                             static_cast<uint32_t>(t), buckets)) == b)
              held.insert(word);
          return held;
        };
        pieces += piece(text) != piece(edited);
      }
    for (int votes = 1; votes <= buckets * functions; ++votes) {
      const double margin = (votes - 0.5) / (buckets * functions);  // between two counts
      const Bounds bounds{(1 + margin) / 2, (1 - margin) / 2};
      const bool covered = hash->covers(bounds, text, edited).covered;
      EXPECT_EQ(covered, 2 * pieces < votes) << ::testing::PrintToString(edited);
      const bool without = unspelled->covers(bounds, text, edited).covered;
      EXPECT_TRUE(covered || !without);
      beyond += covered && !without;
    }
  }
  EXPECT_GT(beyond, 100);
}

TEST(Covers, SaysWhy) {
  const Bounds bounds{0.99, 0.01};
  const ExactText text = {3, 4, 5, 6};
  const auto answer = [&](const char* spec, const ExactText& edited,
                          CertificateMode mode = CertificateMode::kSound) {
    const Coverage coverage = certificate(spec, mode)->covers(bounds, text, edited);
    return fmt::format("{}, {}: {}", coverage.covered ? "yes" : "no", coverage.operation_name(),
                       coverage.why);
  };
  const auto paper = CertificateMode::kPaper;
  EXPECT_EQ(answer("delete:p=0.5", text), "yes, edit: the same text");
  // .02 * 2^a < 1 iff a <= 5: all four words.
  EXPECT_EQ(answer("delete:p=0.5", {4, 5}), "yes, edit: 2 words lost; up to 4 may be lost");
  EXPECT_EQ(answer("delete:p=0.5", {}), "yes, edit: 4 words lost; up to 4 may be lost");
  EXPECT_EQ(answer("delete:p=0.5", {3, 4, 5, 6, 7}), "no, edit: 1 word gained; none may be gained");
  // .02 / .75^a + 1 / .75^b < 2: (a, 1) iff .75^a > .03, a <= 12; (a, 2) iff .75^a > .09, a <= 8.
  EXPECT_EQ(answer("universal:p=0.75", {7, 6, 5, 4}),
            "yes, edit: 1 word lost and 1 gained; with 1 gained up to 4 may be lost");
  EXPECT_EQ(answer("universal:p=0.75", {6, 5, 4, 7, 7, 7}),
            "no, edit: 1 word lost and 3 gained; up to 2 may be gained");
  EXPECT_EQ(answer("delete:p=0.75", {4, 3, 6, 5}),
            "yes, edit: 2 words lost and 2 gained; with 2 gained up to 4 may be lost");
  EXPECT_EQ(answer("universal:p=0.75", {4, 3, 6, 5}),
            "yes, reordering: the same words in another order");
  EXPECT_EQ(answer("reorder:full", {4, 3, 6, 5}),
            "yes, reordering: the same words in another order");
  EXPECT_EQ(answer("reorder:full", {4, 3, 6}),
            "no, reordering: 1 word lost; only the order may change");
  // 8 * .98 = 7.84: three offsets.
  EXPECT_EQ(answer("reorder:block=8", {4, 3, 6, 5}),
            "yes, reordering: 2 of 8 offsets cut what moved; up to 3 may");
  EXPECT_EQ(answer("reorder:block=2,order=sorted", {4, 3, 5, 6}),
            "no, reordering: 1 of 2 offsets cuts what moved; none may");
  EXPECT_EQ(answer("mask:p=0.9", {3, 4, 5, 7}),
            "yes, substitution: 1 word substituted; up to 4 may be");
  EXPECT_EQ(answer("mask:p=0.5", {7, 7, 5, 6}),
            "no, substitution: 2 words substituted; none may be");
  EXPECT_EQ(answer("mask:p=0.9", {3}),
            "no, substitution: 1 word instead of 4; the number of words may not change");
  EXPECT_EQ(answer("hash:buckets=8,functions=1", {3, 4, 5}),
            "yes, edit: 1 of 8 pieces differs; up to 3 may");
  EXPECT_EQ(answer("delete:p=0.5", {5, 4}, paper),
            "no, deletion: 3 words lost and 1 gained; words may be lost only");
  EXPECT_THAT(answer("universal:p=0.5", {5, 4}, paper), HasSubstr("deletion: 2 words lost; "));
  EXPECT_EQ(answer("reorder:block=2", {4, 3, 5, 6}, paper),
            "no, reordering: a displacement of 2; up to 1.96 is allowed");
  EXPECT_EQ(answer("reorder:groups=9", {4, 3, 5, 6}, paper),
            "yes, reordering: a displacement of 2; up to 8.82 is allowed");
}

TEST(Covers, NothingWithoutAMargin) {
  for (const char* spec : {"delete:p=0.5", "universal:p=0.5", "reorder:full", "reorder:block=4",
                           "mask:p=0.5", "hash:buckets=4,functions=2"}) {
    EXPECT_FALSE(certificate(spec)->covers({0.5, 0.5}, ExactText{3, 4}, ExactText{3, 4}).covered);
    EXPECT_TRUE(certificate(spec)->covers({0.51, 0.49}, ExactText{3, 4}, ExactText{3, 4}).covered);
    EXPECT_THROW(certificate(spec)->covers({0.1, 0.9}, ExactText{3}, ExactText{3}), Error);
  }
}

}  // namespace
}  // namespace textcrs
