// Certificates without a vocabulary (docs/certificates.md, B8): a model with a closed one takes
// different unknown words for one, and what was covered must stay so.
#include <gtest/gtest.h>

#include "textcrs/base/stream.h"
#include "textcrs/certify/certificate.h"

namespace textcrs {
namespace {

const std::vector<std::string> kWords = {"ant", "bee", "cat", "dog", "eel", "fox", "gnu", "hen"};

std::vector<std::string> random_text(Stream& stream) {
  std::vector<std::string> text(1 + stream.below(6));
  for (std::string& word : text) word = kWords[stream.below(8)];
  return text;
}

std::vector<std::string> random_edit(std::vector<std::string> text, Stream& stream) {
  for (uint32_t edits = 1 + stream.below(3); edits > 0; --edits) {
    const size_t place = text.empty() ? 0 : stream.below(static_cast<uint32_t>(text.size()));
    const auto at = text.begin() + static_cast<std::ptrdiff_t>(place);
    const uint32_t kind = text.empty() ? 0 : stream.below(4);
    if (kind == 0) text.insert(at, kWords[stream.below(8)]);
    if (kind == 1) *at = kWords[stream.below(8)];
    if (kind == 2) text.erase(at);
    if (kind == 3) std::swap(*at, text.front());
  }
  return text;
}

// A model that knows some of the words.
Vocabulary random_vocabulary(Stream& stream) {
  std::vector<std::string> known;
  for (const std::string& word : kWords)
    if (stream.below(2) == 0) known.push_back(word);
  return Vocabulary(known);
}

class UnknownWords : public ::testing::TestWithParam<const char*> {};

TEST_P(UnknownWords, NeverUncoverAText) {
  const auto alone = make_certificate(GetParam(), CertificateMode::kSound, {});
  const Vocabulary all(kWords);
  int covered = 0, by_the_model_only = 0;
  for (uint32_t round = 0; round < 4000; ++round) {
    Stream stream(17, round, 0);
    const auto words = random_text(stream), edited = random_edit(words, stream);
    const double pa = 0.5 + 0.5 * stream.uniform();
    const Bounds bounds{pa, 1 - pa};
    const Vocabulary vocabulary = random_vocabulary(stream);
    CertificateContext context;
    context.vocabulary = &vocabulary;
    const bool says = alone->covers(bounds, all.encode(words), all.encode(edited)).covered;
    const Coverage model =
        make_certificate(GetParam(), CertificateMode::kSound, context)
            ->covers(bounds, vocabulary.encode(words), vocabulary.encode(edited));
    EXPECT_TRUE(model.covered || !says) << model.why;
    covered += says;
    by_the_model_only += model.covered && !says;
  }
  EXPECT_GT(covered, 100);
  EXPECT_GT(by_the_model_only, 10);
}

INSTANTIATE_TEST_SUITE_P(Noises, UnknownWords,
                         ::testing::Values("delete:p=0.7", "adapt:keep=1,growth=1.01",
                                           "adapt:keep=0.7,order=shuffled", "universal:p=0.8",
                                           "mask:p=0.9", "reorder:full", "reorder:block=5",
                                           "reorder:block=5,order=sorted",
                                           "hash:buckets=9,functions=3",
                                           "hash:buckets=4,functions=7"));

}  // namespace
}  // namespace textcrs
