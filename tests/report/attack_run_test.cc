#include "textcrs/report/attack_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <thread>

#include "base/system_calls.h"
#include "certified/tiny_votes.h"
#include "model/expect_error.h"
#include "report/fake_classifier.h"
#include "text/temporary_folder.h"
#include "textcrs/attack/recipes.h"
#include "textcrs/base/files.h"
#include "textcrs/base/version.h"
#include "textcrs/certified/voting_classifier.h"
#include "textcrs/report/results_file.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using Texts = std::vector<std::string>;

Texts words_of(std::string_view text) {
  std::istringstream stream{std::string(text)};
  return {std::istream_iterator<std::string>(stream), {}};
}

// "pos" if "good" comes first, as FakeClassifier says, too; its share falls with every "dull".
class FakeTarget final : public AttackTarget {
 public:
  const Texts& classes() const override { return classes_; }
  Texts words(std::string_view text) const override { return words_of(text); }
  int examples_at_once() const override { return at_once; }

  std::vector<double> scores(std::span<const Texts> texts, uint32_t example) const override {
    if (on_question) on_question(example);
    std::vector<double> scores;
    for (const Texts& words : texts) {
      const bool good = !words.empty() && words[0] == "good";
      const auto dull = static_cast<double>(std::count(words.begin(), words.end(), "dull"));
      const double pos = good ? 0.5 + 0.5 / (1 + dull) : 0.25;
      scores.insert(scores.end(), {1 - pos, pos});
    }
    return scores;
  }

  int at_once = 1;
  std::function<void(uint32_t example)> on_question;

 private:
  Texts classes_ = {"neg", "pos"};
};

// Certifies everything, whatever the classifier says of it.
class Liar final : public FakeClassifier {
 public:
  Coverage covers(const Texts& words, const Certification& certified,
                  const Texts& edited) const override {
    EXPECT_TRUE(certified.sound.certified);
    return {true, Operation::kEdit, words[0] + " covers " + edited[0]};
  }
};

const Dataset kTexts = {"films",
                        {"neg", "pos"},
                        {{10, "good film of the town", 1},
                         {11, "bad film", 0},
                         {12, "bad plot", 1},
                         {13, "good plot and good music", 1},
                         {15, "", 0},
                         {16, "good  plot", 1}}};

// Of a text whose second word is "plot" another first word, which turns it; of others "dull" behind
// them, which does not; what begins with "bad" stays as it is.
Texts proposal(const Texts& words, uint32_t) {
  Texts edited = words;
  if (words.size() > 1 && words[0] == "good" && words[1] == "plot")
    edited[0] = "decent";
  else if (words.empty() || words[0] != "bad")
    edited.emplace_back("dull");
  return edited;
}

Attack attack(const AttackLimits& limits = {}, const TextProposal& worst = proposal) {
  RecipeParts parts;
  parts.worst = worst;
  return make_attack("worst-case", parts, limits);
}

std::vector<AttackRecord> records_of(const fs::path& folder) {
  std::vector<AttackRecord> list;
  std::istringstream content(read_file(folder / "results.jsonl"));
  for (std::string line; std::getline(content, line);) list.push_back(parse_attack_record(line));
  return list;
}

// The lines without the times they took.
Texts lines(const fs::path& folder) {
  Texts list;
  for (AttackRecord& record : records_of(folder)) {
    EXPECT_GE(record.wall_seconds.value_or(-1), 0);
    record.seconds = 0;
    record.wall_seconds.reset();
    list.push_back(to_json(record));
  }
  return list;
}

class AttackRunTest : public testing::Test {
 protected:
  AttackRunOptions out(const std::string& name) const {
    AttackRunOptions options;
    options.folder = work_.path() / name;
    options.settings = {{"recipe", std::string("worst-case")}};
    return options;
  }

  FakeTarget target_;
  FakeClassifier classifier_;
  std::vector<Defence> defences_ = {{"fake", &classifier_}};

