// B6 against the exact worst case over all base classifiers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cmath>

#include "certify/substitution_oracle.h"
#include "certify/substitution_proofs.h"
#include "textcrs/base/parallel.h"
#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

using namespace oracle;

std::unique_ptr<Certificate> sound(const std::string& spec, const SynonymTable& synonyms,
                                   const SynonymTable* candidates = nullptr) {
  CertificateContext context;
  context.synonyms = &synonyms;
  context.candidates = candidates;
  return make_certificate(spec, CertificateMode::kSound, context);
}

double radius(const Certificate& certificate, Bounds bounds, const ExactText& text) {
  return certificate.certify(bounds, text).radius(Operation::kSubstitution);
}

// What the adversary may turn `word` into: the table's candidates, for the cluster kernel the other
// words of its cluster.
std::vector<WordId> candidates_of(const SubstitutionKernel& kernel, WordId word) {
  if (kernel.rule().shape != KernelShape::kCluster) {
    const auto list = kernel.table().of(word);
    return {list.begin(), list.end()};
  }
  std::vector<WordId> others;
  for (const auto& entry : kernel.of(word))
    if (entry.word != word) others.push_back(entry.word);
  return others;
}

// Every text that comes from replacing words of `text` by candidates.
std::vector<ExactText> all_edits(const SubstitutionKernel& kernel, const ExactText& text) {
  std::vector<ExactText> edits = {{}};
  for (const int word : text) {
    std::vector<WordId> choices = candidates_of(kernel, word);
    choices.push_back(word);
    std::vector<ExactText> longer;
    for (const ExactText& head : edits)
      for (const WordId choice : choices) {
        longer.push_back(head);
        longer.back().push_back(choice);
      }
    edits = longer;
  }
  return edits;
}

int changes(const ExactText& a, const ExactText& b) {
  int count = 0;
  for (size_t i = 0; i < a.size(); ++i) count += a[i] != b[i];
  return count;
}

// The risks of the positions of a text, as the certificate has them.
class Risks {
 public:
  Risks(const SubstitutionKernel& kernel, const ExactText& text) {
    for (const int word : text) {
      if (candidates_of(kernel, word).empty()) continue;
      auto risk = std::make_unique<WordRisk>();
      KernelPair pair(kernel, word);
      for (const WordId other : candidates_of(kernel, word)) risk->raise(pair.with(other));
      risks_.push_back(std::move(risk));
    }
  }
  TextRisk of_text() const {
    std::vector<const WordRisk*> list;
    for (const auto& risk : risks_) list.push_back(risk.get());
    return TextRisk(list);
  }

 private:
  std::vector<std::unique_ptr<WordRisk>> risks_;
};

void expect_sound(const std::string& spec, const ExactText& text,
                  const std::vector<ExactText>& edits) {
  const auto certificate = sound(spec, small_graph());
  const SubstitutionKernel kernel(rule_of(spec), small_graph());
  const Risks risks(kernel, text);
  TextRisk risk = risks.of_text();
  const ExactLaw law = substitution_law(kernel, text);
  for (const ExactText& edited : edits) {
    const WorstCase worst(law, substitution_law(kernel, edited));
    const int count = changes(text, edited);
    for (const Bounds bounds : bounds_to_try()) {
      if (bounds.pa <= bounds.pb) continue;
      const bool robust = worst.robust(bounds);
      const auto where = [&] {
        return testing::Message() << spec << " " << testing::PrintToString(text) << " to "
                                  << testing::PrintToString(edited) << " pA " << bounds.pa << " pB "
                                  << bounds.pb;
      };
      if (count <= radius(*certificate, bounds, text)) EXPECT_TRUE(robust) << where();
      if (certificate->covers(bounds, text, edited).covered) EXPECT_TRUE(robust) << where();
      if (count <= risk.by_overlap(bounds)) EXPECT_TRUE(robust) << "overlap " << where();
      if (count <= risk.by_ratio(bounds)) EXPECT_TRUE(robust) << "ratio " << where();
      if (count <= risk.by_composition(bounds)) EXPECT_TRUE(robust) << "composition " << where();
    }
  }
}

TEST(Substitution, EveryEditInsideTheRadiusIsHarmless) {
  for (const std::string& spec : substitution_specs()) {
    const SubstitutionKernel kernel(rule_of(spec), small_graph());
    for (const ExactText& text : {ExactText{3}, {8}, {4, 4}, {5, 7}, {3, 10, 4}, {8, 6, 8}})
      expect_sound(spec, text, all_edits(kernel, text));
  }
}

