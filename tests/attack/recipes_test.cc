// The named attacks: their specs, what they need, and that each does what its name says.
#include "textcrs/attack/recipes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "fake_parts.h"
#include "model/expect_error.h"
#include "model/tiny_masked_lm.h"
#include "text/scratch_home.h"

namespace textcrs {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(Recipes, HaveNamesUsagesAndSummaries) {
  std::vector<std::string> names;
  for (const RecipeKind& kind : recipe_kinds()) {
    names.push_back(kind.name);
    EXPECT_EQ(kind.usage, full_spec(kind.name));
    EXPECT_TRUE(kind.usage.starts_with(kind.name));
    EXPECT_FALSE(kind.summary.empty());
  }
  EXPECT_THAT(names, ElementsAre("textfooler", "word-reorder", "synonym-insert", "bae-insert",
                                 "input-reduction", "universal-trigger", "good-words", "worst-case",
                                 "frontier"));
}

TEST(Recipes, FullSpecsRoundTrip) {
  for (const RecipeKind& kind : recipe_kinds()) EXPECT_EQ(full_spec(kind.usage), kind.usage);
  for (const std::string spec :
       {"textfooler:similarity=0.9", "textfooler:share=0.30,candidates=007", "frontier:form=inside",
        "word-reorder:steps=9,least=2,window=4", "input-reduction:form=keep,words=3",
        "universal-trigger:rounds=1,words=2,candidates=10", "good-words:share=1e-3", "worst-case",
        "textfooler:cosine=-0.25"})
    EXPECT_EQ(full_spec(full_spec(spec)), full_spec(spec));
  EXPECT_EQ(full_spec("textfooler:share=0.30,candidates=007"),
            "textfooler:candidates=7,cosine=0.5,similarity=0.84,window=15,share=0.3,least=0");
  EXPECT_EQ(full_spec("input-reduction:form=keep"),
            "input-reduction:form=keep,similarity=0.84,window=15,share=0.2,least=4,words=1");
  EXPECT_EQ(full_spec("frontier"), "frontier:form=beyond,candidates=50");
  EXPECT_EQ(full_spec("worst-case"), "worst-case");
}

TEST(Recipes, MistakesNameWhatIsExpected) {
  const auto error = [](const std::string& spec) {
    std::string message;
    for (const auto& read : std::vector<std::function<void()>>{
             [&] { needs_of(spec); }, [&] { full_spec(spec); }, [&] { make_attack(spec, {}, {}); }})
      message = expect_error(ErrorKind::kUsage, read);
    return message;
  };
  EXPECT_THAT(error("texfooler"), AllOf(HasSubstr("texfooler: no such attack, expected "),
                                        HasSubstr("textfooler, word-reorder, ")));
  EXPECT_THAT(error("textfooler:steps=3"), AllOf(HasSubstr("steps"), HasSubstr("candidates")));
  EXPECT_THAT(error("worst-case:words=3"), HasSubstr("words"));
  EXPECT_THAT(error("textfooler:candidates=0"), AllOf(HasSubstr("candidates"), HasSubstr("1")));
  EXPECT_THAT(error("textfooler:candidates=many"), HasSubstr("many"));
  EXPECT_THAT(error("textfooler:similarity=1.5"), AllOf(HasSubstr("similarity"), HasSubstr("1")));
  EXPECT_THAT(error("good-words:share"), HasSubstr("share"));
  EXPECT_THAT(error("input-reduction:form=drop"), AllOf(HasSubstr("flip"), HasSubstr("keep")));
  EXPECT_THAT(error("frontier:form=keep"), AllOf(HasSubstr("beyond"), HasSubstr("inside")));
  error("");
}

TEST(Recipes, NeedWhatTheyAreMadeOf) {
  const auto names_of = [](const std::string& spec) {
    const RecipeNeeds needs = needs_of(spec);
    std::string names;
    for (const auto& [needed, name] :
         std::vector<std::pair<bool, std::string>>{{needs.replacements, "replacements"},
                                                   {needs.synonyms, "synonyms"},
                                                   {needs.parts_of_speech, "parts-of-speech"},
                                                   {needs.encoder, "encoder"},
                                                   {needs.masked_words, "masked-words"},
                                                   {needs.class_words, "class-words"},
                                                   {needs.phrase, "phrase"},
                                                   {needs.budgets, "budgets"},
                                                   {needs.worst, "worst"}})
      if (needed) names += (names.empty() ? "" : " ") + name;
    return names;
  };
  EXPECT_EQ(names_of("textfooler"), "replacements parts-of-speech encoder");
  EXPECT_EQ(names_of("textfooler:similarity=0"), "replacements parts-of-speech");
  EXPECT_EQ(names_of("word-reorder"), "encoder");
  EXPECT_EQ(names_of("synonym-insert"), "synonyms encoder");
  EXPECT_EQ(names_of("bae-insert"), "encoder masked-words");
  EXPECT_EQ(names_of("input-reduction"), "encoder");
  EXPECT_EQ(names_of("input-reduction:form=keep"), "");
  EXPECT_EQ(names_of("universal-trigger"), "class-words phrase");
  EXPECT_EQ(names_of("good-words"), "class-words");
  EXPECT_EQ(names_of("worst-case"), "worst");
  EXPECT_EQ(names_of("frontier"), "class-words budgets");

  const RecipeNeeds fooler = needs_of("textfooler:candidates=7,cosine=0.25");
  EXPECT_EQ(fooler.candidates, 7);
  EXPECT_EQ(fooler.cosine, 0.25);
  const TriggerOptions trigger =
      needs_of("universal-trigger:words=2,candidates=9,rounds=4").trigger;
  EXPECT_EQ(trigger.words, 2u);
  EXPECT_EQ(trigger.candidates, 9u);
  EXPECT_EQ(trigger.rounds, 4);
  const TriggerOptions usual = needs_of("universal-trigger").trigger;
  EXPECT_EQ(usual.words, TriggerOptions().words);
  EXPECT_EQ(usual.candidates, TriggerOptions().candidates);
  EXPECT_EQ(usual.rounds, TriggerOptions().rounds);
}

// Small real parts, and a target that minds the order of a text which every recipe can flip.
class RecipeRuns : public testing::Test {
 protected:
  RecipeRuns()
      : replacements_(synonyms_of({{"good", {"fine", "film", "dull"}}, {"music", {"bad"}}})),
        synonyms_(synonyms_of({{"film", {"dull"}}})) {
    for (const auto& [name, lemmas] :
         std::map<std::string, WordList>{{"noun", {"film", "story", "music"}},
                                         {"verb", {}},
                                         {"adj", {"good", "bad", "dull", "fine"}},
                                         {"adv", {}}}) {
      std::string lines = "  1 the licence  \n";
      for (const std::string& lemma : lemmas)
        lines += lemma + " " + name.substr(0, 1) + " 1 0 1 0 00000001  \n";
      scratch_.write("dict/index." + name, lines);
    }
    parts_of_speech_ =
        std::make_unique<PartsOfSpeech>(PartsOfSpeech::load(scratch_.folder() / "dict"));
    const TinyBert tiny;
    tiny.write(scratch_.folder() / "encoder");
    encoder_ = std::make_unique<SentenceEncoder>(scratch_.folder() / "encoder");
    write_masked_lm(tiny, scratch_.folder() / "masked", "bert.", masked_lm_head(tiny));
    masked_words_ = std::make_unique<MaskedWords>(scratch_.folder() / "masked");
    std::vector<LabelledWords> texts;
    for (int i = 0; i < 6; ++i) {
      texts.push_back({words_in("bad dull"), 0});
      texts.push_back({words_in("good"), 1});
    }
    class_words_ = std::make_unique<ClassWords>(texts, 2);
  }

