#include "textcrs/attack/recipe_assets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "model/expect_error.h"
#include "model/tiny_masked_lm.h"
#include "text/scratch_home.h"

namespace textcrs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using Fingerprints = std::map<std::string, std::string>;

Fingerprints fingerprints_of(const RecipeAssets& assets) {
  return {assets.fingerprints().begin(), assets.fingerprints().end()};
}

RecipeParts parts_of(const RecipeAssets& assets) {
  RecipeParts parts;
  assets.add_to(parts);
  return parts;
}

class RecipeAssetsTest : public testing::Test {
 protected:
  // Two adjectives that mean the same, and a noun that means another.
  void write_wordnet(const std::string& dict, const std::string& synonym = "great") const {
    const auto synset = [](const char* type, const std::string& first, const std::string& second) {
      return "00000001 00 " + std::string(type) + " 02 " + first + " 0 " + second +
             " 0 000 | a gloss  \n";
    };
    scratch_.write(dict + "/data.adj", synset("a", "good", synonym));
    scratch_.write(dict + "/data.noun", synset("n", "film", "movie"));
    const auto lemma = [](const std::string& word, char part) {
      return word + " " + part + " 2 1 @ 2 0 00000001 00000002  \n";
    };
    scratch_.write(dict + "/index.adj", lemma("good", 'a') + lemma(synonym, 'a'));
    scratch_.write(dict + "/index.noun", lemma("film", 'n') + lemma("movie", 'n'));
    for (const char* empty : {"data.verb", "data.adv", "index.verb", "index.adv"})
      scratch_.write(dict + "/" + empty, "");
  }
  // Sources in the scratch folder, none of which is there yet.
  RecipeSources sources() const {
    return {.vectors = path("vectors.txt"),
            .replacements = path("lists.json"),
            .wordnet = path("dict"),
            .encoder = path("bert"),
            .masked_words = path("bert")};
  }
  std::string path(const std::string& name) const { return (scratch_.folder() / name).string(); }

  ScratchHome scratch_;
};

TEST_F(RecipeAssetsTest, WhatIsNotNeededIsNotLoaded) {
  for (const char* recipe : {"universal-trigger", "good-words", "worst-case", "frontier",
                             "input-reduction:form=keep", "word-reorder:similarity=0"}) {
    const RecipeAssets assets(needs_of(recipe), sources());
    EXPECT_THAT(assets.fingerprints(), IsEmpty());
    const RecipeParts parts = parts_of(assets);
    EXPECT_EQ(parts.replacements, nullptr);
    EXPECT_EQ(parts.synonyms, nullptr);
    EXPECT_EQ(parts.parts_of_speech, nullptr);
    EXPECT_EQ(parts.encoder, nullptr);
    EXPECT_EQ(parts.masked_words, nullptr);
  }
}

TEST_F(RecipeAssetsTest, TheListsOfAFileAreTakenAsTheyAre) {
  scratch_.write("lists.json", R"({"good": ["great", "fine", "warm"], "bad": ["poor"]})");
  RecipeNeeds needs;
  needs.replacements = true;
  needs.candidates = 2;
  const RecipeAssets assets(needs, sources());
  const WordSynonyms& replacements = *parts_of(assets).replacements;
  EXPECT_THAT(replacements.of("good"), ElementsAre("great", "fine"));
  EXPECT_THAT(replacements.of("great"), IsEmpty());  // not symmetric
  EXPECT_THAT(replacements.of("unheard-of"), IsEmpty());
  EXPECT_EQ(replacements.source(), "lists.json");
  // What they are named by is their content.
  RecipeSources other = sources();
  other.replacements =
      scratch_.write("again.json", R"({"good":["great","fine","warm"],"bad":["poor"]})").string();
  EXPECT_EQ(fingerprints_of(RecipeAssets(needs, other)), fingerprints_of(assets));
  scratch_.write("again.json", R"({"good": ["fine", "great", "warm"], "bad": ["poor"]})");
  EXPECT_NE(fingerprints_of(RecipeAssets(needs, other)), fingerprints_of(assets));
}

TEST_F(RecipeAssetsTest, TheNearestWordsByTheVectors) {
  // Cosine with "good": great 0.96, fine 0.8, nice 0.
  scratch_.write("vectors.txt", "fine 4 3\ngood 1 0\nnice 0 1\ngreat 24 7\n");
  RecipeSources glove = sources();
  glove.replacements = "glove";
  RecipeNeeds needs;
  needs.replacements = true;
  needs.candidates = 2;
  needs.cosine = 0.5;
  const RecipeAssets assets(needs, glove);
  EXPECT_THAT(parts_of(assets).replacements->of("good"), ElementsAre("great", "fine"));
  EXPECT_THAT(parts_of(assets).replacements->of("fine"), ElementsAre("great", "good"));
  needs.cosine = 0.9;
  const RecipeAssets nearer(needs, glove);
  EXPECT_THAT(parts_of(nearer).replacements->of("good"), ElementsAre("great"));
  EXPECT_NE(fingerprints_of(nearer), fingerprints_of(assets));
}