TEST(Substitution, SomeEditsOfLongerTexts) {
  Stream stream(11, 0, 0);
  const ExactText text = {3, 4, 8, 4};
  for (const std::string& spec : substitution_specs()) {
    const SubstitutionKernel kernel(rule_of(spec), small_graph());
    const std::vector<ExactText> all = all_edits(kernel, text);
    std::vector<ExactText> some = {all.front()};
    for (int i = 0; i < 3; ++i)
      some.push_back(all[stream.below(static_cast<uint32_t>(all.size()))]);
    expect_sound(spec, text, some);
  }
}

// What an attack returns need not be a candidate.
TEST(Substitution, CoversAnyWordsInPlace) {
  Stream stream(12, 0, 0);
  for (const std::string& spec : substitution_specs())
    for (int run = 0; run < 20; ++run) {
      ExactText text, edited;
      for (int i = 0; i < 3; ++i) {
        text.push_back(kFirstWord + static_cast<int>(stream.below(8)));
        edited.push_back(stream.bernoulli(0.5) ? text.back()
                                               : kFirstWord + static_cast<int>(stream.below(9)));
      }
      const auto certificate = sound(spec, small_graph());
      const SubstitutionKernel kernel(rule_of(spec), small_graph());
      const WorstCase worst(substitution_law(kernel, text), substitution_law(kernel, edited));
      for (const Bounds bounds : bounds_to_try())
        if (certificate->covers(bounds, text, edited).covered)
          EXPECT_TRUE(worst.robust(bounds)) << spec << bounds.pa << " " << bounds.pb;
    }
}

// One replaced word is decided exactly, but for the grid: within .004 of the probabilities.
TEST(Substitution, OneReplacedWordIsTheExactWorstCase) {
  const double off = 0.004;
  for (const std::string& spec : substitution_specs()) {
    const auto certificate = sound(spec, small_graph());
    const SubstitutionKernel kernel(rule_of(spec), small_graph());
    for (const int word : {3, 4, 6, 8})
      for (const int other : {3, 4, 5, 7, 9}) {
        if (word == other) continue;
        const WorstCase worst(substitution_law(kernel, {word}), substitution_law(kernel, {other}));
        for (double pa = 0.3; pa < 1; pa += 0.03)
          for (const double pb : {1 - pa, (1 - pa) / 2, (1 - pa) / 10}) {
            if (pa - off <= pb + off || pa + pb > 1 || !worst.robust({pa - off, pb + off}))
              continue;
            const ExactText text = {word}, edited = {other};
            EXPECT_TRUE(certificate->covers({pa, pb}, text, edited).covered)
                << spec << " " << word << " " << other << " " << pa << " " << pb;
          }
      }
  }
}

// h says yA iff no word is outside its kernel's support: pA = 1. Each replaced word of a uniform
// kernel leaves the share o of its draws inside, so yA has o^n after n of them and loses at o^n <
// 1/2. The certificate ends exactly there.
TEST(Substitution, EndsWhereAPlantedClassifierFlips) {
  // Words on a line, neighbours up to 8 steps away are candidates: 17 words a kernel.
  std::vector<std::vector<WordId>> lists(400), near(400);
  for (int w = 100; w < 300; ++w)
    for (int step = 1; step <= 8; ++step)
      for (const int other : {w - step, w + step})
        if (other >= 100 && other < 300) {
          lists[static_cast<size_t>(w)].push_back(other);
          if (step == 1) near[static_cast<size_t>(w)].push_back(other);
        }
  const SynonymTable table("a line", lists), neighbours("direct neighbours", near);
  const auto certificate = sound("substitute:kernel=uniform", table, &neighbours);
  const ExactText text = {150, 160, 170, 180, 190, 200, 210, 220,
                          230, 240, 250, 260, 130, 140, 150};
  ExactText edited = text;
  const double inside = 16.0 / 17;
  for (int n = 1; n <= static_cast<int>(text.size()); ++n) {
    edited[static_cast<size_t>(n - 1)] += 1;
    const bool wins = std::pow(inside, n) > 0.5;
    EXPECT_EQ(n <= radius(*certificate, {1, 0}, text), wins) << n;
    EXPECT_EQ(certificate->covers({1, 0}, text, edited).covered, wins) << n;
  }
  EXPECT_EQ(certificate->certify({1, 0}, text).candidates, "direct neighbours");
}

