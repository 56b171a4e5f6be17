#include "textcrs/text/parts_of_speech.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "text/irregular_forms.h"
#include "text/scratch_home.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;

class SmallWordnet : public testing::Test {
 protected:
  SmallWordnet() {
    for (const auto& [name, letter] : kLetters) write(name, {});
  }

  // The lemmas of one part of speech.
  void write(const std::string& name, const std::vector<std::string>& lemmas) {
    std::string lines = "  1 the licence  \n";
    for (const std::string& lemma : lemmas)
      lines += lemma + " " + kLetters.at(name) + " 2 1 @ 2 0 00000001 00000002  \n";
    scratch_.write("dict/index." + name, lines);
  }

  PartsOfSpeech load() const { return PartsOfSpeech::load(scratch_.folder() / "dict"); }
  std::string error() const {
    return error_of([&] { load(); });
  }

  inline static const std::map<std::string, std::string> kLetters = {
      {"noun", "n"}, {"verb", "v"}, {"adj", "a"}, {"adv", "r"}};
  ScratchHome scratch_;
};

TEST_F(SmallWordnet, KnowsLemmasInAnyCase) {
  write("noun", {"film", "paris", "new_york"});
  write("verb", {"film"});
  write("adv", {"well"});
  const PartsOfSpeech parts = load();
  EXPECT_EQ(parts.of("film"), kNoun | kVerb);
  EXPECT_EQ(parts.of("Paris"), kNoun);
  EXPECT_EQ(parts.of("well"), kAdverb);
  EXPECT_EQ(parts.of("new_york"), 0);
  EXPECT_EQ(parts.of("york"), 0);
  EXPECT_EQ(parts.of(""), 0);
}

TEST_F(SmallWordnet, EveryRuleOfDetachment) {
  write("noun", {"movie", "bus", "box", "quartz", "church", "wish", "fireman", "story", "spoon"});
  write("verb", {"like", "try", "pass", "jump", "date"});
  write("adj", {"tall", "nice"});
  const PartsOfSpeech parts = load();
  for (const char* form : {"movies", "buses", "boxes", "quartzes", "churches", "wishes", "firemen",
                           "stories", "spoonsful"})
    EXPECT_EQ(parts.of(form), kNoun) << form;
  for (const char* form :
       {"likes", "tries", "passes", "jumps", "dated", "jumped", "dating", "jumping"})
    EXPECT_EQ(parts.of(form), kVerb) << form;
  for (const char* form : {"taller", "tallest", "nicer", "nicest"})
    EXPECT_EQ(parts.of(form), kAdjective) << form;
}

TEST_F(SmallWordnet, RulesHoldForTheirPartAndForWholeWords) {
  write("noun", {"film", "princes", "a", "bos"});
  write("verb", {"sing"});
  write("adj", {"tall"});
  write("adv", {"soon"});
  const PartsOfSpeech parts = load();
  EXPECT_EQ(parts.of("filmed"), 0);
  EXPECT_EQ(parts.of("princess"), 0);  // no rule for nouns in "ss"
  EXPECT_EQ(parts.of("boss"), 0);
  EXPECT_EQ(parts.of("as"), 0);  // or for those of two letters
  EXPECT_EQ(parts.of("tallest"), kAdjective);
  EXPECT_EQ(parts.of("talls"), 0);
  EXPECT_EQ(parts.of("sooner"), 0);
  EXPECT_EQ(parts.of("sing"), kVerb);
  EXPECT_EQ(parts.of("ing"), 0);
}