 private:
  TemporaryFolder work_;
};

TEST_F(AttackRunTest, WritesARecordPerTextAndASummary) {
  const AttackRunOptions options = out("whole");
  Dataset texts = kTexts;
  texts.examples[0].key = "review-1";
  const AttackSummary summary = run_attack(attack(), target_, defences_, texts, options);
  EXPECT_EQ(read_file(options.folder / "summary.json"), to_json(summary));
  const Texts all = lines(options.folder);
  ASSERT_EQ(all.size(), 6u);
  const std::string made_by = "\"seconds\":0.0,\"version\":\"" + std::string(version()) + "\"}";
  EXPECT_EQ(all[0],
            R"({"id":10,"key":"review-1","label":"pos","status":"failed","before":"pos",)"
            R"("after":"pos","share_before":1.0,"share_after":0.75,"queries":2,"words":5,)"
            R"("words_after":6,"differences":[{"place":5,"after":"dull"}],)"
            R"("original":"good film of the town","adversarial":"good film of the town dull",)"
            R"("models":[{"name":"fake","clean":"pos","clean_abstained":false,"certified":true,)"
            R"("edited":"pos","edited_abstained":false,"covered":false,"why":""}],)" +
                made_by);
  // A text that stayed as it is is no question to a certificate.
  EXPECT_EQ(all[1],
            R"({"id":11,"label":"neg","status":"failed","before":"neg","after":"neg",)"
            R"("share_before":0.75,"share_after":0.75,"queries":1,"words":2,"words_after":2,)"
            R"("differences":[],"original":"bad film","adversarial":"bad film","models":[],)" +
                made_by);
  EXPECT_EQ(all[2],
            R"({"id":12,"label":"pos","status":"skipped","before":"neg","after":"neg",)"
            R"("share_before":0.25,"share_after":0.25,"queries":1,"words":2,"words_after":2,)"
            R"("original":"bad plot",)" +
                made_by);
  const AttackRecord turned = parse_attack_record(all[3]);
  EXPECT_EQ(turned.status, AttackStatus::kSucceeded);
  EXPECT_EQ(turned.differences, (std::vector<WordDifference>{{0, "good", "decent"}}));
  EXPECT_EQ(turned.models.at(0).edited, "neg");
  EXPECT_TRUE(turned.models.at(0).flipped());
  // "dull" does not bring a text without words nearer to "pos".
  const AttackRecord empty = parse_attack_record(all[4]);
  EXPECT_EQ(empty.words, 0u);
  EXPECT_EQ(empty.status, AttackStatus::kFailed);
  EXPECT_EQ(empty.adversarial, "");
  EXPECT_EQ(parse_attack_record(all[5]).original, "good plot");

  EXPECT_EQ(summary.texts, 6u);
  EXPECT_EQ(summary.attempted, 5u);
  EXPECT_EQ(summary.succeeded, 2u);
  ASSERT_EQ(summary.models.size(), 1u);
  EXPECT_EQ(summary.models[0].all.texts, 3u);
  EXPECT_EQ(summary.models[0].all.flipped, 2u);
  EXPECT_TRUE(summary.contradictions.empty());
}

TEST_F(AttackRunTest, ThreadsDoNotChangeTheLines) {
  Dataset texts = kTexts;
  for (uint32_t id = 100; id < 160; ++id)
    texts.examples.push_back(
        {id, id % 3 == 0 ? "good plot" : "good film of " + std::to_string(id), 1});
  run_attack(attack(), target_, defences_, texts, out("1"));
  for (const int threads : {3, 8}) {
    target_.at_once = threads;
    // Later texts are done first.
    target_.on_question = [](uint32_t example) {
      if (example % 5 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(3));
    };
    run_attack(attack(), target_, defences_, texts, out(std::to_string(threads)));
    EXPECT_EQ(lines(out(std::to_string(threads)).folder), lines(out("1").folder));
  }
  const auto records = records_of(out("1").folder);
  ASSERT_EQ(records.size(), texts.examples.size());
  for (size_t i = 0; i < records.size(); ++i) EXPECT_EQ(records[i].id, texts.examples[i].id);
}

