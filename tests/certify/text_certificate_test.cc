// The certificate of one text, asked many questions, from many threads.
#include "textcrs/certify/text_certificate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "certify/every_certificate.h"
#include "textcrs/base/error.h"
#include "textcrs/base/parallel.h"

namespace textcrs {
namespace {

const std::vector<std::string> kOwn = {"novel", "odd", "extraordinary"};

void expect_same(const CertifiedSet& a, const CertifiedSet& b) {
  EXPECT_EQ(a.certified, b.certified);
  ASSERT_EQ(a.guarantees.size(), b.guarantees.size());
  for (size_t i = 0; i < a.guarantees.size(); ++i) {
    EXPECT_EQ(a.guarantees[i].operation, b.guarantees[i].operation);
    EXPECT_EQ(a.guarantees[i].unit, b.guarantees[i].unit);
    EXPECT_EQ(a.guarantees[i].radius, b.guarantees[i].radius);
  }
  EXPECT_EQ(a.frontier, b.frontier);
  EXPECT_EQ(a.window, b.window);
  EXPECT_EQ(a.candidates, b.candidates);
  EXPECT_EQ(a.replaceable, b.replaceable);
}

void expect_same(const Coverage& a, const Coverage& b) {
  EXPECT_EQ(a.covered, b.covered);
  EXPECT_EQ(a.operation, b.operation);
  EXPECT_EQ(a.why, b.why);
}

TEST(TextCertificate, TheTestsKnowEveryRegisteredCertificate) {
  std::set<std::pair<std::string, CertificateMode>> tested, registered;
  for (const auto& [spec, mode] : EveryCertificate::all())
    tested.emplace(spec.substr(0, spec.find(':')), mode);
  for (const CertificateMode mode : {CertificateMode::kSound, CertificateMode::kPaper})
    for (const std::string& noise : certified_noises(mode)) registered.emplace(noise, mode);
  EXPECT_EQ(tested, registered);
}

class OneText : public ::testing::TestWithParam<std::pair<std::string, CertificateMode>> {
 protected:
  std::unique_ptr<Certificate> make() const {
    return every_.make(GetParam().first, GetParam().second);
  }

