// textcrs attack: the recipes against small models.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "attack_run.h"
#include "bert_folder.h"

namespace textcrs::cli_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// The opposites as synonyms: attacks on the small models need some that turn them.
Arguments with_words_and_encoder() {
  const std::vector<std::pair<std::string, std::string>> opposites = {
      {"good", "bad"}, {"great", "poor"}, {"fine", "dull"}, {"warm", "cold"}, {"bright", "weak"}};
  static const std::string encoder = BertFolder::write("attack-encoder");
  json lists;
  std::string index, data;
  for (const auto& [a, b] : opposites) {
    lists[a] = {b};
    lists[b] = {a};
    for (const std::string& word : {a, b}) index += word + " a 2 1 @ 2 0 00000001 00000002  \n";
    data += fmt::format("00000001 00 a 02 {} 0 {} 0 000 | a gloss  \n", a, b);
  }
  fs::create_directories(workspace().path("dict"));
  for (const char* part : {"noun", "verb", "adv"})
    for (const char* list : {"index.", "data."})
      workspace().write(std::string("dict/") + list + part, "");
  workspace().write("dict/index.adj", index);
  workspace().write("dict/data.adj", data);
  return {"--synonyms", workspace().write("opposites.json", lists.dump()),
          "--wordnet",  workspace().path("dict"),
          "--encoder",  encoder};
}

TEST(Attack, ReplacesWordsAndAsksOtherModels) {
  const Result result =
      run(attack(plain(), "textfooler:similarity=0.01", "fooled",
                 with_words_and_encoder() +
                     Arguments{"--against", "votes=" + votes(), "--against", workspace().model()}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("textfooler:candidates=50,cosine=0.5,similarity=0.01"),
                    HasSubstr("answered right and attacked"), HasSubstr("attack accuracy"),
                    HasSubstr("votes, successes"), HasSubstr("model, all"),
                    HasSubstr("results: " + workspace().path("fooled"))));
  EXPECT_THAT(result.out, Not(HasSubstr("target,")));  // it certifies nothing
  const json lists = json_of(read(workspace().path("opposites.json")));
  size_t succeeded = 0;
  for (const json& record : checked_records("fooled")) {
    if (record["status"] != "succeeded") continue;
    ++succeeded;
    EXPECT_NE(record["after"], record["label"]);
    EXPECT_GT(record["similarity"], 0);
    EXPECT_EQ(record["models"].size(), 2u);
    EXPECT_FALSE(record["differences"].empty());
    for (const json& difference : record["differences"])
      EXPECT_EQ(lists[difference["before"].get<std::string>()][0], difference["after"]);
  }
  EXPECT_GT(succeeded, kTexts / 2);
  const json settings = json_of(read(workspace().path("fooled") + "/run.json"));
  for (const char* name : {"recipe", "model", "encoder", "replacements", "parts_of_speech", "data",
                           "votes.model", "model.noise"})
    EXPECT_TRUE(settings.contains(name)) << name;
  EXPECT_FALSE(settings.contains("copies"));
}

// Votes do not know the order of the words.
TEST(Attack, SwappedWordsDoNotTurnVotes) {
  const Result result = run(attack(votes(), "word-reorder:similarity=0.01,share=0.5", "swapped",
                                   with_words_and_encoder()));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const json& record : checked_records("swapped")) {
    EXPECT_NE(record["status"], "succeeded");
    EXPECT_EQ(record["share_before"], record["share_after"]);
  }
}

