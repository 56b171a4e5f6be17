// B13 against the exact worst classifier, with bins of one or two lengths, so that edges are
// crossed.
#include <gtest/gtest.h>

#include <algorithm>

#include "certify/adaptive_frontier.h"
#include "certify/oracle.h"
#include "textcrs/base/stream.h"
#include "textcrs/certify/certificate.h"

namespace textcrs {
namespace {

using oracle::ExactText;
using oracle::Rational;

const std::vector<std::string> kSpecs = {
    "adapt:keep=1,least=0.3,growth=1.01",
    "adapt:keep=2,least=0.5,growth=1.6",
    "adapt:keep=0.5,least=0.8,most=0.97,growth=2",
    "adapt:keep=0.2,least=0.9,most=0.999,growth=1.4",
    "adapt:keep=0.6,least=0.5,most=0.6,growth=3.5",
};

DeletionRates rates_of(const std::string& spec) {
  return DeletionRates(AdaptParameters::parse(Spec::parse(spec)));
}

double rate(const DeletionRates& of, int words) {
  return sampled_probability(of.bins()[of.bin_of(words)].p);
}

oracle::ExactLaw law(const DeletionRates& of, const ExactText& text, bool shuffled) {
  return oracle::deletion_law(text, Rational(rate(of, static_cast<int>(text.size()))), shuffled);
}

// x without its first `lost` words, and `gained` foreign ones behind it.
ExactText edited_text(const ExactText& text, int lost, int gained) {
  ExactText edited(text.begin() + lost, text.end());
  for (int i = 0; i < gained; ++i) edited.push_back(1000 + i);
  return edited;
}

// For different words the condition is the exact worst case, edges of bins or not.
TEST(AdaptiveDeletion, TheConditionIsExactForDifferentWords) {
  int across = 0, certified = 0, refused = 0;
  for (const std::string& spec : kSpecs) {
    const DeletionRates rates = rates_of(spec);
    for (const int words : {0, 1, 2, 3, 5, spec == kSpecs[0] ? 7 : 4}) {
      const ExactText text = oracle::distinct_words(words);
      const auto before = law(rates, text, false);
      for (int lost = 0; lost <= words; ++lost)
        for (int gained = 0; gained <= 2; ++gained) {
          const ExactText edited = edited_text(text, lost, gained);
          const oracle::WorstCase worst(before, law(rates, edited, false));
          for (const Bounds bounds : oracle::bounds_to_try()) {
            if (bounds.pa <= bounds.pb) continue;
            const AdaptiveCondition condition(rates, words, bounds);
            const bool holds = condition.holds({lost, gained});
            EXPECT_EQ(holds, worst.robust(bounds))
                << spec << " " << words << " words, lost " << lost << ", gained " << gained
                << ", pA " << bounds.pa << ", pB " << bounds.pb;
            across += rate(rates, words) != rate(rates, static_cast<int>(edited.size()));
            ++(holds ? certified : refused);
          }
        }
    }
  }
  EXPECT_GT(across, 2000);
  EXPECT_GT(certified, 500);
  EXPECT_GT(refused, 500);
}

void add_texts(int alphabet, size_t longest, ExactText& text, std::vector<ExactText>& all) {
  all.push_back(text);
  if (text.size() == longest) return;
  for (int word = 1; word <= alphabet; ++word) {
    text.push_back(word);
    add_texts(alphabet, longest, text, all);
    text.pop_back();
  }
}

// Every text over a small alphabet: words repeat, and outcomes of lost and gained words meet.
TEST(AdaptiveDeletion, CoveredTextsKeepTheAnswerWithRepeatedWords) {
  std::vector<ExactText> all;
  ExactText start;
  add_texts(2, 4, start, all);
  for (const bool shuffled : {false, true}) {
    int covered = 0, longer = 0, shorter = 0;
    for (size_t s = 0; s < 4; ++s) {
      const std::string spec = kSpecs[s] + (shuffled ? ",order=shuffled" : "");
      const DeletionRates rates = rates_of(spec);
      const auto certificate = make_certificate(spec, CertificateMode::kSound, {});
      for (const ExactText& text : {ExactText{}, ExactText{1}, ExactText{1, 2}, ExactText{1, 2, 1},
                                    ExactText{2, 1, 1, 2}, ExactText{1, 1, 1}}) {
        const auto before = law(rates, text, shuffled);
        for (const ExactText& edited : all) {
          const oracle::WorstCase worst(before, law(rates, edited, shuffled));
          for (const Bounds bounds : oracle::bounds_to_try()) {
            if (!certificate->covers(bounds, Text(text), Text(edited)).covered) continue;
            EXPECT_TRUE(worst.robust(bounds)) << spec << " " << text.size() << " words";
            ++covered;
            longer += edited.size() > text.size();
            shorter += edited.size() < text.size();
          }
        }
      }
    }
    EXPECT_GT(covered, 500);
    EXPECT_GT(longer, 50);
    EXPECT_GT(shorter, 50);
  }
}

// The largest set of pairs that is closed downwards, and the radii, by trying every pair.
TEST(AdaptiveDeletion, TheFrontierIsTheLargestDownClosedSet) {
  int gaps = 0;
  for (const std::string& spec :
       {kSpecs[0], kSpecs[2], kSpecs[3], std::string("adapt:keep=4,least=0.6,growth=1.3"),
        std::string("adapt:keep=12,least=0.3,most=0.999,growth=1.1")}) {
    const DeletionRates rates = rates_of(spec);
    for (const int words : {0, 1, 2, 5, 9, 14, 30, 47})
      for (const Bounds bounds : {Bounds{0.999, 0.001}, {0.9999, 0}, {0.8, 0.2}, {0.97, 0.01}}) {
        SCOPED_TRACE(spec + " " + std::to_string(words) + " words, pA " +
                     std::to_string(bounds.pa));
        const AdaptiveCondition condition(rates, words, bounds);
        const EditFrontier frontier = adaptive_frontier(rates, words, bounds);
        const int widest = frontier.insertions + 2;
        std::vector<std::vector<bool>> below(static_cast<size_t>(words + 1));
        int deletions = 0, insertions = 0, substitutions = 0, edits = 0;
        for (int a = 0; a <= words; ++a)
          for (int b = 0; b <= widest; ++b) {
            const bool holds = (a == 0 && b == 0) || condition.holds({a, b});
            const auto at = [&](int i, int j) {
              return i < 0 || j < 0 || below[static_cast<size_t>(i)][static_cast<size_t>(j)];
            };
            const bool closed = holds && at(a - 1, b) && at(a, b - 1);
            below[static_cast<size_t>(a)].push_back(closed);
            gaps += holds && !closed;
            EXPECT_EQ(frontier.contains({a, b}), closed) << a << ", " << b;
            if (closed && b == 0) deletions = a;
            if (closed && a == 0) insertions = b;
            if (holds && a == b && a == substitutions + 1) substitutions = a;
            if (closed && a == std::min(b, words)) edits = std::max(edits, b);
          }
        EXPECT_EQ(frontier.deletions, deletions);
        EXPECT_EQ(frontier.insertions, insertions);
        EXPECT_EQ(frontier.substitutions, substitutions);
        EXPECT_EQ(frontier.edits, edits);
        for (size_t i = 1; i < frontier.pairs.size(); ++i) {
          EXPECT_LT(frontier.pairs[i - 1].first, frontier.pairs[i].first);
          EXPECT_GT(frontier.pairs[i - 1].second, frontier.pairs[i].second);
        }
      }
  }
  EXPECT_GT(gaps, 0) << "the condition itself is not closed downwards";
}

TEST(AdaptiveDeletion, InsideOneBinItIsTheDeletionNoise) {
  // One rate for all texts.
  const auto fixed =
      make_certificate("adapt:keep=5,least=0.9,most=0.9", CertificateMode::kSound, {});
  const auto deletion = make_certificate("delete:p=0.9", CertificateMode::kSound, {});
  for (const int words : {0, 1, 3, 10, 200})
    for (const Bounds bounds : oracle::bounds_to_try()) {
      const CertifiedSet a = fixed->certify(bounds, words), b = deletion->certify(bounds, words);
      EXPECT_EQ(a.frontier, b.frontier);
      for (const Operation operation : deletion->operations())
        EXPECT_EQ(a.radius(operation), b.radius(operation)) << to_string(operation);
    }
  // Bins that no certified edit leaves: 512 to 1023 words are one, of p = 1 - 10 / 767.5.
  const auto wide =
      make_certificate("adapt:keep=10,most=0.999,growth=2", CertificateMode::kSound, {});
  const auto same =
      make_certificate("delete:p=" + shortest(1 - 10 / 767.5), CertificateMode::kSound, {});
  const Bounds bounds{0.9, 0.1};
  EXPECT_EQ(wide->certify(bounds, 800).frontier, same->certify(bounds, 800).frontier);
  EXPECT_GT(same->certify(bounds, 800).radius(Operation::kEdit), 10);
}

TEST(AdaptiveDeletion, ClearerVotesNeverCertifyLess) {
  const DeletionRates rates = rates_of("adapt:keep=8,growth=1.2");
  for (const int words : {3, 20, 29, 30, 31, 75, 200}) {
    EditFrontier last;
    for (const double pa : {0.55, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 0.9999, 1.0}) {
      const EditFrontier frontier = adaptive_frontier(rates, words, {pa, 1 - pa});
      for (const auto& [lost, gained] : last.pairs)
        EXPECT_TRUE(frontier.contains({lost, gained})) << words << " words, pA " << pa;
      EXPECT_GE(frontier.edits, last.edits);
      EXPECT_GE(frontier.substitutions, frontier.edits);
      last = frontier;
    }
  }
}

TEST(AdaptiveDeletion, EveryOrderIsFreeWhereTheSurvivorsAreShuffled) {
  const auto shuffled =
      make_certificate("adapt:keep=5,order=shuffled", CertificateMode::kSound, {});
  const auto kept = make_certificate("adapt:keep=5", CertificateMode::kSound, {});
  const Bounds bounds{0.99, 0.01};
  EXPECT_EQ(shuffled->certify(bounds, 40).radius(Operation::kReordering), kUnlimited);
  EXPECT_EQ(kept->certify(bounds, 40).find(Operation::kReordering), nullptr);
  EXPECT_EQ(shuffled->certify(bounds, 40).frontier, kept->certify(bounds, 40).frontier);
  std::vector<WordId> text(12), turned;
  std::iota(text.begin(), text.end(), 3);
  turned.assign(text.rbegin(), text.rend());
  EXPECT_TRUE(shuffled->covers(bounds, text, turned).covered);
  EXPECT_FALSE(kept->covers(bounds, text, turned).covered);
  turned[0] = 99;
  EXPECT_TRUE(shuffled->covers(bounds, text, turned).covered);
}

TEST(AdaptiveDeletion, SaysWhatDecided) {
  const auto certificate =
      make_certificate("adapt:keep=5,growth=1.01", CertificateMode::kSound, {});
  const std::vector<WordId> text(20, 7), longer(21, 7);
  EXPECT_EQ(certificate->covers({0.99, 0.01}, text, longer).why,
            "1 word gained; a word is deleted with probability 0.75 in the text and 0.7619 in the "
            "edited one; S + q^-b = 1.339 < 2");
}

}  // namespace
}  // namespace textcrs