  RecipeParts parts() const {
    RecipeParts parts;
    parts.replacements = &replacements_;
    parts.synonyms = &synonyms_;
    parts.parts_of_speech = parts_of_speech_.get();
    parts.encoder = encoder_.get();
    parts.masked_words = masked_words_.get();
    parts.class_words = class_words_.get();
    parts.phrase = words_in("dull dull dull");
    parts.budgets = [](const WordList&, uint32_t) { return std::vector<EditBudget>{{1, 1}}; };
    parts.worst = [](const WordList& words, uint32_t) {
      return words_after({WordEdit::Kind::kReplace, 4, "bad"}, words);
    };
    return parts;
  }
  AttackResult run(const std::string& spec, const std::string& text = "bad film story music good") {
    const WordCountTarget target(weights_, 0.3);
    const AttackResult result =
        make_attack(spec, parts(), {.seed = 3}).run(target, words_in(text), 1, 0);
    EXPECT_EQ(result.queries, target.asked());
    EXPECT_EQ(target.repeated(), 0u);
    EXPECT_EQ(result.after, target.answer(result.text.words));
    EXPECT_EQ(result.share_after, target.shares(result.text.words)[1]);
    EXPECT_EQ(target.words(join(result.text.words)), result.text.words);
    return result;
  }

