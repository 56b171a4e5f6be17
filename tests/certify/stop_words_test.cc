// B2 and B3 with stop words, which are deleted with probability 1: every edit of tiny texts against
// the exact worst case over all base classifiers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "certify/oracle.h"
#include "textcrs/base/error.h"
#include "textcrs/base/spec.h"

namespace textcrs {
namespace {

using namespace oracle;
using ::testing::HasSubstr;

// 3, 4 and 5 are words as any others, 6 and 7 are stop words.
const Vocabulary& vocabulary() {
  static const Vocabulary words =
      Vocabulary({"ant", "bee", "cat", "the", "of"}).with_stop_words({"some", {"the", "of"}});
  return words;
}

bool is_stop_word(int word) { return word == 6 || word == 7; }

std::unique_ptr<Certificate> certificate(double p, bool shuffled) {
  CertificateContext context;
  context.vocabulary = &vocabulary();
  return make_certificate((shuffled ? "universal:p=" : "delete:p=") + shortest(p) + ",stop=some",
                          CertificateMode::kSound, context);
}

ExactLaw law_of(const ExactText& text, double p, bool shuffled) {
  return deletion_law_by_word(
      text, [&](int word) { return is_stop_word(word) ? Rational(1) : Rational(p); }, shuffled);
}

// Every text of up to `longest` words.
std::vector<ExactText> all_texts(size_t longest) {
  std::vector<ExactText> all = {{}};
  for (size_t begin = 0, length = 1; length <= longest; ++length) {
    const size_t end = all.size();
    for (; begin < end; ++begin)
      for (int word = 3; word <= 7; ++word) {
        all.push_back(all[begin]);
        all.back().push_back(word);
      }
  }
  return all;
}

const std::vector<ExactText> kTexts = {{},        {6},       {3},          {3, 6},      {6, 3, 7},
                                       {3, 4, 6}, {6, 7, 6}, {3, 6, 4, 7}, {6, 3, 3, 7}};

TEST(StopWords, WhatIsCoveredIsWithinTheWorstCaseAndNothingMoreIsTrueOfDifferentWords) {
  for (const bool shuffled : {false, true})
    for (const double p : {0.5, 0.75, 0.9}) {
      const auto certified = certificate(p, shuffled);
      int covered = 0, refused = 0, by_stop_words = 0;
      for (const ExactText& text : kTexts) {
        const ExactLaw law = law_of(text, p, shuffled);
        for (const ExactText& edited : all_texts(3)) {
          const WorstCase worst(law, law_of(edited, p, shuffled));
          for (const Bounds bounds : bounds_to_try()) {
            if (bounds.pa <= bounds.pb) continue;
            const Coverage coverage = certified->covers(bounds, text, edited);
            ++(coverage.covered ? covered : refused);
            by_stop_words += coverage.why.starts_with("the same words beside stop words");
            ASSERT_TRUE(worst.robust(bounds) || !coverage.covered)
                << ::testing::PrintToString(text) << " -> " << ::testing::PrintToString(edited)
                << " p=" << p << " pA=" << bounds.pa << ": " << coverage.why;
          }
        }
      }
      EXPECT_GT(covered, 1000);
      EXPECT_GT(refused, 1000);
      EXPECT_GT(by_stop_words, 200);
    }
}

bool is_subsequence(const ExactText& part, const ExactText& whole) {
  size_t at = 0;
  for (const int word : whole) at += at < part.size() && part[at] == word;
  return at == part.size();
}

int substituted(const ExactText& text, const ExactText& edited) {
  int count = 0;
  for (size_t i = 0; i < text.size(); ++i) count += text[i] != edited[i];
  return count;
}

int edit_distance_of(const ExactText& a, const ExactText& b) {
  std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i)
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = static_cast<int>(i + j);
        continue;
      }
      d[i][j] = std::min(
          {d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
    }
  return d[a.size()][b.size()];
}

// Every radius of the set holds for every edited text it speaks of, and the radii count words of
// every kind.
TEST(StopWords, EveryEditWithinARadiusKeepsTheAnswer) {
  for (const bool shuffled : {false, true})
    for (const double p : {0.6, 0.9}) {
      const auto certified = certificate(p, shuffled);
      for (const ExactText& text : kTexts) {
        const ExactLaw law = law_of(text, p, shuffled);
        for (const ExactText& edited : all_texts(4)) {
          if (shuffled && edited.size() > 3) continue;
          const bool deletes = is_subsequence(edited, text);
          const bool inserts = is_subsequence(text, edited);
          const bool substitutes = edited.size() == text.size();
          const int distance = edit_distance_of(text, edited);
          const int longer = static_cast<int>(edited.size()) - static_cast<int>(text.size());
          if (!deletes && !inserts && !substitutes && distance > 2) continue;
          const WorstCase worst(law, law_of(edited, p, shuffled));
          for (const Bounds bounds : {Bounds{0.8, 0.2}, Bounds{0.97, 0.03}, Bounds{1, 0}}) {
            const CertifiedSet set = certified->certify(bounds, std::vector<WordId>(text));
            const auto within = [&](Operation operation, int count) {
              return count <= set.radius(operation);
            };
            const bool claimed =
                (deletes && within(Operation::kDeletion, -longer)) ||
                (inserts && within(Operation::kInsertion, longer)) ||
                (substitutes && within(Operation::kSubstitution, substituted(text, edited))) ||
                within(Operation::kEdit, distance);
            ASSERT_TRUE(!claimed || worst.robust(bounds))
                << ::testing::PrintToString(text) << " -> " << ::testing::PrintToString(edited)
                << " p=" << p << " pA=" << bounds.pa;
            if (claimed) EXPECT_TRUE(certified->covers(bounds, text, edited).covered);
          }
        }
      }
    }
}

TEST(StopWords, RadiiCountTheOtherWordsUntilAllMayGo) {
  const auto certified = certificate(0.7, true);
  const std::vector<WordId> text = {3, 6, 4, 7, 6};  // two words and three stop words
  const CertifiedSet all = certified->certify({0.999, 0.001}, text);
  EXPECT_EQ(all.radius(Operation::kDeletion), 5);
  EXPECT_EQ(all.radius(Operation::kInsertion), 1);
  EXPECT_EQ(all.radius(Operation::kSubstitution), 1);
  EXPECT_EQ(all.frontier, (std::vector<std::pair<int, int>>{{2, 1}}));
  EXPECT_EQ(all.stop_list, "some");
  EXPECT_EQ(all.stop_words, 2);
  EXPECT_THAT(all.in_words(), HasSubstr("up to 5 deleted words"));
  EXPECT_THAT(all.in_words(), HasSubstr(", and besides any number of the 2 stop words of some "
                                        "inserted, deleted, moved or replaced by one another"));
  const CertifiedSet one = certified->certify({0.8, 0.2}, text);
  EXPECT_EQ(one.radius(Operation::kDeletion), 5);
  EXPECT_EQ(certified->certify({0.7, 0.3}, text).radius(Operation::kDeletion), 1);
  const CertifiedSet none = certified->certify({0.6, 0.4}, text);
  EXPECT_EQ(none.radius(Operation::kDeletion), 0);
  EXPECT_THAT(none.in_words(), HasSubstr("any reordering, and besides any number of the 2 stop"));
  EXPECT_EQ(certified->certify({0.6, 0.4}, std::vector<WordId>{6, 7}).radius(Operation::kDeletion),
            2);
}

// What is said of a number of words holds for every text of so many.
TEST(StopWords, ANumberOfWordsIsOneOfOtherWords) {
  const auto certified = certificate(0.7, false);
  for (const Bounds bounds : {Bounds{0.6, 0.4}, Bounds{0.9, 0.1}, Bounds{0.999, 0.001}})
    for (const ExactText& text : kTexts) {
      const CertifiedSet of_number = certified->certify(bounds, static_cast<int>(text.size()));
      const CertifiedSet of_text = certified->certify(bounds, std::vector<WordId>(text));
      for (const Guarantee& guarantee : of_number.guarantees)
        EXPECT_LE(guarantee.radius, of_text.radius(guarantee.operation))
            << to_string(guarantee.operation) << ::testing::PrintToString(text);
    }
}

TEST(StopWords, TheAnswerNamesThem) {
  const auto certified = certificate(0.7, false);
  const std::vector<WordId> text = {3, 6, 4};
  const auto why = [&](const std::vector<WordId>& edited) {
    return certified->covers({0.99, 0.01}, text, edited).why;
  };
  EXPECT_EQ(why(text), "the same text");
  EXPECT_EQ(why({7, 3, 4, 7}), "the same words beside stop words, which are always deleted");
  EXPECT_EQ(why({7, 3}), "beside stop words, 1 word lost; up to 2 may be lost");
}

TEST(StopWords, NeedsTheListAndHasNoPaperCertificate) {
  EXPECT_THROW(make_certificate("universal:p=0.9,stop=some", CertificateMode::kSound, {}), Error);
  CertificateContext context;
  context.vocabulary = &vocabulary();
  EXPECT_THROW(make_certificate("delete:p=0.9,stop=other", CertificateMode::kSound, context),
               Error);
  for (const char* spec : {"universal:p=0.9,stop=some", "delete:p=0.9,stop=some"})
    EXPECT_EQ(find_certificate(spec, CertificateMode::kPaper, context), nullptr);
}

}  // namespace
}  // namespace textcrs