// Forms from WordNet's verb.exc and adj.exc, which has them one by one.
TEST_F(SmallWordnet, SpellingRulesBesideThoseOfDetachment) {
  write("verb", {"abhor", "accompany", "bivouac", "control", "cram", "degas", "dog", "equip",
                 "format", "frolic", "run", "stop", "bury"});
  write("adj", {"big", "thin", "happy"});
  write("noun", {"potato"});
  const PartsOfSpeech parts = load();
  for (const char* form :
       {"abhorred", "accompanied", "bivouacked", "controlling", "crammed", "degasses", "dogged",
        "equipping", "formatted", "frolicking", "running", "stopped", "buried"})
    EXPECT_EQ(parts.of(form), kVerb) << form;
  for (const char* form : {"bigger", "biggest", "thinner", "happier", "happiest"})
    EXPECT_EQ(parts.of(form), kAdjective) << form;
  EXPECT_EQ(parts.of("potatoes"), kNoun);
  EXPECT_EQ(parts.of("dogg"), 0);
  EXPECT_EQ(parts.of("doggs"), 0);
}

TEST_F(SmallWordnet, TheListsOfIrregularForms) {
  write("noun", {"ox", "box", "aide-de-camp"});
  write("verb", {"fee", "feed", "go"});
  write("adv", {"well", "hard"});
  scratch_.write("dict/noun.exc", "aides-de-camp aide-de-camp\nboxen boxe box\nghosten ghost\n");
  scratch_.write("dict/adv.exc", "harder hard\r\n");
  const PartsOfSpeech parts = load();
  EXPECT_EQ(parts.of("Aides-de-camp"), kNoun);
  EXPECT_EQ(parts.of("boxen"), kNoun);
  EXPECT_EQ(parts.of("ghosten"), 0);  // whose lemma no index has
  EXPECT_EQ(parts.of("harder"), kAdverb);
  // Known without a list.
  EXPECT_EQ(parts.of("oxen"), kNoun);
  EXPECT_EQ(parts.of("went"), kVerb);
  EXPECT_EQ(parts.of("fed"), kVerb);
  EXPECT_EQ(parts.of("best"), kAdverb);
  EXPECT_EQ(parts.of("children"), 0);  // whose lemma no index has
}

TEST_F(SmallWordnet, CompatibleWordsShareAPartOrAreBothUnknown) {
  write("noun", {"film", "dog"});
  write("verb", {"film", "see"});
  const PartsOfSpeech parts = load();
  EXPECT_TRUE(parts.compatible("film", "dogs"));
  EXPECT_TRUE(parts.compatible("filmed", "saw"));
  EXPECT_FALSE(parts.compatible("dog", "see"));
  EXPECT_TRUE(parts.compatible("the", "xyzzy"));
  EXPECT_FALSE(parts.compatible("the", "dog"));
}

TEST_F(SmallWordnet, MalformedLinesAreNamed) {
  const auto error = [&](const std::string& line) {
    scratch_.write("dict/index.verb", "  1 the licence  \ngo v 1 0 1 0 00000001\n" + line + "\n");
    return this->error();
  };
  EXPECT_EQ(error("run v 1 2 @ + 1 0 00000001  "), "");
  EXPECT_THAT(error("run n 1 0 1 0 00000001"), EndsWith("index.verb:3: pos is 'n', expected v"));
  EXPECT_THAT(error("run v 0 0 0 0"), EndsWith("synset_cnt is 0, expected a synset"));
  EXPECT_THAT(error("run v x 0 1 0 00000001"),
              EndsWith("index.verb:3: synset_cnt is 'x', expected a whole number"));
  EXPECT_THAT(error("run v -1 0 1 0 00000001"), HasSubstr("synset_cnt is '-1'"));
  EXPECT_THAT(error("run v 99999999999 0 1 0 00000001"), HasSubstr("synset_cnt is '9999"));
  EXPECT_THAT(error("run v 2000000000 0 2000000000 0 00000001"),
              EndsWith("found the end of the fields, expected synset_offset"));
  EXPECT_THAT(error("run v 1 3 @ + 1 0 00000001"), HasSubstr("index.verb:3: "));
  EXPECT_THAT(error("run v 1 0 2 0 00000001"),
              EndsWith("sense_cnt is 2, expected 1 as synset_cnt"));
  EXPECT_THAT(error("run v 1 0 1 0 0000001"),
              EndsWith("synset_offset is '0000001', expected 8 digits"));
  EXPECT_THAT(error("run v 1 0 1 0 00000001 00000002"),
              EndsWith("found '00000002', expected the end of the line"));
  EXPECT_THAT(error("run v 1 0 1"), EndsWith("expected tagsense_cnt"));
  EXPECT_THAT(error(""), EndsWith("index.verb:3: found the end of the fields, expected a lemma"));
  write("verb", {});
  scratch_.write("dict/verb.exc", "went go\ngone\n");
  EXPECT_THAT(this->error(),
              EndsWith("verb.exc:2: found the end of the fields, expected its lemma"));
}