  ScratchHome scratch_;
  const std::map<std::string, double> weights_ = {
      {"good", 1}, {"fine", 0.9}, {"bad", -1}, {"dull", -1.2}};
  const WordSynonyms replacements_, synonyms_;
  std::unique_ptr<PartsOfSpeech> parts_of_speech_;
  std::unique_ptr<SentenceEncoder> encoder_;
  std::unique_ptr<MaskedWords> masked_words_;
  std::unique_ptr<ClassWords> class_words_;
};

TEST_F(RecipeRuns, EveryRecipeChangesTheAnswerOfAWeakText) {
  for (const RecipeKind& kind : recipe_kinds()) {
    const std::string lenient = needs_of(kind.name).encoder ? ":similarity=0.01" : "";
    const AttackResult result = run(kind.name + lenient);
    EXPECT_EQ(result.status, AttackStatus::kSucceeded) << kind.name;
    EXPECT_EQ(result.before, 1) << kind.name;
    EXPECT_EQ(result.after, 0) << kind.name;
    EXPECT_GT(result.text.edits, 0u) << kind.name;
  }
}

TEST_F(RecipeRuns, EveryRecipeRunsOnTextsOfNoneAndOneWord) {
  for (const RecipeKind& kind : recipe_kinds()) {
    if (kind.name == "worst-case") continue;  // the proposal above is about the fifth word
    run(kind.name, "");
    run(kind.name, "good");
  }
}

TEST_F(RecipeRuns, ReplaceInsertMoveOrDelete) {
  // "film" is nearer than "fine", and no adjective.
  EXPECT_EQ(run("textfooler:similarity=0.01").text.words, words_in("bad film story music dull"));
  const AttackResult moved = run("word-reorder:similarity=0.01");
  WordList sorted = moved.text.words, original = words_in("bad film story music good");
  EXPECT_NE(sorted, original);
  std::sort(sorted.begin(), sorted.end());
  std::sort(original.begin(), original.end());
  EXPECT_EQ(sorted, original);
  for (const std::string recipe :
       {"synonym-insert:similarity=0.01", "bae-insert:similarity=0.01"}) {
    WordList left = run(recipe).text.words;
    for (const std::string& word : words_in("bad film story music good")) {
      const auto found = std::find(left.begin(), left.end(), word);
      ASSERT_NE(found, left.end()) << recipe;
      left.erase(found);
    }
    EXPECT_FALSE(left.empty()) << recipe;
  }
  EXPECT_EQ(run("input-reduction:similarity=0.01").text.words, words_in("bad film story music"));
  EXPECT_EQ(run("good-words").text.words, words_in("bad film story music good dull"));
  EXPECT_EQ(run("universal-trigger").text.words,
            words_in("dull dull dull bad film story music good"));
  EXPECT_EQ(run("worst-case").text.words, words_in("bad film story music bad"));
  EXPECT_EQ(run("frontier").text.words, words_in("bad film story music dull"));
}

TEST_F(RecipeRuns, KeepLeavesTheAnswerAndFewWords) {
  const AttackResult result = run("input-reduction:form=keep");
  EXPECT_EQ(result.status, AttackStatus::kSucceeded);
  EXPECT_EQ(result.text.words, words_in("good"));
  EXPECT_EQ(result.after, 1);
  EXPECT_EQ(run("input-reduction:form=keep,words=3").text.size(), 3u);
}

TEST_F(RecipeRuns, ThresholdsAreKept) {
  // Nothing but the same window is that similar.
  for (const std::string recipe :
       {"textfooler", "word-reorder", "synonym-insert", "bae-insert", "input-reduction"}) {
    const AttackResult result = run(recipe + ":similarity=1");
    EXPECT_EQ(result.status, AttackStatus::kFailed) << recipe;
    EXPECT_EQ(result.text.edits, 0u) << recipe;
  }
  EXPECT_EQ(run("textfooler:similarity=0,share=0.1").text.edits, 0u);
  EXPECT_EQ(run("textfooler:similarity=0,share=0.1,least=1").text.edits, 1u);
  // Stop words may go where the answer is to hold, and nowhere else.
  EXPECT_EQ(run("input-reduction:form=keep", "the good film").text.words, words_in("good"));
  EXPECT_EQ(run("input-reduction:similarity=0", "the the the").text.edits, 0u);
}

TEST_F(RecipeRuns, AMissingPartIsABug) {
  const auto without = [&](const std::string& spec, auto take_away) {
    RecipeParts some = parts();
    take_away(some);
    EXPECT_THROW(make_attack(spec, some, {}), std::logic_error) << spec;
  };
  without("textfooler", [](RecipeParts& p) { p.replacements = nullptr; });
  without("textfooler", [](RecipeParts& p) { p.parts_of_speech = nullptr; });
  without("textfooler", [](RecipeParts& p) { p.encoder = nullptr; });
  without("synonym-insert", [](RecipeParts& p) { p.synonyms = nullptr; });
  without("bae-insert", [](RecipeParts& p) { p.masked_words = nullptr; });
  without("good-words", [](RecipeParts& p) { p.class_words = nullptr; });
  without("universal-trigger", [](RecipeParts& p) { p.phrase.clear(); });
  without("frontier", [](RecipeParts& p) { p.budgets = nullptr; });
  without("worst-case", [](RecipeParts& p) { p.worst = nullptr; });
  EXPECT_NO_THROW(make_attack("input-reduction:form=keep", {}, {}));
}

TEST(WordSynonymsTest, AreTheFirstOfTheTablesList) {
  const WordSynonyms synonyms = synonyms_of({{"good", {"nice", "fine", "warm"}}}, 2);
  EXPECT_EQ(synonyms.source(), "test");
  EXPECT_THAT(synonyms.of("good"), ElementsAre("nice", "fine"));
  EXPECT_TRUE(synonyms.of("nice").empty());
  EXPECT_TRUE(synonyms.of("unheard").empty());
  EXPECT_TRUE(synonyms.of("<unk>").empty());
}

}  // namespace
}  // namespace textcrs
