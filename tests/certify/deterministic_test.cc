// B9 against its exact adversary: every text of the certified set, with every changed outcome
// voting as badly as it can.
#include "textcrs/certify/deterministic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "certify/text_of.h"
#include "textcrs/base/error.h"
#include "textcrs/noise/noise.h"

namespace textcrs {
namespace {

constexpr int kClasses = 3;
constexpr int kSilent = -1;  // the vote of an empty piece

const Vocabulary& vocabulary() {
  static const Vocabulary words({"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"});
  return words;
}

std::unique_ptr<Noise> noise_of(const std::string& spec) {
  return make_noise(spec, {&vocabulary(), nullptr, 16});
}

std::vector<Words> outcomes_of(const Noise& noise, const Words& text) {
  std::vector<Words> all(*noise.outcomes(text));
  for (uint64_t k = 0; k < all.size(); ++k) noise.outcome(text, k, all[k]);
  return all;
}

// A random base classifier, decided piece by piece when first asked; mostly class `favourite`.
class RandomClassifier {
 public:
  RandomClassifier(Stream& stream, int favourite, uint32_t percent)
      : stream_(stream), favourite_(favourite), percent_(percent) {}
  int operator()(const Words& piece) {
    if (piece.empty()) return kSilent;
    const auto [it, added] = answers_.try_emplace(piece, favourite_);
    if (added && stream_.below(100) >= percent_)
      it->second = static_cast<int>(stream_.below(kClasses));
    return it->second;
  }