// The words of a cluster have one law: any number of them may be replaced.
TEST(Substitution, InsideClustersEverythingIsFree) {
  const auto certificate = sound("substitute:kernel=cluster,size=3", small_graph());
  ExactText text;
  for (int i = 0; i < 250; ++i) text.push_back(3 + i % 8);
  const CertifiedSet set = certificate->certify({0.4 + 1e-8, 0.4}, text);
  EXPECT_EQ(set.radius(Operation::kSubstitution), 250);
  EXPECT_EQ(set.candidates, "a small graph, in clusters of at most 3");
  EXPECT_EQ(
      set.in_words(),
      "up to 219 of the 219 words that have candidates (a small graph, in clusters of at most 3) "
      "substituted, each by one of its own");
  // 3 - 6 leaves the cluster {3, 4, 5}: the whole table as candidates costs everything.
  const auto wide = sound("substitute:kernel=cluster,size=3", small_graph(), &small_graph());
  EXPECT_EQ(radius(*wide, {0.999, 0.001}, {3, 3}), 0);
  EXPECT_EQ(radius(*wide, {0.999, 0.001}, {4, 4}), 2);
  EXPECT_EQ(wide->certify({0.9, 0.1}, ExactText{3}).candidates, "a small graph");
}

// Word 10 has no candidates, and an unknown word has none.
TEST(Substitution, CountsTheWordsThatHaveCandidates) {
  const auto certificate = sound("substitute:kernel=uniform", small_graph());
  const auto certify = [&](const ExactText& text) { return certificate->certify({1, 0}, text); };
  const CertifiedSet none = certify({10, kUnk});
  EXPECT_EQ(none.replaceable, 0);
  EXPECT_EQ(none.radius(Operation::kSubstitution), 2);  // every word that has candidates may go
  EXPECT_EQ(none.in_words(),
            "the text as it is, but for no edit: no word of it has candidates (a small graph)");
  const CertifiedSet one = certify({8, 10, 10});  // 8 - 9: one law
  EXPECT_EQ(one.replaceable, 1);
  EXPECT_EQ(one.radius(Operation::kSubstitution), 3);
  EXPECT_EQ(one.in_words(),
            "the one word that has candidates (a small graph) substituted by one of them");
  const CertifiedSet some = certify({8, 10, 9, kUnk});
  EXPECT_EQ(some.replaceable, 2);
  EXPECT_EQ(some.in_words(),
            "up to 2 of the 2 words that have candidates (a small graph) substituted, each by one "
            "of its own");
}

// docs/certificates.md, A: "fine" is the first synonym of "good" and the only word that their lists
// of 50 share. The paper's formula certifies dozens of ranks; one replaced word can flip g.
TEST(Substitution, NothingIsCertifiedWhereTheListsShareOneWord) {
  std::vector<std::vector<WordId>> lists(110);
  const WordId good = 3, fine = 4;
  lists[good] = {fine};
  lists[fine] = {good};
  for (WordId other = 5; other < 53; ++other) lists[good].push_back(other);
  for (WordId other = 53; other < 101; ++other) lists[fine].push_back(other);
  const SynonymTable table = SynonymTable("two lists", lists).symmetric();
  const char* spec = "substitute:kernel=staircase,size=50";
  const Bounds bounds{0.999, 0.001};
  EXPECT_GE(make_certificate(spec, CertificateMode::kPaper, {})
                ->certify(bounds, 1)
                .radius(Operation::kSubstitution),
            24);
  const SubstitutionKernel kernel(rule_of(spec), table);
  const WorstCase worst(substitution_law(kernel, {good}), substitution_law(kernel, {fine}));
  EXPECT_FALSE(worst.robust(bounds));
  EXPECT_EQ(radius(*sound(spec, table), bounds, {good}), 0);
  EXPECT_FALSE(sound(spec, table)->covers(bounds, ExactText{good}, ExactText{fine}).covered);
}

// Words on a ring: a wide noise, candidates close by.
struct Ring {
  SynonymTable wide, near;

  static SynonymTable within(int reach) {
    const int words = 400;
    std::vector<std::vector<WordId>> lists(static_cast<size_t>(words + kFirstWord));
    for (int w = 0; w < words; ++w)
      for (int step = 1; step <= reach; ++step)
        for (const int other : {w - step, w + step})
          lists[static_cast<size_t>(w + kFirstWord)].push_back((other + words) % words +
                                                               kFirstWord);
    return SynonymTable("a ring", std::move(lists));
  }
  Ring() : wide(within(40)), near(within(2)) {}
};

