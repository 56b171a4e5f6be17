#include "textcrs/report/answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "report/fake_classifier.h"
#include "textcrs/certify/deterministic.h"
#include "textcrs/report/warnings.h"

namespace textcrs {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

TEST(Answers, InWords) {
  FakeClassifier classifier;
  const auto said = [&](const Certification& c, size_t words = 3) {
    return answer_in_words(classifier, words, c);
  };
  Certification c = classifier.certify({"good", "warm", "film"}, 0, {});
  EXPECT_EQ(
      said(c),
      "pos (all votes), and stays so with up to 2 of its 3 words deleted; certified at 99.9 % "
      "confidence");
  c.counts = {1, 89};
  EXPECT_EQ(said(c),
            "pos (98.8 % of the votes), and stays so with up to 2 of its 3 words deleted; "
            "certified at 99.9 % confidence");
  classifier.description_of().certifier.alpha = 0.05;
  EXPECT_THAT(said(c), testing::EndsWith("; certified at 95 % confidence"));
  c.exact = true;  // outcomes have different weights: pA is their share
  EXPECT_EQ(said(c),
            "pos (90 % of the votes), and stays so with up to 2 of its 3 words deleted; proved "
            "without sampling");
  classifier.description_of().samples = false;  // or all the same
  EXPECT_THAT(said(c), testing::StartsWith("pos (98.8 % of the votes), and"));
  c.single_edits = {40, 31, 50, 7, 5, 0};
  EXPECT_THAT(said(c), testing::EndsWith("; proved without sampling; that covers, " +
                                         c.single_edits->in_words()));
  EXPECT_EQ(said(classifier.certify({}, 0, {}), 0), "no answer: the text has no words");
}

class OddlyNamed : public FakeClassifier {
 public:
  const std::vector<std::string>& classes() const override { return classes_; }