TEST_F(AttackRunTest, GoesOnAfterInterruptionsAsIfThereHadBeenNone) {
  run_attack(attack(), target_, defences_, kTexts, out("whole"));
  const AttackRunOptions options = out("stopped");
  std::atomic<bool> stop{false};
  for (const auto& [threads, at] : {std::pair{1, 11u}, {3, 13u}, {1, 16u}}) {
    stop = false;
    target_.at_once = threads;
    target_.on_question = [&stop, last = at](uint32_t example) { stop = example >= last; };
    try {
      run_attack(attack(), target_, defences_, kTexts, options, {}, StopToken(stop));
      ADD_FAILURE() << "not interrupted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
      EXPECT_EQ(error.what(), "interrupted after " + std::to_string(lines(options.folder).size()) +
                                  " of 6 texts; the results are kept");
    }
    EXPECT_FALSE(fs::exists(options.folder / "summary.json"));
  }
  const size_t done = lines(options.folder).size();
  ASSERT_GT(done, 0u);
  ASSERT_LT(done, 6u);
  std::set<uint32_t> examples;
  target_.on_question = [&](uint32_t example) { examples.insert(example); };
  const AttackSummary summary = run_attack(attack(), target_, defences_, kTexts, options);
  EXPECT_EQ(examples.size(), 6 - done);
  EXPECT_EQ(lines(options.folder), lines(out("whole").folder));
  EXPECT_EQ(summary.succeeded, 2u);
  EXPECT_EQ(summary.models[0].all.texts, 3u);
}

TEST_F(AttackRunTest, AStopReachesTheDefences) {
  classifier_.stop_after(3);
  EXPECT_THAT(expect_error(ErrorKind::kInterrupted,
                           [&] {
                             run_attack(attack(), target_, defences_, kTexts, out("stopped"), {},
                                        classifier_.stop());
                           }),
              HasSubstr("after 3 of 6 texts"));
  EXPECT_EQ(lines(out("stopped").folder).size(), 3u);
}

TEST_F(AttackRunTest, ATornLastLineIsDoneAgain) {
  const AttackRunOptions options = out("torn");
  run_attack(attack(), target_, defences_, kTexts, options);
  const Texts whole = lines(options.folder);
  const fs::path file = options.folder / "results.jsonl";
  for (const size_t lost : {size_t{1}, size_t{40}}) {
    fs::resize_file(file, fs::file_size(file) - lost);
    size_t resumed = 0;
    run_attack(attack(), target_, defences_, kTexts, options,
               [&](const AttackRunProgress& progress) { resumed = progress.resumed; });
    EXPECT_EQ(resumed, 5u);
    EXPECT_EQ(lines(options.folder), whole);
  }
}

TEST_F(AttackRunTest, ADamagedLineIsRefusedByItsNumber) {
  const AttackRunOptions options = out("damaged");
  run_attack(attack(), target_, defences_, kTexts, options);
  const fs::path file = options.folder / "results.jsonl";
  std::string content = read_file(file);
  content[content.find('\n') + 1] = '#';
  std::ofstream(file) << content;
  EXPECT_THAT(expect_error(ErrorKind::kBadInput,
                           [&] { run_attack(attack(), target_, defences_, kTexts, options); }),
              testing::StartsWith(file.string() + ":2: not the record of an attack ("));
  EXPECT_EQ(read_file(file), content);
}

