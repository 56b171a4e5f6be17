#include "textcrs/report/certification_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>

#include <array>

#include "base/system_calls.h"
#include "model/expect_error.h"
#include "report/fake_classifier.h"
#include "text/temporary_folder.h"
#include "textcrs/base/files.h"
#include "textcrs/base/version.h"
#include "textcrs/report/results_file.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const Dataset kTexts = {"films",
                        {"neg", "pos"},
                        {{10, "good film", 1},
                         {11, "bad film of the town", 0},
                         {12, "", 0},
                         {13, "good plot", 0},
                         {15, "good and warm", kNoLabel}}};

RunReporter no_report() {
  return [](const RunProgress&) {};
}

// The records without the times they took.
std::vector<std::string> lines(const fs::path& folder) {
  std::vector<std::string> list;
  std::istringstream content(read_file(folder / "results.jsonl"));
  for (std::string line; std::getline(content, line);) {
    Record record = parse_record(line);
    EXPECT_GE(record.wall_seconds.value_or(-1), 0);
    record.seconds = 0;
    record.wall_seconds.reset();
    list.push_back(to_json(record));
  }
  return list;
}

class CertificationRun : public testing::Test {
 protected:
  RunOptions out(const std::string& name) const {
    RunOptions options;
    options.folder = work_.path() / name;
    return options;
  }

 private:
  TemporaryFolder work_;
};

TEST_F(CertificationRun, TheSummaryCarriesTheCaveats) {
  FakeClassifier classifier;
  run_certification(classifier, kTexts, out("plain"), no_report());
  EXPECT_THAT(read_file(out("plain").folder / "summary.json"), Not(HasSubstr("caveats")));
  classifier.description_of().caveats = {"rounds in float32"};
  const Summary summary = run_certification(classifier, kTexts, out("rounds"), no_report());
  EXPECT_THAT(summary.caveats, ElementsAre("rounds in float32"));
  EXPECT_THAT(read_file(out("rounds").folder / "summary.json"),
              HasSubstr("\"caveats\": [\n    \"rounds in float32\"\n  ]"));
}

TEST_F(CertificationRun, TheSettingsNameTheArchitectureIfItIsKnown) {
  FakeClassifier classifier;
  run_certification(classifier, kTexts, out("unknown"), no_report());
  EXPECT_THAT(read_file(out("unknown").folder / "run.json"), Not(HasSubstr("architecture")));
  classifier.description_of().architecture = "bilstm";
  run_certification(classifier, kTexts, out("known"), no_report());
  EXPECT_THAT(read_file(out("known").folder / "run.json"),
              HasSubstr("\"architecture\": \"bilstm\""));
}

TEST_F(CertificationRun, WritesARecordPerTextAndASummary) {
  const FakeClassifier classifier;
  RunOptions options = out("whole");
  options.notes = {{"flags.toml", "[flags]\n"}};
  const Summary summary = run_certification(classifier, kTexts, options, no_report());
  EXPECT_EQ(summary.texts, 5u);
  EXPECT_EQ(summary.labelled, 4u);
  EXPECT_EQ(summary.abstained, 1u);
  EXPECT_EQ(summary.accuracy, 3.0 / 4);
  ASSERT_TRUE(summary.classes);
  EXPECT_EQ(summary.classes->classes(), classifier.classes());
  EXPECT_EQ(summary.classes->accuracy(), 2.0 / 4);
  EXPECT_EQ(read_file(options.folder / "summary.json"), to_json(summary));
  EXPECT_EQ(read_file(options.folder / "flags.toml"), "[flags]\n");
  const auto all = lines(options.folder);
  ASSERT_EQ(all.size(), 5u);
  EXPECT_EQ(all[0],
            R"({"id":10,"label":"pos","prediction":"pos","abstained":false,"correct":true,)"
            R"("words":2,"counts":[0,90],"pa":0.91,"pb":0.09000000000000001,)"
            R"("sound":{"certified":true,"deletion":1},"samples":100,"seconds":0.0,"version":")" +
                std::string(version()) + "\"}");
  EXPECT_FALSE(parse_record(all[2]).correct());
  EXPECT_THAT(parse_record(all[2]).warnings, ElementsAre(HasSubstr("no words")));
  ASSERT_EQ(summary.warnings.size(), 1u);
  EXPECT_EQ(summary.warnings[0].second, 1u);
  EXPECT_FALSE(parse_record(all[4]).label);
}