TEST(Attack, InsertsWordsThatAMaskedModelProposes) {
  const std::string masked =
      trained("attack-masked", {"pretrain", "--data", workspace().texts(), "--bert",
                                BertFolder::write("attack-bert"), "--batch-size", "16", "--length",
                                "16", "--epochs", "1", "--validation-share", "0.1"});
  const Result result = run(attack(votes(), "bae-insert:similarity=0.01,least=4", "inserted",
                                   with_words_and_encoder() + Arguments{"--masked-lm", masked}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  size_t inserted = 0;
  for (const json& record : checked_records("inserted"))
    for (const json& difference : record.value("differences", json::array())) {
      EXPECT_FALSE(difference.contains("before"));
      ++inserted;
    }
  EXPECT_GT(inserted, 0u);
}

TEST(Attack, AppendsGoodWords) {
  const Result result = run(attack(votes(), "good-words:least=20", "good", with_reference()));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  size_t succeeded = 0;
  for (const json& record : checked_records("good")) {
    if (record["status"] == "skipped") continue;
    succeeded += record["status"] == "succeeded";
    for (const json& difference : record["differences"]) {
      EXPECT_FALSE(difference.contains("before"));
      EXPECT_EQ(difference["place"], record["words"]);
    }
  }
  EXPECT_GT(succeeded, kTexts / 2);
}

TEST(Attack, OnePhraseIsSearchedOnceAndKept) {
  const Arguments command = attack(votes(), "universal-trigger:words=2,candidates=10,rounds=1",
                                   "phrase", with_reference());
  const Result first = run(command);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const json settings = json_of(read(workspace().path("phrase") + "/run.json"));
  const std::string phrase = settings["phrase"];
  EXPECT_THAT(first.err, HasSubstr("the phrase \"" + phrase + "\" turns"));
  const auto expected = checked_records("phrase");
  size_t edited = 0;
  for (const json& record : expected) {
    if (record["status"] == "skipped" || record["differences"].empty()) continue;
    EXPECT_EQ(record["adversarial"], phrase + " " + record["original"].get<std::string>());
    ++edited;
  }
  EXPECT_GT(edited, 0u);
  // As if killed after the first text.
  const auto lines = lines_of(read(results_path("phrase")));
  std::ofstream(results_path("phrase")) << lines[0] << '\n';
  const Result again = run(command);
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.err, AllOf(HasSubstr("going on: 1 of 20"), Not(HasSubstr("the phrase"))));
  EXPECT_EQ(records("phrase"), expected);
  const Result anew = run(command + Arguments{"--overwrite"});
  ASSERT_EQ(anew.exit_code, 0) << anew.err;
  EXPECT_THAT(anew.err, HasSubstr("the phrase \"" + phrase + "\" turns"));
  EXPECT_EQ(records("phrase"), expected);
  // Learnt from other texts it is another run.
  Arguments other = command;
  const std::string table = read(workspace().texts());
  *(std::find(other.begin(), other.end(), "--reference") + 1) =
      workspace().write("seen.csv", table.substr(0, table.find('\n', table.size() / 2) + 1));
  const Result refused = run(other);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("(--reference was "));
}

TEST(Attack, TheWorstCaseTurnsEveryVoteAndIsNotCovered) {
  const Result result = run(attack(votes(), "worst-case", "worst"));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const json& record : checked_records("worst")) {
    if (record["status"] == "skipped") continue;
    EXPECT_EQ(record["status"], "succeeded");
    const json& model = record["models"][0];
    EXPECT_EQ(model["name"], "target");
    EXPECT_EQ(model["certified"], true);
    EXPECT_EQ(model["covered"], false);
    EXPECT_NE(model["edited"], model["clean"]);
  }
  EXPECT_EQ(summary_of("worst")["attack_accuracy"], 0);
}

TEST(Attack, InsideAFrontierNothingTurns) {
  const std::string hash = "hash:buckets=3,functions=21";
  const auto results =
      run_all({attack(votes(), "frontier:form=inside", "inside-votes", with_reference()),
               attack(workspace().model(), "frontier:form=inside", "inside-hash",
                      with_reference() + Arguments{"--noise", hash}),
               attack(workspace().model(), "frontier:form=inside,candidates=10", "inside-noise",
                      with_reference() + Arguments{"--copies", "100", "--samples", "2000"}),
               attack(votes(), "frontier:candidates=10", "beyond", with_reference())});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* out : {"inside-votes", "inside-hash", "inside-noise"}) {
    SCOPED_TRACE(out);
    size_t covered = 0;
    for (const json& record : checked_records(out))
      for (const json& model : record.value("models", json::array())) {
        if (model["clean"] != record["label"] || !model["certified"]) continue;
        EXPECT_EQ(model["covered"], true) << record;
        EXPECT_EQ(model["edited"], model["clean"]);
        ++covered;
      }
    EXPECT_GT(covered, kTexts / 4);
  }
  checked_records("beyond");
  EXPECT_GT(summary_of("beyond")["succeeded"], kTexts / 2);
  EXPECT_EQ(summary_of("beyond")["models"][0]["successes"]["covered"], 0);
  // Outcomes are counted, so how many copies there would be does not matter.
  EXPECT_FALSE(json_of(read(workspace().path("inside-hash") + "/run.json")).contains("copies"));
  EXPECT_EQ(json_of(read(workspace().path("inside-noise") + "/run.json"))["copies"], 100);
}

