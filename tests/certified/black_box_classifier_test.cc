#include "textcrs/certified/black_box_classifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <sstream>

#include "blackbox/rule_box.h"
#include "certified/expect_same.h"
#include "text/temporary_folder.h"
#include "textcrs/base/lanes.h"
#include "textcrs/base/stream.h"
#include "textcrs/certify/deterministic.h"

namespace textcrs {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::vector<std::string> split(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

int has_good(const std::string& text) {
  const std::vector<std::string> words = split(text);
  return std::find(words.begin(), words.end(), "good") != words.end();
}
int is_odd(const std::string& text) { return text.size() % 2; }

BlackBoxOptions sampling(const std::string& noise, uint32_t samples = 2000) {
  BlackBoxOptions options;
  options.noise = noise;
  options.certifier.estimation_samples = samples;
  options.exact = false;
  return options;
}

// A classifier and the rule it asks.
struct OfRule {
  OfRule(const BlackBoxOptions& options, RuleBox::Rule rule, AskedOptions asked = {},
         std::vector<std::string> classes = {"no", "yes"}) {
    auto made = std::make_unique<RuleBox>(std::move(rule), 100, 1, std::move(classes));
    box = made.get();
    classifier = std::make_unique<BlackBoxClassifier>(
        std::make_unique<AskedTexts>(std::move(made), asked), options);
  }
  const BlackBoxClassifier* operator->() const { return classifier.get(); }
  RuleBox* box = nullptr;
  std::unique_ptr<BlackBoxClassifier> classifier;
};

// good - great - fine; their ids are 3, 4, 5.
BlackBoxOptions with_synonyms(BlackBoxOptions options) {
  options.vocabulary = Vocabulary({"good", "great", "fine"}, Vocabulary::Growth::kOpen);
  options.synonyms = SynonymTable("table", {{}, {}, {}, {4, 5}, {3}, {3}});
  return options;
}

// The parts of the classifier put together by hand: noise, spelling, counting, certificate.
struct ByHand {
  ByHand(const BlackBoxOptions& options, RuleBox::Rule the_rule, const std::string& words)
      : used(options),
        rule(std::move(the_rule)),
        noise(make_noise(used.noise, {.vocabulary = &used.vocabulary, .synonyms = &used.synonyms})),
        ids(used.vocabulary.encode(split(words), own)) {
    CertificateContext context;
    context.synonyms = &used.synonyms;
    context.vocabulary = &used.vocabulary;
    sound = find_certificate(noise->spec(), CertificateMode::kSound, context);
    paper = find_certificate(noise->spec(), CertificateMode::kPaper, context);
  }

  Text text() const { return {ids, own.list()}; }
  size_t answer(const Words& copy) const {
    std::string spelled;
    for (const WordId id : copy)
      spelled += (spelled.empty() ? "" : " ") +
                 (id == kMask ? used.mask : used.vocabulary.word(id, own.list()));
    return static_cast<size_t>(rule(spelled));
  }
  Certification sampled(uint32_t example) const {
    const VoteSource votes = [&](uint32_t begin, uint32_t end) {
      Votes counts(2);
      Words copy;
      for (uint32_t s = begin; s < end; ++s) {
        Stream stream(used.seed, example, s, lane::kWords);
        noise->sample(text(), stream, copy);
        ++counts[answer(copy)];
      }
      return counts;
    };
    return certify_text(votes, text(), sound.get(), paper.get(), used.certifier);
  }

  BlackBoxOptions used;
  RuleBox::Rule rule;
  OwnWords own;
  std::unique_ptr<Noise> noise;
  std::vector<WordId> ids;
  std::unique_ptr<Certificate> sound, paper;
};

const std::string kText = "a good film with a great end , good as great films are";

TEST(BlackBoxClassifier, CertifiesTheVotesThatAreCountedByHand) {
  for (const char* spec :
       {"universal:p=0.9", "universal:p=0.3", "delete:p=0.5", "mask:p=0.7", "reorder:block=3",
        "reorder:full", "adapt:keep=3", "substitute:kernel=graph"})
    for (const auto& rule : {has_good, is_odd}) {
      SCOPED_TRACE(spec);
      BlackBoxOptions options = with_synonyms(sampling(spec, 20'000));
      options.seed = 7;
      options.mask = "[MASK]";
      const ByHand parts(options, rule, kText);
      const OfRule made(options, rule);
      for (const uint32_t example : {0u, 41u})
        expect_same(made->certify(split(kText), example), parts.sampled(example));
      const AskedCounts counts = made->counts();
      EXPECT_EQ(counts.texts, 2u * 20'100);
      EXPECT_EQ(counts.texts, counts.asked + counts.remembered);
    }
}

TEST(BlackBoxClassifier, StopsEarlyWhereItsPartsDo) {
  BlackBoxOptions options = sampling("universal:p=0.5", 20'000);
  options.certifier.stop.automatic = true;
  const Certification answer = OfRule(options, has_good)->certify(split(kText), 3);
  expect_same(answer, ByHand(options, has_good, kText).sampled(3));
  EXPECT_LT(answer.samples, 20'100u);
}

TEST(BlackBoxClassifier, CountsTheOutcomesOfAFiniteNoise) {
  BlackBoxOptions options;
  options.noise = "hash:buckets=3,functions=5";
  const OfRule made(options, has_good);
  EXPECT_FALSE(made->description().samples);
  const ByHand parts(options, has_good, kText);
  Votes votes(2);
  Words copy;
  for (uint64_t k = 0; k < 15; ++k) {
    parts.noise->outcome(parts.text(), k, copy);
    if (!copy.empty()) ++votes[parts.answer(copy)];
  }
  expect_same(made->certify(split(kText), 3),
              certify_exactly(votes, 15, parts.text(), parts.sound.get()));
}

TEST(BlackBoxClassifier, RunsTheWholeLawOfAShortText) {
  BlackBoxOptions options;
  options.noise = "delete:p=0.5";
  options.certifier.estimation_samples = 32;
  const ByHand parts(options, has_good, "a good film a good");
  Votes votes(2);
  std::vector<double> shares(2);
  for (const auto& [copy, probability] : parts.noise->law(parts.text())) {
    ++votes[parts.answer(copy)];
    shares[parts.answer(copy)] += probability;
  }
  const OfRule made(options, has_good);
  expect_same(made->certify(split("a good film a good"), 0),
              certify_shares(votes, shares, parts.text(), parts.sound.get(), parts.paper.get()));
  EXPECT_EQ(made->counts().asked, static_cast<uint64_t>(votes[0] + votes[1]));
}

// What is remembered is no vote less, and what is kept no other vote.
TEST(BlackBoxClassifier, AnswersAreTheSameWithAnyMemory) {
  const TemporaryFolder work;
  const BlackBoxOptions options = sampling("universal:p=0.9", 5000);
  const Certification expected = ByHand(options, is_odd, kText).sampled(2);
  AskedOptions forgetful, keeping;
  forgetful.memory = 1;
  keeping.folder = work.path();
  for (const AskedOptions& asked : {AskedOptions(), forgetful, keeping, keeping}) {
    const OfRule made(options, is_odd, asked);
    expect_same(made->certify(split(kText), 2), expected);
    expect_same(made->certify(split(kText), 2), expected);
    EXPECT_EQ(made->counts().texts, 2u * 5100);
  }
  const OfRule again(options, is_odd, keeping);
  again->certify(split(kText), 2);
  EXPECT_EQ(again->counts().asked, 0u);
  EXPECT_GT(again->counts().kept, 50u);
}

TEST(BlackBoxClassifier, ATextCountsByItsWords) {
  const OfRule made(sampling("delete:p=0.0001", 100), has_good);
  EXPECT_THAT(made->words("A GOOD film, isn't it?<br />"),
              ElementsAre("a", "good", "film", ",", "is", "not", "it", "?"));
  made->certify(made->words("A GOOD film, isn't it?<br />"), 0);
  EXPECT_THAT(made.box->texts(), Contains("a good film , is not it ?"));
}

TEST(BlackBoxClassifier, ATextWithoutWordsIsAskedForAndAnswered) {
  const OfRule made(sampling("universal:p=0.9"),
                    [](const std::string& text) { return text.empty(); });
  const Certification answer = made->certify({}, 0);
  EXPECT_EQ(answer.prediction, 1);
  EXPECT_TRUE(answer.exact);
  EXPECT_EQ(answer.sound.radius(Operation::kInsertion), 6);
  EXPECT_EQ(made.box->texts()[0], "");
}

TEST(BlackBoxClassifier, EveryAnswerAfterOneThatChangedHasAWarning) {
  bool steady = true;
  int asked = 0;
  const OfRule made(sampling("delete:p=0.5", 200),
                    [&](const std::string& text) { return steady ? has_good(text) : ++asked % 2; },
                    {.repeat_one_of = 1});
  EXPECT_THAT(made->certify({"a", "good", "film"}, 0).warnings,
              Not(Contains(Warning::kTwoAnswers)));
  steady = false;
  EXPECT_THAT(made->certify({"so", "bad", "a", "film"}, 1).warnings,
              Contains(Warning::kTwoAnswers));
  steady = true;  // what was met is remembered
  EXPECT_THAT(made->certify({"a", "good", "film"}, 2).warnings, Contains(Warning::kTwoAnswers));
}

TEST(BlackBoxClassifier, CoversWhatItsCertificateDoes) {
  const OfRule made(sampling("universal:p=0.9", 3000), [](const auto&) { return 1; });
  const auto words = split("good zork film mork story");
  const Certification answer = made->certify(words, 0);
  ASSERT_TRUE(answer.sound.certified);
  EXPECT_TRUE(made->covers(words, answer, split("mork story zork film good")).covered);
  EXPECT_TRUE(made->covers(words, answer, split("good bork film mork story")).covered);
  EXPECT_FALSE(made->covers(words, answer, split("a b c d e f g h i j k l m n")).covered);
  EXPECT_FALSE(
      OfRule(sampling("reorder:groups=3"), has_good)->covers(words, answer, words).covered);
}

TEST(BlackBoxClassifier, ExplainsByTheWordsItNeeds) {
  const OfRule made(sampling("delete:p=0.3"), has_good);
  const auto words = split("a good film of the town and of the sea");
  const Explanation explanation = made->explain(words, 1, 0);
  ASSERT_FALSE(explanation.words.empty());
  EXPECT_EQ(explanation.words[0].word, "good");
}

// Against brute force.

using Exact = std::vector<std::string>;
using ShareOf = std::function<double(const Exact&)>;

// The share of the copies, each with its probability, that a rule calls "yes": computed without
// the library. Every subset is kept with (1 - p)^k p^(m - k); under `shuffled` in every order.
double share_of_subsets(const Exact& text, double p, bool shuffled, const RuleBox::Rule& rule) {
  double share = 0;
  for (unsigned kept = 0; kept < 1u << text.size(); ++kept) {
    Exact copy;
    double mass = 1;
    for (size_t i = 0; i < text.size(); ++i) {
      mass *= kept >> i & 1 ? 1 - p : p;
      if (kept >> i & 1) copy.push_back(text[i]);
    }
    std::vector<size_t> order(copy.size());
    std::iota(order.begin(), order.end(), size_t{0});
    double orders = 0, yes = 0;
    do {
      std::string spelled;
      for (const size_t i : order) spelled += (spelled.empty() ? "" : " ") + copy[i];
      yes += rule(spelled);
      ++orders;
    } while (shuffled && std::next_permutation(order.begin(), order.end()));
    share += mass * yes / orders;
  }
  return share;
}

// Deletions, insertions and substitutions that lead from one text to another (Levenshtein), and
// whether insertions or deletions alone do.
int edits_between(const Exact& a, const Exact& b, bool insert, bool remove, bool replace) {
  constexpr int kNever = 1000;
  std::vector<std::vector<int>> steps(a.size() + 1, std::vector<int>(b.size() + 1, kNever));
  for (size_t i = 0; i <= a.size(); ++i)
    for (size_t j = 0; j <= b.size(); ++j) {
      int& best = steps[i][j];
      if (i == 0 && j == 0) best = 0;
      if (i > 0 && remove) best = std::min(best, steps[i - 1][j] + 1);
      if (j > 0 && insert) best = std::min(best, steps[i][j - 1] + 1);
      if (i > 0 && j > 0 && (replace || a[i - 1] == b[j - 1]))
        best = std::min(best, steps[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
    }
  return steps[a.size()][b.size()];
}

bool is_within(const CertifiedSet& set, const Exact& text, const Exact& edited) {
  const auto within = [&](Operation operation, int distance) {
    return distance < 1000 && set.find(operation) != nullptr && distance <= set.radius(operation);
  };
  Exact sorted = text, other = edited;
  std::sort(sorted.begin(), sorted.end());
  std::sort(other.begin(), other.end());
  const bool any_order = set.radius(Operation::kReordering) == kUnlimited && sorted == other;
  return set.certified &&
         (any_order || within(Operation::kEdit, edits_between(text, edited, true, true, true)) ||
          within(Operation::kInsertion, edits_between(text, edited, true, false, false)) ||
          within(Operation::kDeletion, edits_between(text, edited, false, true, false)) ||
          within(Operation::kSubstitution, edits_between(text, edited, false, false, true)));
}

// All texts of at most so many of the words.
std::vector<Exact> texts_of(const Exact& words, size_t longest) {
  std::vector<Exact> texts = {{}};
  for (size_t i = 0; i < texts.size(); ++i)
    if (texts[i].size() < longest)
      for (const std::string& word : words) {
        texts.push_back(texts[i]);
        texts.back().push_back(word);
      }
  return texts;
}

struct Findings {
  int certified = 0;  // texts
  int covered = 0;    // edited texts, other than the text itself
};

// Whatever is certified of any text, brute force finds the same class for each edited one.
Findings compare(const BlackBoxOptions& options, const RuleBox::Rule& rule, const ShareOf& share) {
  Findings findings;
  const std::vector<Exact> all = texts_of({"good", "bad", "zz"}, 4);
  std::vector<double> yes;
  for (const Exact& text : all) yes.push_back(share(text));
  const OfRule made(options, rule);
  for (size_t i = 0; i < all.size(); i += 3) {
    const Certification answer = made->certify(all[i], static_cast<uint32_t>(i));
    if (!answer.sound.certified) continue;
    ++findings.certified;
    for (size_t j = 0; j < all.size(); ++j) {
      const bool promised = is_within(answer.sound, all[i], all[j]);
      if (!promised && !made->covers(all[i], answer, all[j]).covered) continue;
      findings.covered += i != j;
      const double for_it = answer.prediction == 1 ? yes[j] : 1 - yes[j];
      EXPECT_GT(for_it, 0.5) << options.noise << " " << i << " " << j;
    }
  }
  return findings;
}

const std::vector<std::pair<const char*, RuleBox::Rule>> kRules = {
    {"good", has_good},
    {"long", [](const std::string& text) { return text.size() > 6; }},
    {"first", [](const std::string& text) { return text.starts_with("good"); }},
    {"no zz", [](const std::string& text) { return text.find("zz") == text.npos; }}};

TEST(BlackBoxBruteForce, FindsNoEditThatBreaksACountedCertificate) {
  for (const auto& [name, rule] : kRules)
    for (const double p : {0.3, 0.5, 0.9})
      for (const bool shuffled : {false, true}) {
        BlackBoxOptions options;
        options.noise = (shuffled ? "universal:p=" : "delete:p=") + std::to_string(p);
        SCOPED_TRACE(options.noise + " " + name);
        const Findings findings = compare(options, rule, [&, &the_rule = rule](const Exact& text) {
          return share_of_subsets(text, p, shuffled, the_rule);
        });
        EXPECT_GT(findings.certified, 10);
        if (p == 0.9) EXPECT_GT(findings.covered, 50);
      }
}

TEST(BlackBoxBruteForce, FindsNoOrderThatBreaksACertificate) {
  for (const auto& [name, rule] : kRules) {
    BlackBoxOptions options;
    options.noise = "reorder:full";
    SCOPED_TRACE(name);
    const Findings findings = compare(options, rule, [&, &the_rule = rule](const Exact& text) {
      return share_of_subsets(text, 0, true, the_rule);
    });
    EXPECT_GT(findings.certified, 10);
    EXPECT_GT(findings.covered, 50);
  }
}

TEST(BlackBoxBruteForce, FindsNoEditThatBreaksASampledCertificate) {
  for (const auto& [name, rule] : kRules)
    for (const bool shuffled : {false, true}) {
      const BlackBoxOptions options = sampling(shuffled ? "universal:p=0.9" : "delete:p=0.9", 1000);
      SCOPED_TRACE(options.noise + " " + name);
      const Findings findings = compare(options, rule, [&, &the_rule = rule](const Exact& text) {
        return share_of_subsets(text, 0.9, shuffled, the_rule);
      });
      EXPECT_GT(findings.covered, 50);
    }
}

// What is refused, and what is said of it.

TEST(BlackBoxClassifier, NoiseThatIsNotOnWordsIsRefused) {
  const auto refused = [](const BlackBoxOptions& options) {
    return error_of([&] { OfRule(options, has_good); });
  };
  EXPECT_THAT(refused(sampling("")), HasSubstr("expected one"));
  EXPECT_THAT(refused(sampling("none")), HasSubstr("certifies nothing"));
  for (const char* spec : {"insert:sigma=0.3", "gaussian:sigma=1"})
    EXPECT_THAT(refused(sampling(spec)), HasSubstr("black box reads texts"));
  EXPECT_THAT(refused(sampling("delete:p=2")), HasSubstr("p"));
  EXPECT_THAT(refused(sampling("substitute:kernel=graph")), HasSubstr("synonym table"));
  EXPECT_THAT(refused(sampling("hash:buckets=2000,functions=1000000")), HasSubstr("outcomes"));
  BlackBoxOptions options = sampling("mask:p=0.5");
  options.mask = "";
  EXPECT_THAT(refused(options), HasSubstr("mask"));
  options.mask = "\xff";
  EXPECT_THAT(refused(options), HasSubstr("mask"));
  options.mask = "_";
  options.vocabulary = Vocabulary({"a"});
  EXPECT_THROW(OfRule(options, has_good), std::logic_error);
  EXPECT_NE(refused(sampling("delete:p=0.5", 0)), "");
}

TEST(BlackBoxClassifier, SaysWhatItIs) {
  const OfRule made(sampling("mask:p=0.50"), has_good);
  const Description& description = made->description();
  EXPECT_EQ(description.noise, "mask:p=0.5");
  EXPECT_EQ(description.engine, "program");
  EXPECT_EQ(description.seed(), 1u);
  std::vector<std::string> names;
  for (const Setting& setting : description.settings) names.push_back(setting.name);
  EXPECT_THAT(names, ElementsAre("classifier_command", "classes", "classifier_fingerprint", "mask",
                                 "exact", "candidates", "seed"));
  EXPECT_THAT(description.caveats, Contains(HasSubstr("depends on the text alone")));
  EXPECT_EQ(made->classes(), (std::vector<std::string>{"no", "yes"}));
}

TEST(BlackBoxClassifier, ErrorsOfTheBoxComeThrough) {
  const OfRule made(sampling("delete:p=0.5"),
                    [](const std::string&) -> int { throw bad_input("no answer"); });
  EXPECT_EQ(error_of([&] { made->certify(split(kText), 0); }), "no answer");
}

TEST(BlackBoxClassifier, AnInterruptionComesThrough) {
  std::atomic<bool> stop = false;
  const OfRule made(sampling("delete:p=0.5"), [&](const std::string&) {
    stop = true;
    return 0;
  });
  EXPECT_THAT(error_of([&] { made->certify(split(kText), 0, StopToken(stop)); }),
              HasSubstr("interrupted"));
}

}  // namespace
}  // namespace textcrs