TEST_F(CertificationRun, GoesOnAfterInterruptionsAsIfThereHadBeenNone) {
  FakeClassifier classifier;
  run_certification(classifier, kTexts, out("whole"), no_report());
  const RunOptions options = out("stopped");
  for (const int texts : {0, 2, 1}) {
    classifier.stop_after(texts);
    try {
      run_certification(classifier, kTexts, options, no_report(), classifier.stop());
      ADD_FAILURE() << "not interrupted";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
      const size_t done = lines(options.folder).size();
      EXPECT_THAT(error.what(), HasSubstr(std::to_string(done) + " of 5 texts"));
    }
    EXPECT_FALSE(fs::exists(options.folder / "summary.json"));
  }
  EXPECT_EQ(lines(options.folder).size(), 3u);
  classifier.stop_after(-1);
  const int calls = classifier.calls();
  run_certification(classifier, kTexts, options, no_report(), classifier.stop());
  EXPECT_EQ(classifier.calls() - calls, 2);
  EXPECT_EQ(lines(options.folder), lines(out("whole").folder));
}

TEST_F(CertificationRun, AStopBetweenTwoTextsIsNoticed) {
  const FakeClassifier classifier;
  const std::atomic<bool> stop{true};
  EXPECT_THROW(run_certification(classifier, kTexts, out("early"), no_report(), StopToken(stop)),
               Error);
  EXPECT_EQ(classifier.calls(), 0);
}

TEST_F(CertificationRun, ReportsHowFarItIs) {
  FakeClassifier classifier;
  std::vector<size_t> done, resumed;
  const auto report = [&](const RunProgress& progress) {
    EXPECT_EQ(progress.texts, 5u);
    done.push_back(progress.done);
    resumed.push_back(progress.resumed);
  };
  classifier.stop_after(3);
  EXPECT_THROW(run_certification(classifier, kTexts, out("a"), report, classifier.stop()), Error);
  EXPECT_THAT(done, ElementsAre(0, 1, 2, 3));
  done.clear(), resumed.clear();
  classifier.stop_after(-1);
  run_certification(classifier, kTexts, out("a"), report);
  EXPECT_THAT(done, ElementsAre(3, 4, 5));
  EXPECT_THAT(resumed, ElementsAre(3, 3, 3));
}

TEST_F(CertificationRun, RecordsHoldKeysAndOnRequestTexts) {
  FakeClassifier classifier;
  Dataset texts = kTexts;
  texts.examples[1].key = "review-17";
  RunOptions options = out("keys");
  run_certification(classifier, texts, options, no_report());
  const auto without = lines(options.folder);
  EXPECT_EQ(parse_record(without[0]).key, std::nullopt);
  EXPECT_EQ(parse_record(without[1]).key, "review-17");
  EXPECT_EQ(parse_record(without[1]).text, std::nullopt);
  options = out("texts");
  options.with_text = true;
  classifier.stop_after(2);
  EXPECT_THROW(run_certification(classifier, texts, options, no_report(), classifier.stop()),
               Error);
  classifier.stop_after(-1);
  run_certification(classifier, texts, options, no_report());
  const auto with = lines(options.folder);
  ASSERT_EQ(with.size(), 5u);
  for (size_t i = 0; i < with.size(); ++i) {
    Record record = parse_record(with[i]);
    EXPECT_EQ(record.text, texts.examples[i].text);
    record.text.reset();
    EXPECT_EQ(to_json(record), without[i]);
  }
}

// The setting that makes a run another one, or "" if it goes on.
std::string other(const CertifiedClassifier& classifier, const Dataset& texts,
                  const RunOptions& options) {
  try {
    run_certification(classifier, texts, options, no_report());
    return "";
  } catch (const OtherRun& error) {
    return error.setting();
  }
}