TEST(Substitution, CompositionBeatsTheOverlap) {
  const Ring ring;
  ExactText text;
  for (int i = 0; i < 100; ++i) text.push_back(3 + 3 * i);
  for (const auto& [spec, factor] : {std::pair{"substitute:kernel=staircase,size=81", 2.0},
                                     {"substitute:kernel=staircase,size=81,eps=0.02", 1.5},
                                     {"substitute:kernel=graph,eps=1,reach=4", 1.5},
                                     {"substitute:kernel=uniform", 1.0}}) {
    const SubstitutionKernel kernel(rule_of(spec), ring.wide);
    std::vector<WordRisk> risks;
    for (const int word : text) {
      risks.emplace_back();
      KernelPair pair(kernel, word);
      for (const WordId other : ring.near.of(word)) risks.back().raise(pair.with(other));
    }
    std::vector<const WordRisk*> list;
    for (const WordRisk& risk : risks) list.push_back(&risk);
    TextRisk risk(list);
    for (const double pa : {0.6, 0.9, 0.99, 0.999})
      EXPECT_GE(risk.by_composition({pa, 1 - pa}), risk.by_overlap({pa, 1 - pa})) << spec << pa;
    EXPECT_GE(risk.by_composition({0.999, 0.001}), factor * risk.by_overlap({0.999, 0.001}))
        << spec;
    EXPECT_GE(risk.by_overlap({0.999, 0.001}), 3) << spec;
    EXPECT_EQ(radius(*sound(spec, ring.wide, &ring.near), {0.999, 0.001}, text),
              risk.radius({0.999, 0.001}));
  }
}

// The j-th of n positions, by falling risk, is at place j or later: one risky word does not count
// n times.
TEST(Substitution, OneRiskyWordCountsOnce) {
  const Ring ring;
  const SubstitutionKernel kernel(rule_of("substitute:kernel=staircase,size=81"), ring.wide);
  KernelPair pair(kernel, 100);
  const WordRisk mild = pair.with(101), risky = pair.with(110);
  std::vector<const WordRisk*> mixed(50, &mild);
  mixed.back() = &risky;
  const Bounds bounds{0.999, 0.001};
  TextRisk some(mixed), all(std::vector<const WordRisk*>(50, &risky)),
      none(std::vector<const WordRisk*>(50, &mild));
  EXPECT_GT(some.by_composition(bounds), 2 * all.by_composition(bounds));
  EXPECT_GE(none.by_composition(bounds), some.by_composition(bounds));
  EXPECT_LT(all.by_composition(bounds), none.by_composition(bounds));
}

// A word that is far from its candidate, but with bounded ratios, and one that is nearer, with
// draws of its own: few of the first kind are worse at low confidence, few of the second at high.
// Both kinds together are no better than either alone.
TEST(Substitution, TheWorseWordDependsOnTheConfidence) {
  const SynonymTable two("two words", {{}, {}, {}, {4}, {3}});
  const Ring ring;
  const SubstitutionKernel staircase(rule_of("substitute:kernel=staircase,size=2,eps=0.5"), two);
  const SubstitutionKernel uniform(rule_of("substitute:kernel=uniform"), ring.wide);
  const WordRisk far = KernelPair(staircase, 3).with(4), apart = KernelPair(uniform, 100).with(108);
  ASSERT_GT(far.variation(), apart.variation());
  std::vector<const WordRisk*> fars(30, &far), aparts(30, &apart), both = fars;
  both.insert(both.end(), aparts.begin(), aparts.end());
  TextRisk of_fars(fars), of_aparts(aparts), of_both(both);
  EXPECT_LT(of_fars.by_composition({0.6, 0.4}), 2);
  EXPECT_GT(of_fars.by_composition({0.999, 0.001}), of_aparts.by_composition({0.999, 0.001}));
  for (const double pa : {0.6, 0.7, 0.9, 0.99, 0.999}) {
    const Bounds bounds{pa, 1 - pa};
    EXPECT_LE(of_both.by_composition(bounds),
              std::min(of_fars.by_composition(bounds), of_aparts.by_composition(bounds)));
  }
}

TEST(Substitution, EqualSupportsAreBoundedByTheRatio) {
  const SynonymTable clique("clique", {{}, {}, {}, {4, 5}, {3, 5}, {3, 4}});
  const SubstitutionKernel kernel(rule_of("substitute:kernel=staircase,size=3,eps=0.1"), clique);
  const Risks risks(kernel, ExactText(100, 3));
  TextRisk risk = risks.of_text();
  // ln ratios of .2 a word: e^.2n (1 - pA) stays below 1/2 up to n = ln(500) / .2 = 31.
  EXPECT_EQ(risk.by_ratio({0.999, 0.001}), 31);
  EXPECT_GE(risk.by_composition({0.999, 0.001}), 31);
}