TEST_F(RecipeAssetsTest, ReplacementsOfWordnetAreThoseOfItsFolder) {
  write_wordnet("dict");
  RecipeSources wordnet = sources();
  wordnet.replacements = "wordnet";
  RecipeNeeds needs;
  needs.replacements = true;
  const RecipeAssets assets(needs, wordnet);
  EXPECT_THAT(parts_of(assets).replacements->of("great"), ElementsAre("good"));
  EXPECT_THAT(parts_of(assets).replacements->of("film"), ElementsAre("movie"));
}

TEST_F(RecipeAssetsTest, SynonymsAndPartsOfSpeechAreWordnets) {
  write_wordnet("dict");
  RecipeNeeds needs;
  needs.synonyms = needs.parts_of_speech = true;
  const RecipeAssets assets(needs, sources());
  const RecipeParts parts = parts_of(assets);
  EXPECT_THAT(parts.synonyms->of("good"), ElementsAre("great"));
  EXPECT_TRUE(parts.parts_of_speech->compatible("good", "great"));
  EXPECT_FALSE(parts.parts_of_speech->compatible("good", "film"));
  EXPECT_EQ(parts.replacements, nullptr);
  const Fingerprints before = fingerprints_of(assets);
  EXPECT_EQ(before.size(), 2u);
  // The same in another folder; and other words.
  RecipeSources other = sources();
  other.wordnet = path("other");
  write_wordnet("other");
  EXPECT_EQ(fingerprints_of(RecipeAssets(needs, other)), before);
  write_wordnet("other", "fine");
  const Fingerprints after = fingerprints_of(RecipeAssets(needs, other));
  EXPECT_NE(after.at("synonyms"), before.at("synonyms"));
  EXPECT_NE(after.at("parts_of_speech"), before.at("parts_of_speech"));
}

TEST_F(RecipeAssetsTest, ABertEncodesAndGuesses) {
  const TinyBert tiny;
  write_masked_lm(tiny, scratch_.folder() / "bert", "bert.", masked_lm_head(tiny));
  const RecipeAssets assets(needs_of("bae-insert"), sources());
  const RecipeParts parts = parts_of(assets);
  ASSERT_NE(parts.encoder, nullptr);
  ASSERT_NE(parts.masked_words, nullptr);
  EXPECT_EQ(parts.encoder->width(), tiny.width);
  EXPECT_EQ(fingerprints_of(assets),
            (Fingerprints{{"encoder", parts.encoder->fingerprint()},
                          {"masked_words", parts.masked_words->fingerprint()}}));
}

TEST_F(RecipeAssetsTest, OtherPartsAreLeftAsTheyAre) {
  RecipeParts parts;
  parts.phrase = {"good"};
  parts.worst = [](const std::vector<std::string>& words, uint32_t) { return words; };
  RecipeAssets(needs_of("worst-case"), sources()).add_to(parts);
  EXPECT_THAT(parts.phrase, ElementsAre("good"));
  EXPECT_TRUE(parts.worst);
}

TEST_F(RecipeAssetsTest, RefusesWhatIsNotThere) {
  const auto refusal = [](ErrorKind kind, const char* recipe, const RecipeSources& from) {
    return expect_error(kind, [&] { RecipeAssets(needs_of(recipe), from); });
  };
  RecipeSources none = sources();
  none.masked_words.clear();
  EXPECT_THAT(refusal(ErrorKind::kUsage, "bae-insert", none), HasSubstr("masked language model"));
  EXPECT_THAT(refusal(ErrorKind::kBadInput, "word-reorder", sources()), StartsWith(path("bert")));
  RecipeNeeds needs;
  needs.replacements = true;
  EXPECT_THAT(expect_error(ErrorKind::kBadInput, [&] { RecipeAssets(needs, sources()); }),
              StartsWith(path("lists.json")));
  // Assets by their names, which nobody has fetched into this home.
  for (const auto& [recipe, asset] : {std::pair{"word-reorder", "minilm"},
                                      {"synonym-insert:similarity=0", "wordnet"},
                                      {"textfooler:similarity=0", "glove"}}) {
    const std::string message = error_of([&] { RecipeAssets(needs_of(recipe), RecipeSources()); });
    EXPECT_THAT(message, HasSubstr(asset)) << recipe;
    EXPECT_THAT(message, HasSubstr("fetch")) << recipe;
  }
}

}  // namespace
}  // namespace textcrs