// A finished run whose fourth line was then changed by hand.
TEST_F(AttackRunTest, DoesNotGoOnWithResultsOfOtherTextsOrModels) {
  Dataset texts = kTexts;
  texts.examples[3].key = "review-17";
  const AttackRunOptions options = out("forged");
  run_attack(attack(), target_, defences_, texts, options);
  const fs::path results = options.folder / "results.jsonl";
  const std::string sound = read_file(results);
  const size_t fourth = sound.find(R"({"id":13)");
  // (what stands there, what comes in its place, what the message says)
  const std::vector<std::array<std::string, 3>> forgeries = {
      {R"("id":13)", R"("id":99)", "of the text 99, which is not among the texts"},
      {R"("key":"review-17",)", "", R"(found the key none, expected "review-17")"},
      {R"("label":"pos")", R"("label":"neg")", R"(found the label "neg", expected "pos")"},
      {R"("words":5)", R"("words":6)", "found 6 words, expected 5"},
      {R"("original":"good plot)", R"("original":"good film)", "expected \"good plot and good"},
      {R"("before":"pos")", R"("before":"ham")", R"(found the class "ham")"},
      {R"("before":"pos")", R"("before":"neg")", "found an attack on a wrong answer"},
      {R"("name":"fake")", R"("name":"fame")", R"(found the model "fame", expected "fake")"},
      {R"("clean":"pos")", R"("clean":"ham")", R"(found the class "ham")"},
      {R"("models":[{)", R"("models":[],"x":[{)", "found 0 models that were asked, expected 1"}};
  for (const auto& [before, after, said] : forgeries) {
    std::string content = sound;
    const size_t at = content.find(before, fourth);
    ASSERT_NE(at, content.npos) << before;
    content.replace(at, before.size(), after);
    write_file_atomically(results, content);
    const std::string message = expect_error(
        ErrorKind::kBadInput, [&] { run_attack(attack(), target_, defences_, texts, options); });
    EXPECT_THAT(message, testing::StartsWith(results.string() + ":4: ")) << after;
    EXPECT_THAT(message, HasSubstr(said));
    EXPECT_EQ(read_file(results), content);
  }
  write_file_atomically(results, sound);
  EXPECT_EQ(run_attack(attack(), target_, defences_, texts, options).texts, 6u);
}

TEST_F(AttackRunTest, BelongsToOneAttackOnCertainTexts) {
  AttackRunOptions options = out("one");
  run_attack(attack(), target_, defences_, kTexts, options);
  const Texts before = lines(options.folder);
  // The setting that makes a run another one, or "" if it goes on.
  const auto other = [&](const Attack& with, const std::vector<Defence>& defences,
                         const Dataset& texts, const AttackRunOptions& changed) -> std::string {
    try {
      run_attack(with, target_, defences, texts, changed);
      return "";
    } catch (const OtherRun& error) {
      return error.setting();
    }
  };
  EXPECT_EQ(other(attack(), defences_, kTexts, options), "");
  EXPECT_EQ(other(attack({.seed = 2}), defences_, kTexts, options), "seed");
  EXPECT_EQ(other(attack({.queries = 9}), defences_, kTexts, options), "query_budget");
  Dataset texts = kTexts;
  texts.examples[1].text += " again";
  EXPECT_EQ(other(attack(), defences_, texts, options), "data");
  EXPECT_EQ(other(attack(), {}, kTexts, options), "fake.model");
  EXPECT_EQ(other(attack(), {{"other", &classifier_}}, kTexts, options), "other.model");
  FakeClassifier changed;
  changed.description_of().model = "fedcba9876543210";
  EXPECT_EQ(other(attack(), {{"fake", &changed}}, kTexts, options), "fake.model");
  changed.description_of() = classifier_.description();
  changed.description_of().certifier.alpha = 0.01;
  EXPECT_EQ(other(attack(), {{"fake", &changed}}, kTexts, options), "fake.alpha");
  options.settings[0].value = std::string("textfooler");
  EXPECT_EQ(other(attack(), defences_, kTexts, options), "recipe");
  EXPECT_EQ(lines(options.folder), before);
  options.overwrite = true;
  EXPECT_EQ(other(attack(), {}, kTexts, options), "");
  EXPECT_TRUE(records_of(options.folder)[0].models.empty());
}