TEST_F(SmallWordnet, AMissingIndexIsNamed) {
  fs::remove(scratch_.folder() / "dict/index.adj");
  EXPECT_THAT(error(), HasSubstr("index.adj: cannot be read"));
}

std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> parts;
  for (size_t end; (end = text.find(separator)) != text.npos;
       text.remove_prefix(end + separator.size()))
    parts.emplace_back(text.substr(0, end));
  parts.emplace_back(text);
  return parts;
}

TEST(IrregularForms, AreLemmasWithForms) {
  for (const std::string_view list :
       {irregular_nouns(), irregular_verbs(), irregular_adjectives(), irregular_adverbs()})
    for (const std::string& entry : split(list, "; "))
      EXPECT_THAT(entry, testing::MatchesRegex("[a-z]+( [a-z]+)+"));
}

TEST(PublishedWordnet, RealWords) {
  const fs::path dict = home_folder() / "data" / "wordnet" / "dict";
  if (!fs::exists(dict)) GTEST_SKIP() << "needs: textcrs data fetch wordnet";
  const PartsOfSpeech parts = PartsOfSpeech::load(dict);
  const std::vector<std::pair<const char*, PartsOfSpeechSet>> expected = {
      {"film", kNoun | kVerb},
      {"movies", kNoun},
      {"running", kNoun | kVerb | kAdjective},
      {"bigger", kAdjective},
      {"stopped", kVerb | kAdjective},
      {"men", kNoun},
      {"women", kNoun},
      {"children", kNoun},
      {"were", kVerb},
      {"was", kNoun | kVerb},  // also several of "WA"
      {"went", kVerb},
      {"took", kVerb},
      {"thought", kNoun | kVerb},
      {"best", kNoun | kVerb | kAdjective | kAdverb},
      {"happier", kAdjective},
      {"tried", kVerb | kAdjective},
      {"studies", kNoun | kVerb},
      {"boxes", kNoun | kVerb},
      {"princess", kNoun},
      {"terribly", kAdverb},
      {"Paris", kNoun},
      {"the", 0},
      {"would", 0},
      {"xyzzy", 0},
  };
  for (const auto& [word, set] : expected) EXPECT_EQ(parts.of(word), set) << word;
  EXPECT_TRUE(parts.compatible("movie", "films"));
  EXPECT_TRUE(parts.compatible("took", "gave"));
  EXPECT_FALSE(parts.compatible("terribly", "movie"));
}

TEST(PublishedWordnet, HasTheLemmaOfEveryIrregularForm) {
  const fs::path dict = home_folder() / "data" / "wordnet" / "dict";
  if (!fs::exists(dict)) GTEST_SKIP() << "needs: textcrs data fetch wordnet";
  const PartsOfSpeech parts = PartsOfSpeech::load(dict);
  const std::vector<std::pair<std::string_view, PartsOfSpeechSet>> lists = {
      {irregular_nouns(), kNoun},
      {irregular_verbs(), kVerb},
      {irregular_adjectives(), kAdjective},
      {irregular_adverbs(), kAdverb}};
  for (const auto& [list, part] : lists)
    for (const std::string& entry : split(list, "; "))
      for (const std::string& word : split(entry, " "))
        EXPECT_TRUE(parts.of(word) & part) << entry << ": " << word;
}

}  // namespace
}  // namespace textcrs