TEST_F(CertificationRun, BelongsToOneClassifierAndCertainTexts) {
  const FakeClassifier classifier;
  RunOptions options = out("one");
  options.settings = {{"split", std::string("test")}};
  run_certification(classifier, kTexts, options, no_report());
  EXPECT_EQ(other(classifier, kTexts, options), "");
  const auto with = [&](const auto& change) {
    FakeClassifier changed;
    change(changed.description_of());
    return other(changed, kTexts, options);
  };
  EXPECT_EQ(with([](Description& d) { d.model = "fedcba9876543210"; }), "model");
  EXPECT_EQ(with([](Description& d) { d.noise = "universal:p=0.8"; }), "noise");
  EXPECT_EQ(with([](Description& d) { d.engine = "real"; }), "engine");
  EXPECT_EQ(with([](Description& d) { d.device = "cuda"; }), "device");
  EXPECT_EQ(with([](Description& d) { d.settings[0].value = uint64_t{2}; }), "seed");
  EXPECT_EQ(with([](Description& d) { d.certifier.estimation_samples = 91; }), "samples");
  EXPECT_EQ(with([](Description& d) { d.certifier.selection_samples = 11; }), "selection_samples");
  EXPECT_EQ(with([](Description& d) { d.certifier.alpha = 0.01; }), "alpha");
  EXPECT_EQ(with([](Description& d) { d.certifier.bounds = BoundsMethod::kJoint; }), "bounds");
  EXPECT_EQ(with([](Description& d) { d.certifier.stop.automatic = true; }), "stop");
  EXPECT_EQ(with([](Description& d) { d.certifier.stop.at_radius = kUnlimited; }),
            "stop_at_radius");
  EXPECT_EQ(with([](Description& d) { d.certifier.stop.operation = Operation::kEdit; }),
            "stop_operation");
  Dataset texts = kTexts;
  texts.examples[1].text = "bad film of the city";
  EXPECT_EQ(other(classifier, texts, options), "data");
  texts = kTexts;
  texts.examples.pop_back();
  EXPECT_EQ(other(classifier, texts, options), "data");
  texts = kTexts;
  texts.examples[1].key = "review-17";
  EXPECT_EQ(other(classifier, texts, options), "data");
  options.with_text = true;
  EXPECT_EQ(other(classifier, kTexts, options), "with_text");
  options.with_text = false;
  options.settings[0].value = std::string("train");
  EXPECT_EQ(other(classifier, kTexts, options), "split");
}

// A run that was stopped after two texts and whose second line was then changed by hand.
TEST_F(CertificationRun, DoesNotGoOnWithResultsOfOtherTextsOrClassifiers) {
  FakeClassifier classifier;
  Dataset texts = kTexts;
  texts.examples[1].key = "review-17";
  RunOptions options = out("forged");
  options.with_text = true;
  classifier.stop_after(2);
  EXPECT_THROW(run_certification(classifier, texts, options, no_report(), classifier.stop()),
               Error);
  classifier.stop_after(-1);
  const fs::path results = options.folder / "results.jsonl";
  const std::string sound = read_file(results);
  const size_t second = sound.find('\n') + 1;
  // (what stands there, what comes in its place, what the message says)
  const std::vector<std::array<std::string, 3>> forgeries = {
      {R"("id":11)", R"("id":99)", "of the text 99, which is not among the texts"},
      {R"("id":11)", R"("id":12)", R"(the text 12: found the key "review-17", expected none)"},
      {R"("key":"review-17",)", "", R"(found the key none, expected "review-17")"},
      {R"("label":"neg")", R"("label":"pos")", R"(found the label "pos", expected "neg")"},
      {R"("label":"neg",)", "", R"(found the label none, expected "neg")"},
      {R"("prediction":"neg")", R"("prediction":"ham")", R"(found the class "ham")"},
      {R"("counts":[90,0])", R"("counts":[])", "found 0 counts"},
      {R"("counts":[90,0])", R"("counts":[90])", "found 1 counts"},
      {R"("counts":[90,0])", R"("counts":[90,20])", "no votes of 100 samples"},
      {R"("counts":[90,0])", R"("counts":[90,-1])", "counts[1]: found -1"},
      {R"("counts":[90,0])", R"("counts":[9223372036854775807,9223372036854775807])", "no votes"},
      {R"("samples":100)", R"("samples":101)", "found 101 samples, expected at most 100"},
      {R"("samples":100)", R"("samples":100,"stop":"reached")", "found a stop"},
      {R"("words":5)", R"("sentences":5)", "it counts sentences"},
      {"of the town", "of the city", "found the text"}};
  for (const auto& [before, after, said] : forgeries) {
    std::string content = sound;
    const size_t at = content.find(before, second);
    ASSERT_NE(at, content.npos) << before;
    content.replace(at, before.size(), after);
    write_file_atomically(results, content);
    const std::string message = expect_error(
        ErrorKind::kBadInput, [&] { run_certification(classifier, texts, options, no_report()); });
    EXPECT_THAT(message, testing::StartsWith(results.string() + ":2: ")) << after;
    EXPECT_THAT(message, HasSubstr(said));
    EXPECT_EQ(read_file(results), content);
    EXPECT_FALSE(fs::exists(options.folder / "summary.json"));
  }
  write_file_atomically(results, sound);
  EXPECT_EQ(run_certification(classifier, texts, options, no_report()).texts, 5u);
}