TEST_F(AttackRunTest, AnotherVersionsResultsAreNotAddedTo) {
  const AttackRunOptions options = out("older");
  run_attack(attack(), target_, defences_, kTexts, options);
  const auto replace_in = [&](const char* name) {
    std::string content = read_file(options.folder / name);
    const std::string mark = "\"" + std::string(version()) + "\"";
    content.replace(content.find(mark), mark.size(), "\"0.1.9\"");
    std::ofstream(options.folder / name) << content;
  };
  replace_in("results.jsonl");
  EXPECT_THROW(run_attack(attack(), target_, defences_, kTexts, options), OtherVersion);
  replace_in("run.json");
  EXPECT_THROW(run_attack(attack(), target_, defences_, kTexts, options), OtherVersion);
}

TEST_F(AttackRunTest, RefusesWhatCanNotBeAttacked) {
  const AttackRunOptions options = out("never");
  const auto run = [&](const std::vector<Defence>& defences, const Dataset& texts) {
    run_attack(attack(), target_, defences, texts, options);
  };
  Dataset texts = kTexts;
  texts.examples[3].label = kNoLabel;
  EXPECT_THAT(expect_error(ErrorKind::kUsage, [&] { run(defences_, texts); }),
              HasSubstr("text 13 has no label"));
  for (const int label : {2, -2}) {
    texts.examples[3].label = label;
    EXPECT_THROW(run(defences_, texts), std::logic_error);
  }
  texts = kTexts;
  texts.classes = {"pos", "neg"};
  EXPECT_THROW(run(defences_, texts), std::logic_error);
  EXPECT_THROW(run({defences_[0], defences_[0]}, kTexts), std::logic_error);
  const VotingClassifier votes(tiny_votes({{"good", {0, 1}}}, {0, 0}));
  EXPECT_EQ(expect_error(ErrorKind::kUsage,
                         [&] {
                           run({{"votes", &votes}}, kTexts);
                         }),
            "votes: found the classes c0, c1, expected those of the model that is attacked: neg, "
            "pos");
  EXPECT_FALSE(fs::exists(options.folder));
}

TEST_F(AttackRunTest, WithoutItsLinesOnTheDiskThereIsNoSummary) {
  const AttackRunOptions options = out("disk");
  const AttackReporter fail = [failing = false](const AttackRunProgress& p) mutable {
    if (p.done < p.texts || failing) return;
    if (!fail_system_call(SYS_fdatasync, EIO)) _exit(2);
    failing = true;
  };
  EXPECT_EQ(in_child([&] { run_attack(attack(), target_, defences_, kTexts, options, fail); }), 1);
  EXPECT_EQ(lines(options.folder).size(), 6u);
  EXPECT_FALSE(fs::exists(options.folder / "summary.json"));
}

TEST_F(AttackRunTest, OfNoTextsHasAnEmptySummary) {
  Dataset none = kTexts;
  none.examples.clear();
  const AttackSummary summary = run_attack(attack(), target_, defences_, none, out("none"));
  EXPECT_EQ(summary.texts, 0u);
  EXPECT_FALSE(summary.attack_accuracy);
  EXPECT_EQ(read_file(out("none").folder / "results.jsonl"), "");
  EXPECT_TRUE(fs::exists(out("none").folder / "summary.json"));
}

TEST_F(AttackRunTest, OfATargetThatIsAlwaysWrongAttemptsNothing) {
  Dataset texts = kTexts;
  for (Example& example : texts.examples) example.label = 1 - example.label;
  texts.examples[2].label = 1;  // "bad plot"
  const AttackSummary summary = run_attack(attack(), target_, defences_, texts, out("wrong"));
  EXPECT_EQ(summary.texts, 6u);
  EXPECT_EQ(summary.attempted, 0u);
  EXPECT_EQ(summary.queries, 0u);
  EXPECT_EQ(summary.accuracy_before, 0);
  EXPECT_TRUE(summary.models.empty());
  EXPECT_EQ(classifier_.calls(), 0);
}