  EveryCertificate every_;
};

// Asked in any order and again, it says what a fresh certificate says of one question.
TEST_P(OneText, AnswersLikeACertificateThatIsAskedOnce) {
  const auto certificate = make();
  int covered = 0, not_covered = 0;
  for (uint32_t round = 0; round < 30; ++round) {
    SCOPED_TRACE(round);
    Stream stream(5, round, 0);
    const std::vector<WordId> ids = EveryCertificate::text(stream, 2);
    const Text text(ids, std::span(kOwn).first(2));
    const auto of_text = certificate->for_text(text);
    const std::vector<Bounds> bounds = {
        EveryCertificate::bounds(stream), EveryCertificate::bounds(stream), {0.5, 0.5}, {1, 0}};
    for (int question = 0; question < 12; ++question) {
      const Bounds asked = bounds[stream.below(static_cast<uint32_t>(bounds.size()))];
      expect_same(of_text->certify(asked), make()->certify(asked, text));
      const std::vector<WordId> edited_ids = EveryCertificate::edit(ids, stream, 3);
      const Text edited(edited_ids, kOwn);
      const Coverage coverage = of_text->covers(asked, edited);
      expect_same(coverage, make()->covers(asked, text, edited));
      ++(coverage.covered ? covered : not_covered);
    }
  }
  EXPECT_GT(covered, 20);
  EXPECT_GT(not_covered, 20);
}

TEST_P(OneText, AnswersManyThreads) {
  constexpr size_t kQuestions = 200, kThreads = 8;
  const auto certificate = make();
  Stream stream(7, 0, 0);
  const std::vector<WordId> ids = EveryCertificate::text(stream, 2);
  const Text text(ids, std::span(kOwn).first(2));
  std::vector<Bounds> bounds;
  std::vector<std::vector<WordId>> edited;
  for (size_t i = 0; i < kQuestions; ++i) {
    bounds.push_back(i % 3 == 0 && i > 0 ? bounds[i / 2] : EveryCertificate::bounds(stream));
    edited.push_back(EveryCertificate::edit(ids, stream, 3));
  }
  std::vector<CertifiedSet> sets(kQuestions);
  std::vector<Coverage> answers(kQuestions);
  const auto of_text = certificate->for_text(text);
  parallel_for(kQuestions, kThreads, [&](size_t i) {
    sets[i] = of_text->certify(bounds[i]);
    answers[i] = of_text->covers(bounds[i], Text(edited[i], kOwn));
    certificate->certify(bounds[i], text);  // and others ask the certificate itself
  });
  for (size_t i = 0; i < kQuestions; ++i) {
    SCOPED_TRACE(i);
    expect_same(sets[i], make()->certify(bounds[i], text));
    expect_same(answers[i], make()->covers(bounds[i], text, Text(edited[i], kOwn)));
  }
}

// A set lists the certificate's operations in their order; only the insertion noise leaves one out.
TEST_P(OneText, HasGuaranteesAboutTheCertificatesOperations) {
  const auto certificate = make();
  const std::vector<Operation> operations = certificate->operations();
  ASSERT_FALSE(operations.empty());
  for (uint32_t round = 0; round < 50; ++round) {
    Stream stream(11, round, 0);
    const std::vector<WordId> text = EveryCertificate::text(stream, 0);
    const CertifiedSet set = certificate->certify({0.9, 0.1}, text);
    std::vector<Operation> listed;
    for (const Guarantee& guarantee : set.guarantees) listed.push_back(guarantee.operation);
    std::vector<Operation> expected = operations;
    const bool cut =
        text.size() > EveryCertificate::kSlots &&
        GetParam() == std::pair(std::string("insert:sigma=0.8"), CertificateMode::kSound);
    if (cut) std::erase(expected, Operation::kReordering);
    EXPECT_EQ(listed, expected);
  }
}

// An empty text can only gain words. (Under the finite noises no such text has a margin.)
TEST_P(OneText, MayBeEmpty) {
  const auto certificate = make();
  const Bounds bounds{0.999, 0.001};
  const auto of_text = certificate->for_text(Text());
  const CertifiedSet set = of_text->certify(bounds);
  EXPECT_TRUE(set.certified);
  EXPECT_EQ(set.guarantees.size(), certificate->operations().size());
  EXPECT_TRUE(of_text->covers(bounds, Text()).covered);
  if (!certificate->reads_words()) expect_same(certificate->certify(bounds, 0), set);
  for (const Operation operation : {Operation::kDeletion, Operation::kSubstitution}) {
    const Guarantee* guarantee = set.find(operation);
    if (guarantee != nullptr && guarantee->unit == kUnitWords) {
      EXPECT_EQ(guarantee->radius, 0);
    }
  }
  if (!set.frontier.empty()) {
    EXPECT_EQ(set.radius(Operation::kEdit), set.radius(Operation::kInsertion));
    std::vector<WordId> gained;
    for (int words = 1; words <= 9; ++words) {
      gained.push_back(kFirstWord);
      const bool within = words <= set.radius(Operation::kInsertion);
      EXPECT_GE(of_text->covers(bounds, Text(gained)).covered, within) << words;
    }
  }
}

TEST_P(OneText, ChecksWhatItIsAsked) {
  const auto certificate = make();
  const std::vector<WordId> text = {3, 4, 5};
  const auto of_text = certificate->for_text(text);
  for (const Bounds bounds : {Bounds{0.4, 0.6}, {1.5, 0}, {0.5, -0.5}}) {
    EXPECT_THROW(of_text->certify(bounds), Error);
    EXPECT_THROW(of_text->covers(bounds, text), Error);
  }
  EXPECT_FALSE(of_text->certify({0.5, 0.5}).certified);
  const Coverage tie = of_text->covers({0.5, 0.5}, text);
  EXPECT_FALSE(tie.covered);
  EXPECT_EQ(tie.operation, std::nullopt);
  EXPECT_EQ(tie.operation_name(), "none");
  EXPECT_EQ(tie.why, "pA = 0.5 is not above pB = 0.5");
}

INSTANTIATE_TEST_SUITE_P(Certificates, OneText, ::testing::ValuesIn(EveryCertificate::all()),
                         [](const auto& test) {
                           std::string name =
                               std::string(to_string(test.param.second)) + "_" + test.param.first;
                           std::ranges::replace_if(
                               name, [](char c) { return !std::isalnum(c); }, '_');
                           return name;
                         });

}  // namespace
}  // namespace textcrs