 private:
  std::vector<std::string> classes_ = {"x\ny", "\x1b[31m" + std::string(5000, 'z')};
};

TEST(Answers, NameClassesInOneLine) {
  const OddlyNamed classifier;
  const std::string red = "\\x1b[31m" + std::string(30, 'z') + "..";
  const Certification bad = classifier.certify({"bad", "film"}, 0, {});
  Certification good = classifier.certify({"good", "film"}, 0, {});
  EXPECT_THAT(answer_in_words(classifier, 2, bad), testing::StartsWith("x\\x0ay (all votes), and"));
  EXPECT_THAT(answer_in_words(classifier, 2, good), testing::StartsWith(red + " (all votes), and"));
  EXPECT_EQ(explanation_in_words(classifier, good,
                                 {.share = 1, .copies = 100, .drawn = true, .words = {}}),
            "  measured, not proved: 100.0 % of the votes are for " + red +
                ", and no word's removal changes that");
  EXPECT_THAT(answer_to_json(classifier, 2, bad), HasSubstr(R"("prediction":"x\ny")"));
  good.abstained = true;
  good.counts = {45, 45};
  EXPECT_THAT(answer_in_words(classifier, 2, good),
              testing::StartsWith("no answer: x\\x0ay (50 % of the votes) and " + red + " (50 %)"));
}

TEST(Answers, CarryTheCaveats) {
  FakeClassifier classifier;
  const Certification c = classifier.certify({"good", "film"}, 0, {});
  EXPECT_THAT(answer_to_json(classifier, 2, c), Not(HasSubstr("caveats")));
  classifier.description_of().caveats = {"rounds in float32"};
  EXPECT_THAT(answer_to_json(classifier, 2, c), HasSubstr(R"("caveats":["rounds in float32"])"));
  EXPECT_THAT(answer_in_words(classifier, 2, c), EndsWith("; note: rounds in float32"));
  classifier.description_of().caveats_of_samples = {"depends on the batch"};
  EXPECT_THAT(answer_in_words(classifier, 2, c), EndsWith("; note: depends on the batch"));
  Certification counted = c;  // nothing was sampled
  counted.exact = true;
  EXPECT_THAT(answer_in_words(classifier, 2, counted), EndsWith("; note: rounds in float32"));
  EXPECT_THAT(answer_to_json(classifier, 2, counted), Not(HasSubstr("batch")));
}

TEST(Answers, TheConfidenceAndTheVotesAreRoundedDown) {
  FakeClassifier classifier;
  Certification c = classifier.certify({"good", "film"}, 0, {});
  classifier.description_of().certifier.alpha = 1e-9;
  c.counts = {1, 99999};
  EXPECT_EQ(
      answer_in_words(classifier, 2, c),
      "pos (99.9 % of the votes), and stays so with any one of its 2 words deleted; certified "
      "at 99.9999999 % confidence");
}

// What the probabilities of a law may be off is taken from the bound, not from the share.
TEST(Answers, TheShareOfALawKeepsItsDigits) {
  FakeClassifier classifier;
  Certification c = classifier.certify({"good", "film"}, 0, {});
  c.exact = true;
  c.counts = {3, 5};
  const auto said = [&](double share) {
    c.bounds = {share - kShareError, 1 - share + kShareError};
    return answer_in_words(classifier, 2, c);
  };
  EXPECT_THAT(said(0.625), testing::StartsWith("pos (62.5 % of the votes), "));
  EXPECT_THAT(said(std::nextafter(0.625, 0)), testing::StartsWith("pos (62.5 % of the votes), "));
  EXPECT_THAT(said(0.62499), testing::StartsWith("pos (62.4 % of the votes), "));
  EXPECT_THAT(said(1 - 1e-12), testing::StartsWith("pos (99.9 % of the votes), "));
}

TEST(Answers, WithoutAnEditToOffer) {
  FakeClassifier classifier;
  Certification c = classifier.certify({"good"}, 0, {});  // up to 0 deleted words
  EXPECT_EQ(answer_in_words(classifier, 1, c),
            "pos (all votes), certified at 99.9 % confidence for the text as it is; no number of "
            "edits is certified");
  c.exact = true;
  EXPECT_EQ(answer_in_words(classifier, 1, c),
            "pos (all votes), proved without sampling for the text as it is; no number of edits is "
            "certified");
  c.sound.guarantees = {{Operation::kSubstitution, kUnitWords, 1}};
  c.sound.candidates = "WordNet synsets";
  EXPECT_EQ(answer_in_words(classifier, 1, c),
            "pos (all votes), proved without sampling for the text as it is: no word of it has "
            "candidates (the model's, from WordNet synsets)");
  EXPECT_THAT(answer_to_json(classifier, 1, c),
              HasSubstr(R"("candidates":"WordNet synsets","replaceable":0})"));
  c.sound = {};  // the noise has the paper's formula only
  c.exact = false;
  EXPECT_EQ(answer_in_words(classifier, 1, c),
            "pos (all votes), certified at 99.9 % confidence; no edit is certified: noise "
            "universal:p=0.9 has no proved certificate");
}

TEST(Answers, NoneIsExplained) {
  FakeClassifier classifier;
  Certification c = classifier.certify({"good", "film"}, 0, {});
  c.abstained = true;
  c.sound = {};
  const auto why = [&](Votes votes) {
    c.counts = std::move(votes);
    return answer_in_words(classifier, 2, c);
  };
  EXPECT_EQ(why({468, 532}),
            "no answer: pos (53.2 % of the votes) and neg (46.8 %) are too close to call at 99.9 % "
            "confidence; about 5000 noisy copies instead of 1000 may decide");
  EXPECT_EQ(why({500, 500}),
            "no answer: neg (50 % of the votes) and pos (50 %) are too close to call at 99.9 % "
            "confidence; more noisy copies would hardly help");
  // The N0 copies chose the class that the N others do not.
  EXPECT_EQ(why({600, 400}),
            "no answer: the first 10 noisy copies chose pos, but neg has 60 % of the other votes; "
            "more copies for the choice may decide");
  classifier.description_of().certifier.stop.at_radius = 1;
  c.stop = StopReason::kUnlikely;
  EXPECT_EQ(why({468, 532}),
            "no answer: pos (53.2 % of the votes) and neg (46.8 %) are too close to call at 99.9 % "
            "confidence; the drawing was stopped early: not certified, and by the votes so far too "
            "unlikely to be");
  c.exact = true;
  EXPECT_EQ(why({9, 9}),
            "no answer: the votes are tied; all noisy copies were counted, so nothing would help");
}

TEST(Answers, AdviseAsManyCopiesAsDecide) {
  FakeClassifier classifier;
  Certification c = classifier.certify({"good", "film"}, 0, {});
  c.abstained = true;
  const CertifierOptions& options = classifier.description().certifier;
  const auto decided = [&](int64_t copies) {
    const Votes votes = {copies * 468 / 1000, copies * 532 / 1000};
    const Bounds bounds = class_bounds(votes, 1, copies, options.alpha, options.bounds);
    return bounds.pa > bounds.pb;
  };
  EXPECT_FALSE(decided(2000));
  EXPECT_TRUE(decided(5000));
}

TEST(Answers, SayWhatMakesThemDoubtful) {
  FakeClassifier classifier;
  Certification c = classifier.certify({"good", "film"}, 0, {});
  const std::string plain = answer_in_words(classifier, 2, c);
  c.warnings = {Warning::kBlankDecides, Warning::kMostlyUnknown};
  classifier.description_of().trained_noise = "delete:p=0.3";
  const std::vector<std::string> expected = {
      "noisy copies that keep no word of the text are enough to decide: the answer may be the "
      "model's to a blank text",
      "most words of the text are unknown to the model",
      "noise universal:p=0.9 is not the one the model was trained with, delete:p=0.3"};
  EXPECT_EQ(all_warnings(classifier, c), expected);
  EXPECT_EQ(answer_in_words(classifier, 2, c), plain + "; warning: " + expected[0] + "; warning: " +
                                                   expected[1] + "; warning: " + expected[2]);
  EXPECT_THAT(answer_to_json(classifier, 2, c),
              HasSubstr(R"("warnings":[")" + expected[0] + R"(",")" + expected[1] + R"(",")" +
                        expected[2] + R"("],"in_words":)"));
}