TEST_F(AttackRunTest, ReportsHowFarItIs) {
  const Liar liar;
  std::vector<size_t> done, attempted, succeeded, contradicted;
  std::atomic<bool> stop{false};
  const auto report = [&](const AttackRunProgress& progress) {
    EXPECT_EQ(progress.texts, 6u);
    EXPECT_GE(progress.seconds_left, 0);
    done.push_back(progress.done);
    attempted.push_back(progress.attempted);
    succeeded.push_back(progress.succeeded);
    contradicted.push_back(progress.contradicted);
    stop = progress.done == 4;
  };
  const auto run = [&] {
    run_attack(attack(), target_, {{"liar", &liar}}, kTexts, out("some"), report, StopToken(stop));
  };
  EXPECT_THROW(run(), Error);
  EXPECT_THAT(done, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(attempted, ElementsAre(0, 1, 2, 2, 3));
  EXPECT_THAT(succeeded, ElementsAre(0, 0, 0, 0, 1));
  EXPECT_THAT(contradicted, ElementsAre(0, 0, 0, 0, 1));
  done.clear(), contradicted.clear(), stop = false;
  try {
    run();  // stops again, at once: four are done
    ADD_FAILURE() << "not interrupted";
  } catch (const Error&) {
  }
  EXPECT_THAT(done, ElementsAre(4));
  EXPECT_THAT(contradicted, ElementsAre(1));
}

// What a certificate promised and the classifier does not keep is named with the text.
TEST_F(AttackRunTest, ACertificateThatLiesIsFound) {
  const Liar liar;
  const AttackSummary summary = run_attack(
      attack(), target_, {{"honest", &classifier_}, {"liar", &liar}}, kTexts, out("lie"));
  ASSERT_EQ(summary.models.size(), 2u);
  EXPECT_EQ(summary.models[0].contradicted, 0u);
  EXPECT_EQ(summary.models[1].contradicted, 2u);
  EXPECT_EQ(summary.models[1].all.covered, 3u);
  ASSERT_EQ(summary.contradictions.size(), 2u);
  const AttackSummary::Contradiction& first = summary.contradictions[0];
  EXPECT_EQ(first.id, 13u);
  ASSERT_EQ(first.models.size(), 1u);
  EXPECT_EQ(first.models[0].model, "liar");
  EXPECT_EQ(first.models[0].why, "good covers decent");
  EXPECT_EQ(first.original, "good plot and good music");
  EXPECT_EQ(first.adversarial, "decent plot and good music");
  EXPECT_EQ(summary.contradictions[1].id, 16u);
  // Also from the records of a finished run.
  const AttackSummary again = run_attack(
      attack(), target_, {{"honest", &classifier_}, {"liar", &liar}}, kTexts, out("lie"));
  EXPECT_EQ(again.contradictions.size(), 2u);
}

TEST_F(AttackRunTest, ASettingOfARunIsRead) {
  AttackRunOptions options = out("settings");
  EXPECT_EQ(setting_of_run(options.folder, "phrase"), std::nullopt);
  options.settings.push_back({"phrase", std::string("zoe's \"film\"")});
  options.settings.push_back({"copies", uint64_t{300}});
  run_attack(attack(), target_, defences_, kTexts, options);
  EXPECT_EQ(setting_of_run(options.folder, "phrase"), options.settings[1]);
  EXPECT_EQ(setting_of_run(options.folder, "copies"), options.settings[2]);
  EXPECT_EQ(setting_of_run(options.folder, "phrases"), std::nullopt);
  std::ofstream(options.folder / "run.json") << "{";
  EXPECT_THAT(expect_error(ErrorKind::kBadInput, [&] { setting_of_run(options.folder, "phrase"); }),
              HasSubstr("run.json"));
}

}  // namespace
}  // namespace textcrs