TEST(Substitution, MoreConfidenceNeverLowersTheRadius) {
  const Ring ring;
  const auto certificate = sound("substitute:kernel=graph,eps=0.5,reach=3", ring.wide, &ring.near);
  ExactText text;
  for (int i = 0; i < 40; ++i) text.push_back(3 + 7 * i);
  EXPECT_TRUE(rc::check([&] {
    const auto unit = [] { return *rc::gen::inRange(0, 10001) / 10000.0; };
    const double high = unit(), low = unit() * high, other = unit() * low, least = unit() * other;
    if (!(least < low)) return;
    RC_ASSERT(radius(*certificate, {high, other}, text) >=
              radius(*certificate, {low, other}, text));
    RC_ASSERT(radius(*certificate, {low, least}, text) >= radius(*certificate, {low, other}, text));
  }));
}

TEST(Substitution, WordsWithoutCandidatesCostNothing) {
  const auto certificate = sound("substitute:kernel=uniform", small_graph());
  EXPECT_EQ(radius(*certificate, {0.51, 0.49}, {kUnk, 10, 10, kPad}), 4);
  EXPECT_EQ(radius(*certificate, {0.51, 0.49}, {10, 3, 10}), 0);
  EXPECT_EQ(radius(*certificate, {0.51, 0.49}, {8, 9, 10}), 3);  // {8, 9} is a clique
}

TEST(Substitution, SaysWhatDecided) {
  const Ring ring;
  const auto certificate = sound("substitute:kernel=uniform", ring.wide, &ring.near);
  const ExactText text = {100, 150, 200, 250};
  const auto why = [&](const Certificate& asked, Bounds bounds, const ExactText& edited) {
    const Coverage coverage = asked.covers(bounds, text, edited);
    EXPECT_EQ(coverage.operation, Operation::kSubstitution);
    return (coverage.covered ? "covered: " : "not covered: ") + coverage.why;
  };
  EXPECT_EQ(why(*certificate, {0.9, 0.1}, {100, 150, 200}),
            "not covered: the text has 4 words, the edited one 3; this noise only covers words "
            "replaced in place");
  EXPECT_EQ(why(*certificate, {0.9, 0.1}, text), "covered: no word is replaced");
  // Kernels of 81 words; a step of 2 leaves 79 of them, one of 1 leaves 80.
  EXPECT_EQ(why(*certificate, {0.99, 0.01}, {102, 151, 200, 250}),
            "covered: 2 words replaced, 96.33 % of the noise in common, 2 (1 - q) = 0.07346 < pA - "
            "pB = 0.98");
  EXPECT_THAT(why(*certificate, {0.9, 0.1}, {300, 151, 200, 250}),
              testing::StartsWith("not covered: 2 words replaced, "));
  const auto staircase = sound("substitute:kernel=staircase,size=81", ring.wide);
  EXPECT_THAT(why(*staircase, {0.99, 0.01}, {101, 151, 201, 251}),
              testing::MatchesRegex("covered: 4 words replaced, likelihood ratios composed: around "
                                    "the edited text pA is at least 0.9.*, pB at most 0.0.*"));
}

TEST(Substitution, TextsInTurnAndThreadsGetTheirOwnAnswers) {
  const Ring ring;
  const std::string spec = "substitute:kernel=graph,eps=0.5,reach=3";
  const auto certificate = sound(spec, ring.wide, &ring.near);
  std::vector<std::pair<ExactText, Bounds>> questions;
  for (int i = 0; i < 12; ++i) {
    ExactText text;
    for (int k = 0; k <= 3 * i; ++k) text.push_back(3 + 5 * i + k);
    for (const double pa : {0.8, 0.99, 0.6}) questions.push_back({text, {pa, 1 - pa}});
  }
  std::vector<double> answers(questions.size());
  parallel_for(questions.size(), 4, [&](size_t i) {
    answers[i] = radius(*certificate, questions[i].second, questions[i].first);
  });
  for (size_t i = 0; i < questions.size(); ++i)
    EXPECT_EQ(answers[i],
              radius(*sound(spec, ring.wide, &ring.near), questions[i].second, questions[i].first));
}

}  // namespace
}  // namespace textcrs