TEST(Answers, AreExplained) {
  FakeClassifier classifier;
  const Certification c = classifier.certify({"good", "film"}, 0, {});
  Explanation explanation{.share = 0.983,
                          .copies = 1000,
                          .drawn = true,
                          .words = {{"good", {0, 4}, -0.25}, {"not", {2}, 0.01}}};
  EXPECT_EQ(explanation_in_words(classifier, c, explanation),
            "  measured, not proved: 98.3 % of the votes are for pos; without the word\n"
            "      73.3 %  good\n"
            "      99.3 %  not");
  EXPECT_THAT(answer_to_json(classifier, 2, c, &explanation),
              HasSubstr(R"("explanation":{"proved":false,"copies":1000,"share":0.983,"words":[)"
                        R"({"word":"good","positions":[0,4],"change":-0.25},)"
                        R"({"word":"not","positions":[2],"change":0.01}]},"in_words":)"));
  Certification counted = c;  // the answer was not drawn, but the explanation was
  counted.exact = true;
  EXPECT_THAT(answer_to_json(classifier, 2, counted, &explanation), HasSubstr(R"("seed":1,)"));
  explanation.words.clear();
  EXPECT_EQ(
      explanation_in_words(classifier, c, explanation),
      "  measured, not proved: 98.3 % of the votes are for pos, and no word's removal changes "
      "that");
  EXPECT_THAT(
      answer_to_json(classifier, 2, c, &explanation),
      HasSubstr(R"("explanation":{"proved":false,"copies":1000,"share":0.983,"words":[]},)"));
}

TEST(Answers, AreExplainedByCounts) {
  FakeClassifier classifier;
  Certification c = classifier.certify({"good", "film"}, 0, {});
  c.exact = true;
  const Explanation explanation{.share = 0.625,
                                .words = {{"good", {0}, -0.125}, {"film", {1}, -0.625}}};
  EXPECT_EQ(explanation_in_words(classifier, c, explanation),
            "  counted: 62.5 % of the votes are for pos; without the word\n"
            "        50 %  good\n"
            "         0 %  film");
  const std::string json = answer_to_json(classifier, 2, c, &explanation);
  EXPECT_THAT(json, HasSubstr(R"("explanation":{"counted":true,"share":0.625,"words":[)"
                              R"({"word":"good","positions":[0],"change":-0.125},)"));
  EXPECT_THAT(json, Not(HasSubstr("seed")));
}

