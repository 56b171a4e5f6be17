#include "textcrs/report/answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/fake_classifier.h"

namespace textcrs {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Answers, InWords) {
  FakeClassifier classifier;
  const auto said = [&](const Certification& c, size_t words = 3) {
    return answer_in_words(classifier, words, c);
  };
  Certification c = classifier.certify({"good", "warm", "film"}, 0, {});
  EXPECT_EQ(said(c), "pos; certified for up to 2 deleted words, at 99.9 % confidence");
  classifier.description_of().certifier.alpha = 0.05;
  EXPECT_EQ(said(c), "pos; certified for up to 2 deleted words, at 95 % confidence");
  c.exact = true;
  EXPECT_EQ(said(c), "pos; certified for up to 2 deleted words, proved without sampling");
  c.single_edits = {40, 31, 50, 7, 5, 0};
  EXPECT_EQ(said(c), "pos; certified for up to 2 deleted words, proved without sampling; " +
                         c.single_edits->in_words());
  c.single_edits.reset();
  c.abstained = true;
  EXPECT_EQ(said(c), "no answer: the votes are tied");
  c.exact = false;
  EXPECT_EQ(said(c), "no answer: the votes are too close to call at 95 % confidence");
  EXPECT_EQ(said(classifier.certify({}, 0, {}), 0), "no answer: the text has no words");
}

TEST(Answers, JsonCarriesTheCaveats) {
  FakeClassifier classifier;
  const Certification c = classifier.certify({"good", "film"}, 0, {});
  EXPECT_THAT(answer_to_json(classifier, 2, c), Not(HasSubstr("caveats")));
  classifier.description_of().caveats = {"rounds in float32"};
  EXPECT_THAT(answer_to_json(classifier, 2, c), HasSubstr(R"("caveats":["rounds in float32"])"));
}

TEST(Answers, TheConfidenceIsRoundedDown) {
  FakeClassifier classifier;
  Certification c = classifier.certify({"good", "film"}, 0, {});
  classifier.description_of().certifier.alpha = 1e-9;
  EXPECT_EQ(answer_in_words(classifier, 2, c),
            "pos; certified for up to 1 deleted word, at 99.9999999 % confidence");
  c.abstained = true;
  EXPECT_EQ(answer_in_words(classifier, 2, c),
            "no answer: the votes are too close to call at 99.9999999 % confidence");
}

TEST(Answers, WithoutAnEditToOffer) {
  FakeClassifier classifier;
  Certification c = classifier.certify({"good"}, 0, {});  // up to 0 deleted words
  EXPECT_EQ(answer_in_words(classifier, 1, c),
            "pos; certified for the text as it is, but for no edit, at 99.9 % confidence");
  c.sound = {};  // the noise has the paper's formula only
  EXPECT_EQ(answer_in_words(classifier, 1, c),
            "pos, at 99.9 % confidence; no edit is certified: the noise has no proved certificate");
  c.exact = true;
  EXPECT_EQ(answer_in_words(classifier, 1, c),
            "pos, proved without sampling; no edit is certified: the noise has no proved "
            "certificate");
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

TEST(Answers, AsJson) {
  FakeClassifier classifier;
  Certification c = classifier.certify({"good", "film"}, 0, {});
  EXPECT_EQ(
      answer_to_json(classifier, 2, c),
      R"({"prediction":"pos","abstained":false,"words":2,"counts":[0,90],"pa":0.9,"pb":0.1,)"
      R"("exact":false,"alpha":0.001,"noise":"universal:p=0.9",)"
      R"("sound":{"certified":true,"deletion":1},"samples":100,"paper":{"certified":false,"proved":false},)"
      R"("in_words":"pos; certified for up to 1 deleted word, at 99.9 % confidence"})");
  classifier.description_of().certifier.stop.automatic = true;
  c.single_edits = SingleEdits();
  EXPECT_THAT(answer_to_json(classifier, 2, c),
              HasSubstr(R"("paper":{"certified":false,"proved":false},"stop":"all_drawn",)"
                        R"("single_edits":{"insertions":0,)"));
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
