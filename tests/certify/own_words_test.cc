// Texts with words of their own: the answer is that for a vocabulary that holds the words.
#include <gtest/gtest.h>

#include "certify/every_certificate.h"
#include "textcrs/base/error.h"
#include "textcrs/certify/embedding_change.h"

namespace textcrs {
namespace {

using Spelled = std::vector<std::string>;

const Spelled kHeld = {"good", "film"}, kOwn = {"novel", "odd", "plot"};

// The point of a word in a plane; near and far ones.
std::vector<float> point(const std::string& word) {
  return {static_cast<float>(word.size()) / 4, word[0] < 'm' ? 0.25f : 0.5f};
}

std::vector<float> points(std::span<const std::string> words) {
  std::vector<float> rows;
  for (const std::string& word : words)
    for (const float x : point(word)) rows.push_back(x);
  return rows;
}

// The certificates of one noise over an open vocabulary of the held words, and over one that holds
// all.
struct World {
  Vocabulary vocabulary;
  std::vector<float> rows = std::vector<float>(3 * 2, 0.0f);
  Embeddings embeddings;
  std::unique_ptr<Certificate> certificate;

  World(const std::string& noise, const Spelled& words, OwnVectors own_vectors)
      : vocabulary(words, Vocabulary::Growth::kOpen) {
    for (const float x : points(words)) rows.push_back(x);
    embeddings = {rows, 2};
    CertificateContext context;
    context.slots = 6;
    context.vocabulary = &vocabulary;
    context.embeddings = &embeddings;
    context.own_vectors = std::move(own_vectors);
    certificate = make_certificate(noise, CertificateMode::kSound, context);
  }

  Coverage covers(Bounds bounds, const Spelled& text, const Spelled& edited) const {
    OwnWords own;
    const auto text_ids = vocabulary.encode(text, own);
    const Spelled before = own.list();  // the text knows fewer own words than the edited one
    const auto edited_ids = vocabulary.encode(edited, own);
    return certificate->covers(bounds, Text(text_ids, before), Text(edited_ids, own.list()));
  }
};

Spelled all_words() {
  Spelled words = kHeld;
  words.insert(words.end(), kOwn.begin(), kOwn.end());
  return words;
}

TEST(OwnWordsOfTexts, AreComparedAsIfTheVocabularyHeldThem) {
  for (const std::string noise :
       {"insert:sigma=0.3", "gaussian:sigma=0.5", "hash:buckets=8,functions=5", "delete:p=0.8",
        "adapt:keep=1", "universal:p=0.9", "reorder:block=4", "mask:p=0.8"}) {
    SCOPED_TRACE(noise);
    const World open(noise, kHeld, points), closed(noise, all_words(), {});
    const Spelled words = all_words();
    int covered = 0, not_covered = 0;
    for (uint32_t round = 0; round < 300; ++round) {
      Stream stream(3, round, 0);
      Spelled text(1 + stream.below(8));
      for (std::string& word : text) word = words[stream.below(5)];
      Spelled edited = text;
      edited[stream.below(static_cast<uint32_t>(edited.size()))] = words[stream.below(5)];
      if (stream.below(3) == 0) edited.push_back(words[stream.below(5)]);
      if (stream.below(3) == 0) edited.erase(edited.begin());
      const Bounds bounds = EveryCertificate::bounds(stream);
      const Coverage a = open.covers(bounds, text, edited);
      const Coverage b = closed.covers(bounds, text, edited);
      EXPECT_EQ(a.covered, b.covered);
      EXPECT_EQ(a.operation, b.operation);
      EXPECT_EQ(a.why, b.why);
      ++(a.covered ? covered : not_covered);
    }
    EXPECT_GT(covered, 20);
    EXPECT_GT(not_covered, 20);
  }
}

TEST(OwnWordsOfTexts, NeedTheirVectorsOnlyWhereTheAnswerDependsOnThem) {
  const World world("insert:sigma=0.3", kHeld, {});
  const Bounds bounds{0.9, 0.1};
  EXPECT_THROW(world.covers(bounds, {"good"}, {"novel"}), Error);
  EXPECT_THROW(world.covers(bounds, {"novel"}, {"good"}), Error);
  EXPECT_NO_THROW(world.covers(bounds, {"good"}, {"film"}));
  EXPECT_TRUE(world.covers(bounds, {"good", "novel"}, {"novel", "good"}).covered);
  EXPECT_TRUE(world.covers({1, 0}, {"good"}, {"novel"}).covered);
  const Spelled full(6, "good");
  Spelled longer = full;
  longer.push_back("novel");  // beyond the slots
  EXPECT_TRUE(world.covers(bounds, full, longer).covered);
}

// Equal ids would be taken for equal words.
TEST(OwnWordsOfTexts, OfTwoTextsMustBeTheSame) {
  for (const std::string noise : {"insert:sigma=0.3", "hash:buckets=8,functions=5", "mask:p=0.8"}) {
    const World world(noise, kHeld, points);
    const std::vector<WordId> ids = {5};
    const Spelled one = {"novel"}, other = {"odd", "novel"};
    EXPECT_THROW(world.certificate->covers({0.9, 0.1}, Text(ids, one), Text(ids, other)),
                 std::logic_error);
    EXPECT_THROW(world.certificate->covers({0.9, 0.1}, Text(ids, other), Text(ids, one)),
                 std::logic_error);
  }
}

TEST(OwnWordsOfTexts, VectorsThatAreNotOnePerWordAreABug) {
  const World world("insert:sigma=0.3", kHeld, [](std::span<const std::string>) {
    return std::vector<float>{1, 2, 3};
  });
  EXPECT_THROW(world.covers({0.9, 0.1}, {"good"}, {"novel"}), std::logic_error);
}

// Own rows left over in the context belong to some other text.
TEST(OwnWordsOfTexts, RowsOfOtherTextsAreNotTaken) {
  World world("insert:sigma=0.3", kHeld, {});
  const std::vector<float> others = {0, 0};
  world.embeddings.own_rows = others;
  EXPECT_THROW(world.covers({0.9, 0.1}, {"good"}, {"novel"}), Error);
}

TEST(OwnWordsOfTexts, CountInSingleEdits) {
  const std::vector<float> rows = {0, 1, 1.25, 4, 6, 0.5}, held(rows.begin(), rows.begin() + 3),
                           own(rows.begin() + 3, rows.end());
  const EmbeddingChange whole({rows, 1}, 4), parted({held, 1, own}, 4);
  const auto near = [](WordId word) {
    static const std::vector<std::vector<WordId>> lists = {{}, {2, 5}, {1, 3}, {4, 2}, {3}, {1, 0}};
    return std::span<const WordId>(lists[static_cast<size_t>(word)]);
  };
  for (const std::vector<WordId>& text :
       {std::vector<WordId>{1, 3, 5}, {4, 4, 2, 1}, {5}, {3, 4, 5, 1, 2}})
    for (const double radius : {0.1, 0.5, 1.0, 2.0, 5.0}) {
      EXPECT_EQ(parted.single_edits(text, near, radius).in_words(),
                whole.single_edits(text, near, radius).in_words());
      EXPECT_EQ(parted.distance(text, std::vector<WordId>{2, 3}),
                whole.distance(text, std::vector<WordId>{2, 3}));
    }
  EXPECT_THROW(parted.distance(std::vector<WordId>{6}, std::vector<WordId>{1}), std::logic_error);
  EXPECT_THROW(EmbeddingChange({rows, 2, std::span(own).first(1)}, 4), std::logic_error);
}

}  // namespace
}  // namespace textcrs