TEST(Attack, TheBudgetEndsATextsAttack) {
  const Result result = run(attack(votes(), "good-words:least=20", "spent",
                                   with_reference() + Arguments{"--queries", "3"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const json& record : checked_records("spent")) EXPECT_LE(record["queries"], 3);
  EXPECT_GT(summary_of("spent")["spent"], 0);
  EXPECT_THAT(result.out, HasSubstr("ended with the budget of queries"));
}

TEST(Attack, TextsWithoutWordsAndWrongAnswers) {
  const std::string odd = workspace().write(
      "odd.csv", "text,label\n\" \",neg\n\" \",pos\ngood,neg\nbad,pos\ngood,pos\n");
  Arguments command = attack(votes(), "worst-case", "odd");
  *(std::find(command.begin(), command.end(), "--data") + 1) = odd;
  const Result result = run(command);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto all = records("odd");
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ((all[0]["status"] == "skipped") + (all[1]["status"] == "skipped"), 1);
  EXPECT_EQ(all[0]["words"], 0);
  EXPECT_EQ(all[2]["status"], "skipped");
  EXPECT_EQ(all[3]["status"], "skipped");
  EXPECT_EQ(all[4]["status"], "succeeded");
  *(std::find(command.begin(), command.end(), "--data") + 1) =
      workspace().write("wrong.csv", "text,label\ngood,neg\nbad,pos\n");
  *(std::find(command.begin(), command.end(), "--out") + 1) = workspace().path("all-wrong");
  const Result wrong = run(command);
  ASSERT_EQ(wrong.exit_code, 0) << wrong.err;
  EXPECT_THAT(wrong.out, HasSubstr("0 of 2 texts answered right and attacked, 0 with success\n"));
}

// Models of other kinds as targets.
TEST(Attack, IntervalBoundsAreATargetAndSentencesAreNot) {
  const std::string intervals = trained(
      "attacked-intervals",
      training_under("none") + Arguments{"--intervals", "--synonyms", workspace().synonyms()});
  const std::string sentences = trained("attacked-sentences", [] {
    Arguments command = training_under("none");
    const auto noise = std::find(command.begin(), command.end(), "--noise");
    command.erase(noise, noise + 2);
    return command + Arguments{"--units", "sentences"};
  }());
  const auto results = run_all(
      {attack(intervals, "textfooler:similarity=0", "on-intervals", with_words_and_encoder()),
       attack(intervals, "frontier", "refused", with_reference()),
       attack(sentences, "good-words", "refused", with_reference()),
       attack(votes(), "good-words", "on-sentences",
              with_reference() + Arguments{"--against", sentences})});
  EXPECT_EQ(results[0].exit_code, 0) << results[0].err;
  checked_records("on-intervals");
  EXPECT_EQ(summary_of("on-intervals")["models"][0]["name"], "target");
  EXPECT_EQ(results[1].exit_code, 2);
  EXPECT_THAT(results[1].err, HasSubstr("intervals certifies no words deleted and inserted"));
  EXPECT_EQ(results[2].exit_code, 2);
  EXPECT_THAT(results[2].err, HasSubstr("the model's units are sentences"));
  EXPECT_EQ(results[3].exit_code, 0) << results[3].err;
  checked_records("on-sentences");
}

TEST(Attack, ListNamesTheRecipesWithTheirThresholds) {
  const Result result = run({"list", "attacks"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  for (const char* recipe :
       {"textfooler:candidates=50,",
        "word-reorder:", "synonym-insert:", "bae-insert:", "input-reduction:form=flip,",
        "universal-trigger:words=3", "good-words:", "worst-case\n", "frontier:form=beyond,"})
    EXPECT_THAT(result.out, HasSubstr(recipe));
}

}  // namespace
}  // namespace textcrs::cli_test