TEST(Answers, ShowTheEditsThatAreJustTooMany) {
  FakeClassifier classifier;
  Certification c = classifier.certify({"good", "film"}, 0, {});
  const auto said = [&](const Witness& witness) {
    c.witness = witness;
    const std::string sentence = answer_in_words(classifier, 2, c);
    EXPECT_EQ(sentence.find('\n'), std::string::npos);
    return sentence;
  };
  EXPECT_THAT(said({"neg", {{0, "good"}}, {"bad"}}),
              EndsWith("; this edit makes it neg: 'good' -> 'bad'"));
  EXPECT_THAT(said({"neg", {{0, "good"}}, {"bad", "bad"}}),
              EndsWith("; these 2 edits make it neg: 'good' -> 'bad', insert 'bad'"));
  EXPECT_THAT(said({"neg", {{0, "good"}, {1, "film"}}, {}}),
              EndsWith("; these 2 edits make it neg: delete 'good', delete 'film'"));
  EXPECT_THAT(said({"neg", {}, {"zzz"}}), EndsWith("; this edit makes it neg: insert 'zzz'"));
  EXPECT_THAT(said({"x\ny", {{0, "\x1b[31m"}}, {"a\nb"}}),
              EndsWith("; this edit makes it x\\x0ay: '\\x1b[31m' -> 'a\\x0ab'"));
  EXPECT_THAT(answer_to_json(classifier, 2, c),
              HasSubstr(R"("witness":{"prediction":"x\ny","lost":[[0,"\u001b[31m"]],"gained":)"));
}

// Scores may be below 0, so that no share can be told.
TEST(Answers, SumsOfVotesBelowZeroHaveNoShare) {
  FakeClassifier classifier;
  Certification c = classifier.certify({"good", "film"}, 0, {});
  c.counts = {-7, 4};
  EXPECT_THAT(answer_in_words(classifier, 2, c), testing::StartsWith("pos (the most votes), and"));
}

TEST(Answers, WithoutNoiseNothingIsCertified) {
  FakeClassifier classifier;
  classifier.description_of().noise = "none";
  Certification c = classifier.certify({"good", "film"}, 0, {});
  c.sound = {};
  c.exact = true;
  EXPECT_EQ(answer_in_words(classifier, 2, c),
            "pos; nothing is certified: the model was trained without noise");
}

// Of a cascade.
TEST(Answers, SayWhoAnswered) {
  FakeClassifier classifier;
  Description& description = classifier.description_of();
  description.noise = "votes";
  description.fallback = "fedcba9876543210";
  description.samples = false;
  Certification c = classifier.certify({"good", "film"}, 0, {});
  c.exact = true;
  c.sound.guarantees = {{Operation::kEdit, kUnitWords, 1}};
  EXPECT_EQ(answer_in_words(classifier, 2, c),
            "pos (all votes), and stays so with any one edit; proved without sampling; more edits "
            "may leave it to the fallback");
  EXPECT_THAT(answer_to_json(classifier, 2, c), Not(HasSubstr("not_certified")));
  c.sound.guarantees[0].radius = kUnlimited;
  EXPECT_THAT(answer_in_words(classifier, 2, c), EndsWith("proved without sampling"));
  c.by_fallback = true;
  c.sound = {};
  const std::string said =
      "pos; the votes were not clear: answered by the fallback, nothing is certified";
  EXPECT_EQ(answer_in_words(classifier, 2, c), said);
  EXPECT_THAT(answer_to_json(classifier, 2, c),
              testing::AllOf(HasSubstr(R"("sound":{"certified":false},)"),
                             HasSubstr(R"("not_certified":"the votes were not clear: answered by )"
                                       R"(the fallback, nothing is certified")"),
                             HasSubstr(R"("in_words":")" + said)));
}

TEST(Answers, AsJson) {
  FakeClassifier classifier;
  Certification c = classifier.certify({"good", "film"}, 0, {});
  EXPECT_EQ(
      answer_to_json(classifier, 2, c),
      R"({"prediction":"pos","abstained":false,"words":2,"counts":[0,90],"pa":0.9,"pb":0.1,)"
      R"("exact":false,"alpha":0.001,"noise":"universal:p=0.9",)"
      R"("sound":{"certified":true,"deletion":1},"samples":100,"paper":{"certified":false,"proved":false},)"
      R"("seed":1,"in_words":"pos (all votes), and stays so with any one of its 2 words deleted; )"
      R"(certified at 99.9 % confidence"})");
  classifier.description_of().certifier.stop.automatic = true;
  c.single_edits = SingleEdits();
  EXPECT_THAT(answer_to_json(classifier, 2, c),
              HasSubstr(R"("paper":{"certified":false,"proved":false},"stop":"all_drawn",)"
                        R"("single_edits":{"insertions":0,)"));
  c.exact = true;
  EXPECT_THAT(answer_to_json(classifier, 2, c), testing::Not(HasSubstr("seed")));
  EXPECT_THAT(answer_to_json(classifier, 0, classifier.certify({}, 0, {})),
              testing::StartsWith(R"({"prediction":null,"abstained":true,"words":0,)"));
}