TEST_F(CertificationRun, WithoutItsLinesOnTheDiskThereIsNoSummary) {
  const FakeClassifier classifier;
  const RunReporter fail = [failing = false](const RunProgress& p) mutable {
    if (p.done < 5 || failing) return;
    if (!fail_system_call(SYS_fdatasync, EIO)) _exit(2);
    failing = true;
  };
  EXPECT_EQ(in_child([&] { run_certification(classifier, kTexts, out("disk"), fail); }), 1);
  EXPECT_EQ(lines(out("disk").folder).size(), 5u);
  EXPECT_FALSE(fs::exists(out("disk").folder / "summary.json"));
  run_certification(classifier, kTexts, out("disk"), no_report());
  EXPECT_TRUE(fs::exists(out("disk").folder / "summary.json"));
}

TEST_F(CertificationRun, StartsAnewIfTold) {
  FakeClassifier classifier;
  RunOptions options = out("again");
  run_certification(classifier, kTexts, options, no_report());
  const auto before = lines(options.folder);
  classifier.description_of().model = "another";
  options.overwrite = true;
  classifier.stop_after(2);
  EXPECT_THROW(run_certification(classifier, kTexts, options, no_report(), classifier.stop()),
               Error);
  EXPECT_EQ(lines(options.folder).size(), 2u);
  EXPECT_FALSE(fs::exists(options.folder / "summary.json"));
  options.overwrite = false;
  run_certification(classifier, kTexts, options, no_report());
  EXPECT_EQ(lines(options.folder), before);
}

TEST_F(CertificationRun, WhatIsRefusedWritesNothing) {
  FakeClassifier classifier;
  RunOptions options = out("kept");
  run_certification(classifier, kTexts, options, no_report());
  const std::string run = read_file(options.folder / "run.json");
  classifier.description_of().model = "another";
  options.notes = {{"flags.toml", "[flags]\n"}};
  EXPECT_EQ(other(classifier, kTexts, options), "model");
  EXPECT_FALSE(fs::exists(options.folder / "flags.toml"));
  EXPECT_EQ(read_file(options.folder / "run.json"), run);
}

TEST_F(CertificationRun, CountsWhatAStopRuleSaved) {
  FakeClassifier classifier;
  classifier.description_of().certifier.estimation_samples = 990;
  classifier.description_of().certifier.stop.at_radius = 1;
  const Summary summary = run_certification(classifier, kTexts, out("saved"), no_report());
  ASSERT_TRUE(summary.saved);
  EXPECT_EQ(summary.saved->samples, 4u * 900);  // the text without words draws nothing
  for (const std::string& line : lines(out("saved").folder))
    EXPECT_EQ(parse_record(line).stops, parse_record(line).words > 0);
}

TEST_F(CertificationRun, LabelsMustBeTheClassifiers) {
  const FakeClassifier classifier;
  Dataset texts = kTexts;
  texts.classes = {"pos", "neg"};
  EXPECT_THROW(run_certification(classifier, texts, out("never"), no_report()), std::logic_error);
  texts = kTexts;
  texts.examples[1].label = 2;
  EXPECT_THROW(run_certification(classifier, texts, out("never"), no_report()), std::logic_error);
  EXPECT_FALSE(fs::exists(out("never").folder));
  texts.classes.clear();
  for (Example& example : texts.examples) example.label = kNoLabel;
  EXPECT_FALSE(run_certification(classifier, texts, out("no labels"), nullptr).accuracy);
}

}  // namespace
}  // namespace textcrs
