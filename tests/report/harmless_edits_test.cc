// The sentence for every noise.
#include "report/harmless_edits.h"

#include <gtest/gtest.h>

#include "textcrs/certify/certificate.h"

namespace textcrs {
namespace {

std::string said(const std::string& noise, double pa, int words) {
  const auto certificate = make_certificate(noise, CertificateMode::kSound, {40});
  return harmless_edits(certificate->certify({pa, 1 - pa}, words), static_cast<size_t>(words));
}

CertifiedSet set_of(std::vector<Guarantee> guarantees) {
  CertifiedSet set;
  set.certified = true;
  set.guarantees = std::move(guarantees);
  return set;
}

// 6 inserted or substituted words are 6 edits: not said twice.
TEST(HarmlessEdits, OfTheDeletingNoises) {
  EXPECT_EQ(
      said("universal:p=0.9", 0.999, 100),
      "in any word order, even with up to 58 of its 100 words deleted, or up to 6 edits of any "
      "kind");
  EXPECT_EQ(said("universal:p=0.9", 0.999, 8),
            "in any word order, even with up to 8 of its 8 words deleted, or up to 6 edits of any "
            "kind");
  EXPECT_EQ(said("universal:p=0.7", 0.51, 100), "in any word order");
  EXPECT_EQ(said("delete:p=0.7", 0.999, 100),
            "with up to 17 of its 100 words deleted, or any one edit");
  EXPECT_EQ(said("delete:p=0.7", 0.51, 100), "");
  EXPECT_EQ(said("delete:p=0.7", 0.5, 100), "");  // abstained
}

TEST(HarmlessEdits, AMixtureIncludesAsManyOfAKind) {
  const auto edits = [](double deleted, double inserted, double replaced, double mixed) {
    return harmless_edits(set_of({{Operation::kDeletion, kUnitWords, deleted},
                                  {Operation::kInsertion, kUnitWords, inserted},
                                  {Operation::kSubstitution, kUnitWords, replaced},
                                  {Operation::kEdit, kUnitWords, mixed}}),
                          9);
  };
  EXPECT_EQ(edits(4, 3, 2, 1),
            "with up to 4 of its 9 words deleted, or up to 3 words inserted, or up to 2 of its 9 "
            "words replaced, or any one edit");
  EXPECT_EQ(edits(2, 2, 2, 2), "with up to 2 edits of any kind");
  EXPECT_EQ(edits(1, 1, 0, 0), "with any one of its 9 words deleted, or any one word inserted");
  EXPECT_EQ(
      edits(kUnlimited, kUnlimited, kUnlimited, 1),
      "with any words deleted, or any words inserted, or any words replaced, or any one edit");
  EXPECT_EQ(edits(kUnlimited, 3, 2, kUnlimited), "with any edits");
  EXPECT_EQ(edits(0, 0, 0, 0), "");
}

TEST(HarmlessEdits, OfSentences) {
  const auto edits = [](double deleted, double inserted, double rewritten, double mixed,
                        size_t sentences = 9) {
    return harmless_edits(set_of({{Operation::kSubstitution, kUnitSentences, rewritten},
                                  {Operation::kReordering, kUnitDisplacement, kUnlimited},
                                  {Operation::kInsertion, kUnitSentences, inserted},
                                  {Operation::kDeletion, kUnitSentences, deleted},
                                  {Operation::kEdit, kUnitSentences, mixed}}),
                          sentences);
  };
  EXPECT_EQ(edits(2, 2, 2, 2),
            "in any order of its sentences, even with up to 2 sentences rewritten, inserted or "
            "deleted");
  EXPECT_EQ(
      edits(4, 3, 1, 1),
      "in any order of its sentences, even with up to 3 sentences inserted, or up to 4 of its "
      "9 sentences deleted, or any one sentence rewritten, inserted or deleted");
  EXPECT_EQ(edits(1, 1, 1, 0),
            "in any order of its sentences, even with any one of its 9 sentences rewritten, or any "
            "one sentence inserted, or any one of its 9 sentences deleted");
  EXPECT_EQ(edits(1, 0, 0, 0, 1),
            "in any order of its sentences, even with its only sentence deleted");
  EXPECT_EQ(edits(0, 0, 0, 0), "in any order of its sentences");
}

TEST(HarmlessEdits, OfATextOfOneWord) {
  EXPECT_EQ(harmless_edits(set_of({{Operation::kDeletion, kUnitWords, 1}}), 1),
            "with its only word deleted");
}

TEST(HarmlessEdits, OfReorderings) {
  EXPECT_EQ(said("reorder:full", 0.9, 100), "in any word order");
  EXPECT_EQ(said("reorder:block=8", 0.9, 100),
            "with its 100 words moved by up to 6 places in all, or one run of 4 neighbouring words "
            "reordered");
  CertifiedSet set = set_of({{Operation::kReordering, kUnitDisplacement, 8}});
  set.window = 4;  // turned round, its words move by 8 places
  EXPECT_EQ(harmless_edits(set, 20), "with its 20 words moved by up to 8 places in all");
  set.window = 5;
  EXPECT_EQ(harmless_edits(set, 20),
            "with its 20 words moved by up to 8 places in all, or one run of 5 neighbouring words "
            "reordered");
}

TEST(HarmlessEdits, OfWordsInPlace) {
  EXPECT_EQ(said("mask:p=0.9", 0.99, 8), "with up to 6 of its 8 words replaced");
}

TEST(HarmlessEdits, ByCandidatesAreOfTheWordsThatHaveSome) {
  const auto edits = [](double radius, int replaceable) {
    CertifiedSet set = set_of({{Operation::kSubstitution, kUnitWords, radius}});
    set.candidates = "wordnet";
    set.replaceable = replaceable;
    const std::string said = harmless_edits(set, 5);
    return said.empty() ? no_harmless_edits(set) : said;
  };
  EXPECT_EQ(
      edits(2, 4),
      "with up to 2 of its 4 words that have candidates replaced, each by one of its own (the "
      "model's, from wordnet)");
  EXPECT_EQ(
      edits(5, 3),  // all that have candidates
      "with up to 3 of its 3 words that have candidates replaced, each by one of its own (the "
      "model's, from wordnet)");
  EXPECT_EQ(edits(kUnlimited, 3), edits(5, 3));
  EXPECT_EQ(edits(1, 3),
            "with any one of its 3 words that have candidates replaced by one of its own (the "
            "model's, from wordnet)");
  EXPECT_EQ(edits(5, 1),
            "with its only word that has candidates replaced by one of its own (the model's, from "
            "wordnet)");
  EXPECT_EQ(edits(5, 0), ": no word of it has candidates (the model's, from wordnet)");
  EXPECT_EQ(edits(0, 3), "; no number of edits is certified");
  EXPECT_EQ(no_harmless_edits(set_of({})), "; no number of edits is certified");
}

TEST(HarmlessEdits, OfClustersAndStopWordsAreFreeBesideTheOthers) {
  CertifiedSet set;
  set.certified = true;
  set.canonical = "a table";
  const std::string clusters = "any word replaced by another of its cluster (a table)";
  EXPECT_EQ(harmless_edits(set, 9), "with " + clusters);
  set.guarantees = {{Operation::kDeletion, kUnitWords, 2}};
  EXPECT_EQ(harmless_edits(set, 9), "with up to 2 of its 9 words deleted, and besides " + clusters);
  set.guarantees.push_back({Operation::kReordering, kUnitDisplacement, kUnlimited});
  set.stop_list = "english";
  set.stop_words = 160;
  EXPECT_EQ(
      harmless_edits(set, 9),
      "in any word order, even with up to 2 of its 9 words deleted, and besides " + clusters +
          ", and besides any number of the 160 stop words of english inserted, deleted, moved "
          "or replaced by one another");
  set.guarantees = {{Operation::kSubstitution, kUnitWords, kUnlimited}};
  set.candidates = "a table";
  set.replaceable = 4;
  set.stop_list.clear();
  EXPECT_EQ(
      harmless_edits(set, 9),
      "with up to 4 of its 4 words that have candidates replaced, each by one of its own (the "
      "model's, from a table), and besides " +
          clusters);
}

TEST(HarmlessEdits, InEmbeddingSpaceAreRoundedDown) {
  EXPECT_EQ(said("insert:sigma=0.5", 0.9, 30),  // 0.64077
            "in any word order, even with words inserted, replaced or deleted that move the text "
            "by up to 0.64 in embedding space");
  EXPECT_EQ(harmless_edits(set_of({{Operation::kInsertion, kUnitEmbedding, 0.6299},
                                   {Operation::kDeletion, kUnitEmbedding, 0.6199}}),
                           5),
            "with words inserted or deleted that move the text by up to 0.619 in embedding space");
  EXPECT_EQ(harmless_edits(set_of({{Operation::kInsertion, kUnitEmbedding, kUnlimited}}), 5),
            "with any words inserted");
}

}  // namespace
}  // namespace textcrs