 private:
  Stream& stream_;
  int favourite_;
  uint32_t percent_;
  std::map<Words, int> answers_;
};

Votes count(const std::vector<int>& ballots) {
  Votes votes(kClasses);
  for (const int ballot : ballots)
    if (ballot != kSilent) ++votes[static_cast<size_t>(ballot)];
  return votes;
}

int winner(const Votes& votes) {  // ties to the lowest index
  return static_cast<int>(std::max_element(votes.begin(), votes.end()) - votes.begin());
}

std::vector<int> ballots_of(const std::vector<Words>& pieces, RandomClassifier& h) {
  std::vector<int> ballots;
  for (const Words& piece : pieces) ballots.push_back(h(piece));
  return ballots;
}

// Whether the winner survives when all pieces that differ vote for whichever rival is worst, an
// empty one staying silent.
bool survives(const std::vector<Words>& before, const std::vector<int>& ballots,
              const std::vector<Words>& after) {
  const int top = winner(count(ballots));
  for (int rival = 0; rival < kClasses; ++rival) {
    if (rival == top) continue;
    std::vector<int> changed = ballots;
    for (size_t k = 0; k < before.size(); ++k)
      if (before[k] != after[k]) changed[k] = after[k].empty() ? kSilent : rival;
    if (winner(count(changed)) != top) return false;
  }
  return true;
}

size_t differing(const std::vector<Words>& a, const std::vector<Words>& b) {
  size_t number = 0;
  for (size_t k = 0; k < a.size(); ++k) number += a[k] != b[k];
  return number;
}

// Every text of at most `longest` words out of the first `kinds` of the vocabulary.
std::vector<Words> all_texts(int kinds, size_t longest) {
  std::vector<Words> texts = {{}};
  for (size_t from = 0; from < texts.size() && texts[from].size() < longest; ++from)
    for (WordId word = 3; word < 3 + kinds; ++word) {
      texts.push_back(texts[from]);
      texts.back().push_back(word);
    }
  return texts;
}

struct Difference {
  int lost = 0, gained = 0, words = 0;  // words: whose number of occurrences differs
};

Difference difference(const Words& x, const Words& y) {
  std::map<WordId, int> counts;
  for (const WordId word : y) ++counts[word];
  for (const WordId word : x) --counts[word];
  Difference d;
  for (const auto& [word, more] : counts) {
    (more < 0 ? d.lost : d.gained) += std::abs(more);
    d.words += more != 0;
  }
  return d;
}

bool claims(const CertifiedSet& set, const Difference& d) {
  if (!set.certified) return false;
  if (d.gained == 0 && d.lost <= set.radius(Operation::kDeletion)) return true;
  if (d.lost == 0 && d.gained <= set.radius(Operation::kInsertion)) return true;
  if (d.lost == d.gained && d.lost <= set.radius(Operation::kSubstitution)) return true;
  if (std::max(d.lost, d.gained) <= set.radius(Operation::kEdit)) return true;
  return std::any_of(set.frontier.begin(), set.frontier.end(), [&](const auto& pair) {
    return d.lost <= pair.first && d.gained <= pair.second;
  });
}

TEST(HashPieces, NoTextOfTheCertifiedSetChangesTheWinner) {
  const auto texts = all_texts(4, 5);
  Stream stream(1, 0, 0);
  int claimed = 0, edited = 0;
  for (const char* spec :
       {"hash:buckets=3,functions=2", "hash:buckets=7,functions=1", "hash:buckets=9,functions=3"}) {
    const auto noise = noise_of(spec);
    const auto certificate = make_certificate(spec, CertificateMode::kSound, {16});
    for (int trial = 0; trial < 30; ++trial) {
      Words x(8 + stream.below(20));  // long enough for margins; words 3 .. 14
      for (WordId& word : x) word = 3 + static_cast<WordId>(stream.below(12));
      const auto before = outcomes_of(*noise, x);
      RandomClassifier h(stream, static_cast<int>(stream.below(kClasses)), 60 + stream.below(41));
      const auto ballots = ballots_of(before, h);
      const Certification c = certify_exactly(count(ballots), before.size(), x, certificate.get());
      // x' is x with up to two words taken out anywhere, and any of the small texts put in.
      for (size_t i = 0; i <= x.size(); ++i)
        for (size_t j = i; j <= x.size(); j += 3)
          for (size_t t = trial % 7; t < texts.size(); t += 7) {
            Words y = texts[t];
            for (size_t k = 0; k < x.size(); ++k)
              if (k != i && k != j) y.push_back(x[k]);
            const Difference d = difference(x, y);
            if (!claims(c.sound, d)) continue;
            const auto after = outcomes_of(*noise, y);
            ASSERT_LE(differing(before, after), static_cast<size_t>(d.words) * before.size() /
                                                    static_cast<size_t>(spec[13] - '0'));
            ++claimed, edited += d.words > 0;
            ASSERT_TRUE(survives(before, ballots, after)) << spec << " " << trial;
          }
    }
  }
  EXPECT_GT(claimed, 1000);
  EXPECT_GT(edited, 500);
}

// The same with nothing left out: from every text of up to four words to every other one.
TEST(HashPieces, HoldsAroundEveryShortText) {
  const auto texts = all_texts(3, 4);
  const std::string spec = "hash:buckets=5,functions=2";
  const auto noise = noise_of(spec);
  const auto certificate = make_certificate(spec, CertificateMode::kSound, {16});
  std::vector<std::vector<Words>> pieces;
  for (const Words& text : texts) pieces.push_back(outcomes_of(*noise, text));
  Stream stream(2, 0, 0);
  int claimed = 0;
  for (size_t i = 1; i < texts.size(); ++i) {
    RandomClassifier h(stream, static_cast<int>(stream.below(kClasses)), 80);
    const auto ballots = ballots_of(pieces[i], h);
    const Certification c =
        certify_exactly(count(ballots), pieces[i].size(), texts[i], certificate.get());
    for (size_t j = 0; j < texts.size(); ++j)
      if (claims(c.sound, difference(texts[i], texts[j]))) {
        ++claimed;
        // The classifier itself, and the adversary.
        ASSERT_EQ(winner(count(ballots_of(pieces[j], h))), c.prediction);
        ASSERT_TRUE(survives(pieces[i], ballots, pieces[j]));
      }
  }
  EXPECT_GT(claimed, 200);
}

// When the inserted words fall into pieces of their own and these all voted for the winner, one
// vote less than the certificate asks for is enough to lose.
TEST(HashPieces, TheBoundIsTight) {
  constexpr int kBuckets = 11, kFunctions = 2;
  const std::string spec = "hash:buckets=11,functions=2";
  const auto noise = noise_of(spec);
  const auto certificate = make_certificate(spec, CertificateMode::kSound, {16});
  Words x;
  for (WordId word = 3; word < 15; ++word) x.insert(x.end(), 2, word);
  const auto before = outcomes_of(*noise, x);
  const int voting = static_cast<int>(
      std::count_if(before.begin(), before.end(), [](const Words& w) { return !w.empty(); }));
  int tight = 0;
  for (WordId one = 3; one < 15; ++one)
    for (WordId two = one + 1; two < 15; ++two) {
      Words y = x;
      y.insert(y.end(), {one, two});
      const auto after = outcomes_of(*noise, y);
      const int a = 2;
      if (differing(before, after) != a * kFunctions) continue;  // a collision
      for (int margin = voting % 2; margin <= voting; margin += 2) {
        const int top_votes = (voting + margin) / 2;
        if (top_votes < a * kFunctions) continue;
        // The changed pieces vote for the top class 1, and so do others until it has its votes.
        std::vector<int> ballots(before.size(), kSilent);
        int left = top_votes - a * kFunctions;
        for (size_t k = 0; k < before.size(); ++k)
          if (!before[k].empty()) ballots[k] = before[k] != after[k] || left-- > 0 ? 1 : 0;
        const Certification c =
            certify_exactly(count(ballots), kBuckets * kFunctions, x, certificate.get());
        if (c.prediction != 1) continue;
        ++tight;
        EXPECT_EQ(c.sound.radius(Operation::kInsertion) >= a, survives(before, ballots, after))
            << margin;
        EXPECT_EQ(c.sound.radius(Operation::kInsertion) >= a, margin > 2 * a * kFunctions);
      }
    }
  EXPECT_GT(tight, 50);
}

// h says 1 iff the piece holds the word l. Each inserted l changes one piece of every function, the
// first of them only.
TEST(HashPieces, APlantedWordThatIsInserted) {
  const std::string spec = "hash:buckets=3,functions=4";
  const auto noise = noise_of(spec);
  const auto certificate = make_certificate(spec, CertificateMode::kSound, {16});
  const auto votes_of = [&](const Words& text) {
    Votes votes(2);
    for (const Words& piece : outcomes_of(*noise, text))
      if (!piece.empty()) ++votes[std::count(piece.begin(), piece.end(), 14) > 0];
    return votes;
  };
  Words text(11);
  std::iota(text.begin(), text.end(), 3);
  Votes votes = votes_of(text);
  EXPECT_EQ(votes[1], 0);
  const Certification c = certify_exactly(votes, 12, text_of(11), certificate.get());
  EXPECT_EQ(c.prediction, 0);
  const bool one = 2 * 4 < votes[0];
  EXPECT_EQ(c.sound.radius(Operation::kInsertion), one ? 1 : 0);
  EXPECT_TRUE(one);
  text.insert(text.begin(), 20, 14);  // twenty copies count once
  votes = votes_of(text);
  EXPECT_EQ(votes[1], 4);
  EXPECT_GT(votes[0], votes[1]);
}

TEST(HashPieces, KnownRadii) {
  const auto certificate =
      make_certificate("hash:buckets=40,functions=20", CertificateMode::kSound, {256});
  const auto certified = [&](int64_t top, int64_t second, int words) {
    return certify_exactly({second, top}, 800, text_of(words), certificate.get()).sound;
  };
  // 2 a 20 < 600 - 200 = 400: a = 9, a tie at 10.
  const CertifiedSet set = certified(600, 200, 230);
  EXPECT_EQ(set.radius(Operation::kReordering), kUnlimited);
  EXPECT_EQ(set.radius(Operation::kInsertion), 9);
  EXPECT_EQ(set.radius(Operation::kDeletion), 9);
  EXPECT_EQ(set.radius(Operation::kSubstitution), 4);
  EXPECT_EQ(set.radius(Operation::kEdit), 4);
  EXPECT_EQ(set.frontier.size(), 10u);
  EXPECT_EQ(set.frontier[3], std::pair(3, 6));
  EXPECT_EQ(certified(600, 199, 230).radius(Operation::kInsertion), 10);
  EXPECT_EQ(certified(401, 399, 230).radius(Operation::kInsertion), 0);
  EXPECT_EQ(certified(401, 399, 230).in_words(), "any reordering");
  EXPECT_EQ(certified(600, 199, 7).radius(Operation::kDeletion), 7);
  EXPECT_EQ(certified(600, 199, 3).radius(Operation::kSubstitution), 3);
  EXPECT_EQ(certified(600, 199, 3).radius(Operation::kEdit), 7);  // 3 lost, 7 gained
}

int displacement(const std::vector<int>& order) {
  int sum = 0;
  for (size_t i = 0; i < order.size(); ++i) sum += std::abs(order[i] - static_cast<int>(i));
  return sum;
}

int window(const std::vector<int>& order) {
  int first = static_cast<int>(order.size()), last = -1;
  for (int i = 0; i < static_cast<int>(order.size()); ++i)
    if (order[static_cast<size_t>(i)] != i) first = std::min(first, i), last = i;
  return last < 0 ? 0 : last - first + 1;
}

TEST(SortedBlocks, NoReorderingOfTheCertifiedSetChangesTheWinner) {
  Stream stream(3, 0, 0);
  int claimed = 0;
  for (const Words& x : {Words{3, 4, 5, 6, 7, 8}, Words{3, 3, 4, 5, 4, 3}, Words{9, 8}})
    for (const int length : {1, 2, 3, 5, 6, 9}) {
      const std::string spec = "reorder:block=" + std::to_string(length) + ",order=sorted";
      const auto noise = noise_of(spec);
      const auto certificate = make_certificate(spec, CertificateMode::kSound, {16});
      const auto before = outcomes_of(*noise, x);
      for (int trial = 0; trial < 20 * length; ++trial) {
        const int top = trial % (length + 1);
        std::vector<int> ballots(before.size(), 0);  // by offset: equal outcomes may be split
        std::fill(ballots.begin(), ballots.begin() + top, 1);
        stream.shuffle(std::span(ballots));
        const Certification c =
            certify_exactly(count(ballots), static_cast<uint64_t>(length), x, certificate.get());
        if (c.abstained) continue;
        std::vector<int> order(x.size());
        std::iota(order.begin(), order.end(), 0);
        do {
          if (displacement(order) > c.sound.radius(Operation::kReordering) &&
              window(order) > c.sound.window)
            continue;
          Words y;
          for (const int place : order) y.push_back(x[static_cast<size_t>(place)]);
          ++claimed;
          ASSERT_TRUE(survives(before, ballots, outcomes_of(*noise, y))) << spec << " " << top;
        } while (std::next_permutation(order.begin(), order.end()));
      }
    }
  EXPECT_GT(claimed, 1000);
}

TEST(SortedBlocks, KnownRadii) {
  const auto certificate =
      make_certificate("reorder:block=16,order=sorted", CertificateMode::kSound, {256});
  const auto certified = [&](int64_t top) {
    return certify_exactly({top, 16 - top}, 16, text_of(100), certificate.get()).sound;
  };
  EXPECT_EQ(certified(16).radius(Operation::kReordering), 14);  // l1 < 16
  EXPECT_EQ(certified(16).window, 8);                           // 2 * 7 < 16
  EXPECT_EQ(certified(12).radius(Operation::kReordering), 6);   // l1 < 8
  EXPECT_EQ(certified(9).radius(Operation::kReordering), 0);
  EXPECT_TRUE(certified(9).certified);
  EXPECT_FALSE(certified(8).certified);
}

// Doubles on the way decide as whole numbers would, up to the largest numbers of outcomes.
TEST(CertifyExactly, RoundingNeverDecides) {
  EXPECT_TRUE(rc::check("insertion radius = largest a with 2 a T < v_A - v_B", [] {
    const int functions = *rc::gen::inRange(1, 1001);
    const int buckets = *rc::gen::inRange(1, 1'000'001);
    const int64_t outcomes = int64_t{functions} * buckets;
    const int64_t second = *rc::gen::inRange<int64_t>(0, outcomes / 2 + 1);
    int64_t top = *rc::gen::inRange<int64_t>(second, outcomes - second + 1);
    if (*rc::gen::arbitrary<bool>()) {  // at a tie, or next to one
      const int64_t a = (top - second) / (2 * functions);
      top = std::min(outcomes - second,
                     std::max(second, second + 2 * a * functions + *rc::gen::inRange(-1, 2)));
    }
    const auto certificate = make_certificate(
        "hash:buckets=" + std::to_string(buckets) + ",functions=" + std::to_string(functions),
        CertificateMode::kSound, {16});
    const Certification c = certify_exactly({top, second}, static_cast<uint64_t>(outcomes),
                                            text_of(5), certificate.get());
    RC_ASSERT(c.abstained == (top == second));
    if (c.abstained) return;
    const int64_t expected = (top - second - 1) / (2 * functions);
    RC_ASSERT(c.sound.radius(Operation::kInsertion) == static_cast<double>(expected));
  }));
}

TEST(CertifyExactly, TellsWhatWasCounted) {
  const auto certificate =
      make_certificate("hash:buckets=5,functions=2", CertificateMode::kSound, {16});
  const Certification c = certify_exactly({1, 6, 2}, 10, text_of(8), certificate.get());
  EXPECT_TRUE(c.exact);
  EXPECT_EQ(c.prediction, 1);
  EXPECT_FALSE(c.abstained);
  EXPECT_EQ(c.counts, (Votes{1, 6, 2}));
  EXPECT_EQ(c.samples, 9u);  // one piece was empty
  EXPECT_DOUBLE_EQ(c.bounds.pa, 0.6);
  EXPECT_DOUBLE_EQ(c.bounds.pb, 0.2);
  EXPECT_LE(c.bounds.pa * 10, 6);
  EXPECT_GE(c.bounds.pb * 10, 2);
  EXPECT_TRUE(c.sound.certified);
  EXPECT_FALSE(c.paper.certified);

  const Certification tie = certify_exactly({1, 4, 4}, 10, text_of(8), certificate.get());
  EXPECT_EQ(tie.prediction, 1);  // the lowest index
  EXPECT_TRUE(tie.abstained);
  EXPECT_FALSE(tie.sound.certified);
  EXPECT_FALSE(certify_exactly({0, 7}, 10, text_of(8), nullptr).sound.certified);
}

TEST(CertifyExactly, RefusesWhatIsNoCount) {
  EXPECT_THROW(certify_exactly({1, 2}, 0, text_of(5), nullptr), Error);
  EXPECT_THROW(certify_exactly({1, 2}, kMostOutcomes + 1, text_of(5), nullptr), Error);
  EXPECT_THROW(certify_exactly({1, 2}, 2, text_of(5), nullptr), std::logic_error);
  EXPECT_THROW(certify_exactly({-1, 2}, 5, text_of(5), nullptr), std::logic_error);
  EXPECT_THROW(certify_exactly({2}, 5, text_of(5), nullptr), std::logic_error);
}

}  // namespace
}  // namespace textcrs