// docs/certificates.md, B2: t = .02, .02 .9^-2 + .9^-1 < 2.
TEST(Answers, OfACertificate) {
  const auto certificate = make_certificate("universal:p=0.9", CertificateMode::kSound, {});
  const std::vector<WordId> text = {3, 4, 5}, edited = {5, 3, 6};
  const Bounds bounds = {0.99, 0.01};
  const CertifiedSet set = certificate->certify(bounds, text);
  const std::string json =
      certificate_to_json(*certificate, bounds, 3, set, std::nullopt, {"p holds", "q holds"});
  EXPECT_THAT(json, testing::StartsWith(
                        R"({"noise":"universal:p=0.9","certificate":"sound","pa":0.99,"pb":0.01,)"
                        R"("words":3,"certified":true,"operation":"edit","radius":6,)"
                        R"("guarantees":[{"operation":)"));
  EXPECT_THAT(json, HasSubstr(R"({"operation":"reordering","radius":"unlimited","unit":)"));
  EXPECT_THAT(json, HasSubstr(R"("edit_distance":6,"frontier":[[)"));
  EXPECT_THAT(json, testing::EndsWith("\"in_words\":\"" + set.in_words() +
                                      "\",\"assumes\":[\"p holds\",\"q holds\"]}"));
  const Coverage coverage = certificate->covers(bounds, text, edited);
  EXPECT_THAT(
      coverage_to_json(*certificate, bounds, set, coverage, {}),
      testing::StartsWith(R"({"noise":"universal:p=0.9","certificate":"sound","operation":"edit",)"
                          R"("radius":6,"pa":0.99,"pb":0.01,"covered":true,"why":")"));
  EXPECT_THAT(json, testing::Not(HasSubstr("proved")));
  const Bounds tie = {0.5, 0.5};
  const CertifiedSet nothing = certificate->certify(tie, text);
  EXPECT_THAT(certificate_to_json(*certificate, tie, 3, nothing, SingleEdits(), {}),
              HasSubstr(R"("certified":false,)"));
  EXPECT_THAT(
      coverage_to_json(*certificate, tie, nothing, certificate->covers(tie, text, edited), {}),
      HasSubstr(R"("operation":"none","radius":0,"pa":0.5,"pb":0.5,"covered":false,)"));
}

TEST(Answers, OfATextThatTheClassifierCertified) {
  const FakeClassifier classifier;
  const Certification c = classifier.certify({"good", "film"}, 0, {});
  const Coverage coverage{true, Operation::kDeletion, "1 word lost"};
  const std::string json = coverage_to_json(classifier, 2, c, coverage);
  EXPECT_EQ(json, R"({"noise":"universal:p=0.9","certificate":"sound","operation":"deletion",)"
                  R"("radius":1,"pa":0.9,"pb":0.1,"covered":true,"why":"1 word lost","assumes":[],)"
                  R"("original":)" +
                      answer_to_json(classifier, 2, c) + "}");
}

TEST(Answers, OfThePapersFormulasAreMarked) {
  const auto paper = make_certificate("delete:p=0.3", CertificateMode::kPaper, {6});
  const std::vector<WordId> text = {3, 4, 5, 6, 7, 8}, edited = {3, 4, 5, 6, 7};
  for (const Bounds bounds : {Bounds{0.99, 0.01}, Bounds{0.5, 0.5}}) {
    const CertifiedSet set = paper->certify(bounds, text);
    EXPECT_THAT(certificate_to_json(*paper, bounds, 6, set, std::nullopt, {}),
                testing::ContainsRegex(R"("certified":(true|false),"proved":false,"operation":)"));
    EXPECT_THAT(coverage_to_json(*paper, bounds, set, paper->covers(bounds, text, edited), {}),
                testing::ContainsRegex(R"("covered":(true|false),"proved":false,"why":)"));
  }
}

}  // namespace
}  // namespace textcrs
