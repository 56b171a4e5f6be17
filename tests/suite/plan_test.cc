#include "textcrs/suite/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "suite_parts.h"

namespace textcrs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kSuite = R"(
[defaults]
seed = 5
limit = 40
samples = 1000
alpha = 0.01
train = { epochs = 3 }
certify = { selection-samples = 50 }
[[data]]
name = "d"
title = "Data"
texts = ["texts/train.csv", "texts/test.csv"]
train = { slots = 64 }
[[model]]
name = "m"
title = "Model"
[[model]]
name = "v"
device = "cpu"
train = { architecture = "votes", epochs = 9 }
[[model.for]]
data = ["d"]
certify = { limit = 7 }
[[method]]
name = "plain"
operation = "none"
models = ["m"]
noise = "none"
evaluate = { copies = 1 }
[[method]]
name = "cut"
title = "Cut"
operation = "deletion"
levels = { low = "delete:p=0.3", high = "delete:p=0.7" }
[[method.for]]
models = ["v"]
levels = { low = "delete:p=0.1" }
train = { edits = 2 }
[[encoder]]
name = "words"
pretrain = { epochs = 1 }
[[variant]]
name = "N=9"
models = ["m"]
levels = ["high"]
certify = { samples = 9 }
[[attack]]
name = "shorter"
recipe = "input-reduction"
operation = "deletion"
methods = ["plain"]
against = ["cut.low", "cut.high"]
judged = true
attack = { masked-lm = "@words", limit = 8 }
judge = { url = "http://localhost:1" }
)";

std::vector<PlannedStep> plan_of(const std::string& content, const PlanOptions& options = {}) {
  return plan_suite(suite_of(content), options);
}

std::map<std::string, std::string> commands_of(const std::string& content,
                                               const PlanOptions& options = {}) {
  const TemporaryFolder folder;
  std::map<std::string, std::string> commands;
  for (const PlannedStep& planned : settled(suite_of(content), "out", options))
    commands[planned.step.name] = in_shell_words(planned.step.command);
  return commands;
}

// Written out by hand: each method's levels for each model that it has, the attack behind them.
TEST(Plan, IsTheMatrix) {
  EXPECT_THAT(names_of(plan_of(kSuite)),
              ElementsAre("d.words.pretrain",                       //
                          "d.m.plain.train", "d.m.plain.evaluate",  //
                          "d.m.cut.low.train", "d.m.cut.low.evaluate", "d.m.cut.low.certify",
                          "d.m.cut.high.train", "d.m.cut.high.evaluate", "d.m.cut.high.certify",
                          "d.m.cut.high.certify.N=9",  //
                          "d.v.cut.low.train", "d.v.cut.low.evaluate", "d.v.cut.low.certify",
                          "d.m.plain.shorter.attack", "d.m.plain.shorter.judge"));
}

TEST(Plan, CommandsAreThoseThatAUserWouldType) {
  const auto commands = commands_of(kSuite);
  EXPECT_EQ(commands.at("d.words.pretrain"),
            "textcrs pretrain --data texts/train.csv --seed 5 --epochs 1 "
            "--out out/models/d.words");
  EXPECT_EQ(commands.at("d.m.plain.train"),
            "textcrs train --data texts/train.csv --noise none --seed 5 --epochs 3 --slots 64 "
            "--out out/models/d.m.plain");
  EXPECT_EQ(commands.at("d.m.plain.evaluate"),
            "textcrs evaluate --data texts/test.csv --model out/models/d.m.plain --seed 5 "
            "--copies 1 --json");
  EXPECT_EQ(commands.at("d.m.cut.high.train"),
            "textcrs train --data texts/train.csv --noise delete:p=0.7 --seed 5 --epochs 3 "
            "--slots 64 --out out/models/d.m.cut.high");
  EXPECT_EQ(commands.at("d.m.cut.high.certify"),
            "textcrs certify --data texts/test.csv --model out/models/d.m.cut.high --seed 5 "
            "--limit 40 --samples 1000 --alpha 0.01 --selection-samples 50 "
            "--out out/runs/d.m.cut.high.certify");
  EXPECT_EQ(commands.at("d.m.cut.high.certify.N=9"),
            "textcrs certify --data texts/test.csv --model out/models/d.m.cut.high --seed 5 "
            "--limit 40 --samples 9 --alpha 0.01 --selection-samples 50 "
            "--out out/runs/d.m.cut.high.certify.N=9");
  // The overrides of the method and of the model.
  EXPECT_EQ(commands.at("d.v.cut.low.train"),
            "textcrs train --data texts/train.csv --noise delete:p=0.1 --seed 5 --epochs 9 "
            "--slots 64 --architecture votes --edits 2 --out out/models/d.v.cut.low");
  EXPECT_THAT(commands.at("d.v.cut.low.certify"), HasSubstr("--limit 7 --samples 1000"));
  EXPECT_EQ(commands.at("d.m.plain.shorter.attack"),
            "textcrs attack --data texts/test.csv --recipe input-reduction "
            "--model out/models/d.m.plain --against cut.low=out/models/d.m.cut.low "
            "--against cut.high=out/models/d.m.cut.high --seed 5 --limit 8 --alpha 0.01 "
            "--masked-lm out/models/d.words --out out/runs/d.m.plain.shorter.attack");
  EXPECT_EQ(commands.at("d.m.plain.shorter.judge"),
            "textcrs judge out/runs/d.m.plain.shorter.attack --url http://localhost:1");
}

TEST(Plan, StepsNeedWhatTheyRead) {
  std::vector<PlannedStep> plan = plan_of(kSuite);
  EXPECT_THAT(step_of(plan, "d.m.plain.train").step.needs, IsEmpty());
  EXPECT_THAT(step_of(plan, "d.m.plain.evaluate").step.needs, ElementsAre("d.m.plain.train"));
  EXPECT_THAT(step_of(plan, "d.m.cut.high.certify.N=9").step.needs,
              ElementsAre("d.m.cut.high.train"));
  EXPECT_THAT(step_of(plan, "d.m.plain.shorter.attack").step.needs,
              ElementsAre("d.m.plain.train", "d.m.cut.low.train", "d.m.cut.high.train",
                          "d.words.pretrain"));
  EXPECT_THAT(step_of(plan, "d.m.plain.shorter.judge").step.needs,
              ElementsAre("d.m.plain.shorter.attack"));
}

TEST(Plan, TagsSayWhatAStepIs) {
  std::vector<PlannedStep> plan = plan_of(kSuite);
  const SuiteStep& variant = step_of(plan, "d.m.cut.high.certify.N=9").step;
  EXPECT_EQ(variant.kind, "certify");
  EXPECT_THAT(variant.tags,
              testing::UnorderedElementsAre(
                  testing::Pair("data", "d"), testing::Pair("data-title", "Data"),
                  testing::Pair("model", "m"), testing::Pair("model-title", "Model"),
                  testing::Pair("method", "cut"), testing::Pair("method-title", "Cut"),
                  testing::Pair("operation", "deletion"), testing::Pair("level", "high"),
                  testing::Pair("noise", "delete:p=0.7"), testing::Pair("variant", "N=9"),
                  testing::Pair("variant-title", "N=9"), testing::Pair("samples", "9"),
                  testing::Pair("limit", "40")));
  const SuiteStep& judged = step_of(plan, "d.m.plain.shorter.judge").step;
  EXPECT_EQ(judged.tag("attack"), "shorter");
  EXPECT_EQ(judged.tag("recipe"), "input-reduction");
  EXPECT_EQ(judged.tag("operation"), "deletion");
  EXPECT_EQ(judged.tag("nothing"), "");
}

TEST(Plan, TheCommandLineDecides) {
  PlanOptions options;
  options.seed = 6;
  options.limit = 3;
  options.samples = 77;
  options.device = "cuda";
  options.data = {"d"};
  options.texts["d"] = {"other/train.csv", "other/test.csv"};
  const auto commands = commands_of(kSuite, options);
  EXPECT_EQ(commands.at("d.m.cut.low.certify"),
            "textcrs certify --data other/test.csv --device cuda --model out/models/d.m.cut.low "
            "--seed 6 --limit 3 --samples 77 --alpha 0.01 --selection-samples 50 "
            "--out out/runs/d.m.cut.low.certify");
  // What a variant is about stays; a model's own device, too; every limit goes.
  EXPECT_THAT(commands.at("d.m.cut.high.certify.N=9"), HasSubstr("--limit 3 --samples 9"));
  EXPECT_THAT(commands.at("d.v.cut.low.certify"), HasSubstr("--limit 3 --samples 77"));
  EXPECT_THAT(commands.at("d.v.cut.low.certify"), Not(HasSubstr("--device")));
  EXPECT_THAT(commands.at("d.m.plain.shorter.attack"), HasSubstr("--limit 3"));
  EXPECT_THAT(commands.at("d.m.plain.train"), HasSubstr("--data other/train.csv --device cuda"));
}

// A part that has a seed is there to be told from others by it.
TEST(Plan, ASeedOfAPartStays) {
  const std::string suite = std::string(kLeast) +
                            "train = { seed = 8 }\n[[variant]]\nname = \"again\"\n"
                            "certify = { seed = 9 }\n[defaults]\nseed = 1\n";
  PlanOptions options;
  options.seed = 2;
  const auto commands = commands_of(suite, options);
  EXPECT_THAT(commands.at("d.m.a.low.train"), HasSubstr("--seed 8"));
  EXPECT_THAT(commands.at("d.m.a.low.evaluate"), HasSubstr("--seed 2"));
  EXPECT_THAT(commands.at("d.m.a.low.certify"), HasSubstr("--seed 2"));
  EXPECT_THAT(commands.at("d.m.a.low.certify.again"), HasSubstr("--seed 9"));
}

// As those of the other verbs: the most special part counts.
TEST(Plan, AJudgesFlagsMayStandInAnyPart) {
  std::string suite = kLeast;
  suite.insert(suite.find("[[method]]"), "judge = { judge-model = \"x\", budget = 3 }\n");
  suite +=
      "judge = { budget = 5 }\n[[attack]]\nname = \"word-reorder\"\nmethods = [\"a\"]\n"
      "judged = true\njudge = { url = \"http://localhost:1\" }\n";
  PlanOptions options;
  options.seed = 2;  // a judge has none
  EXPECT_EQ(commands_of(suite, options).at("d.m.a.low.word-reorder.judge"),
            "textcrs judge out/runs/d.m.a.low.word-reorder.attack --judge-model x --budget 5 "
            "--url http://localhost:1");
}

TEST(Plan, AReferenceIsGivenToAttacksThatWantOne) {
  const std::string attack =
      "[[attack]]\nname = \"good-words\"\nmethods = [\"a\"]\n[[attack]]\nname = \"word-reorder\"\n"
      "methods = [\"a\"]\n";
  const std::string two =
      "[[data]]\nname = \"d\"\ntexts = [\"t/a.csv\", \"t/b.csv\"]\n[[model]]\nname = \"m\"\n"
      "[[method]]\nname = \"a\"\n";
  const auto commands = commands_of(two + attack);
  EXPECT_THAT(commands.at("d.m.a.good-words.attack"), HasSubstr("--reference t/a.csv"));
  EXPECT_THAT(commands.at("d.m.a.word-reorder.attack"), Not(HasSubstr("--reference")));
  // Fetched data knows both of its parts by one name.
  EXPECT_THAT(commands_of(kLeast + attack).at("d.m.a.low.good-words.attack"),
              Not(HasSubstr("--reference")));
}

TEST(Plan, WhatIsTrainedTheSameIsTrainedOnce) {
  const std::string twice = std::string(kLeast) +
                            "[[method]]\nname = \"b\"\nlevels = { low = \"delete:p=0.3\" }\n"
                            "certify = { samples = 10 }\n";
  std::vector<PlannedStep> plan = plan_of(twice);
  EXPECT_THAT(names_of(plan),
              ElementsAre("d.m.a.low.train", "d.m.a.low.evaluate", "d.m.a.low.certify",
                          "d.m.b.low.evaluate", "d.m.b.low.certify"));
  EXPECT_THAT(step_of(plan, "d.m.b.low.certify").step.needs, ElementsAre("d.m.a.low.train"));
}

TEST(Plan, AFlagMayNameAModel) {
  const std::string student =
      std::string(kLeast) + "[[method]]\nname = \"b\"\ntrain = { start-from = \"@a.low\" }\n";
  const auto commands = commands_of(student);
  EXPECT_THAT(commands.at("d.m.b.train"), HasSubstr("--start-from out/models/d.m.a.low "));
  const auto problem = [](const std::string& reference) {
    return error_of([&] {
      plan_of(std::string(kLeast) + "[[method]]\nname = \"b\"\ntrain = { start-from = \"@" +
              reference + "\" }\n");
    });
  };
  EXPECT_THAT(problem("b"), HasSubstr("tiny.toml:12: '@b' of the flag 'start-from': found no such "
                                      "model that is trained before, for d.m"));
  EXPECT_THAT(problem("a"), HasSubstr("'@a' of the flag 'start-from'"));
  EXPECT_THAT(problem("a.high"), HasSubstr("'@a.high' of the flag 'start-from'"));
  EXPECT_EQ(problem("a.low"), "");
}

// Equal where the results are.
TEST(Plan, IdentityIsWhatDecidesTheResults) {
  const auto identity = [](const std::string& content, const PlanOptions& options = {},
                           const std::string& name = "d.m.a.low.certify") {
    std::vector<PlannedStep> plan = plan_of(content, options);
    return step_of(plan, name).step.identity;
  };
  const std::string least = kLeast, first = identity(least);
  EXPECT_EQ(identity(least), first);
  EXPECT_EQ(identity(least + "title = \"another\"\n"), first);
  EXPECT_EQ(identity(least + "certify = { threads = 2 }\n"), first);
  EXPECT_NE(identity(least + "certify = { samples = 2 }\n"), first);
  EXPECT_NE(identity(least + "train = { epochs = 2 }\n"), first);  // of what it needs
  EXPECT_EQ(identity(least + "evaluate = { copies = 2 }\n"), first);
  PlanOptions options;
  options.device = "cuda";
  EXPECT_EQ(identity(least, options), first);
  options.texts["d"] = {"/elsewhere/texts/d.csv", "/elsewhere/texts/d.csv"};
  EXPECT_EQ(identity(least, options), first);  // the same texts moved
  options.texts["d"] = {"/elsewhere/texts/d.csv", "/elsewhere/texts/e.csv"};
  EXPECT_NE(identity(least, options), first);
  options.texts["d"] = {"/elsewhere/words/d.csv", "/elsewhere/texts/d.csv"};
  EXPECT_NE(identity(least, options), first);
  options = {};
  options.seed = 4;
  EXPECT_NE(identity(least, options), first);
}

TEST(Plan, OnlyKeepsWhatIsNeeded) {
  const auto only = [](const std::vector<std::string>& words) {
    PlanOptions options;
    options.only = words;
    return names_of(plan_of(kSuite, options));
  };
  EXPECT_THAT(only({"v"}),
              ElementsAre("d.v.cut.low.train", "d.v.cut.low.evaluate", "d.v.cut.low.certify"));
  EXPECT_THAT(
      only({"certify", "high", "m"}),
      ElementsAre("d.m.cut.high.train", "d.m.cut.high.certify", "d.m.cut.high.certify.N=9"));
  EXPECT_THAT(only({"N=9"}), ElementsAre("d.m.cut.high.train", "d.m.cut.high.certify.N=9"));
  EXPECT_THAT(only({"pretrain"}), ElementsAre("d.words.pretrain"));
  EXPECT_THAT(only({"words"}), ElementsAre("d.words.pretrain"));
  EXPECT_THAT(
      only({"shorter", "judge"}),
      ElementsAre("d.words.pretrain", "d.m.plain.train", "d.m.cut.low.train", "d.m.cut.high.train",
                  "d.m.plain.shorter.attack", "d.m.plain.shorter.judge"));
  EXPECT_THAT(only({"d.m.plain.evaluate"}), ElementsAre("d.m.plain.train", "d.m.plain.evaluate"));
  EXPECT_THAT(error_of([&] { only({"certfy"}); }),
              HasSubstr("no step of the suite is 'certfy'; did you mean 'certify'?"));
  EXPECT_THAT(error_of([&] {
                only({"v", "high"});
              }),
              HasSubstr("no step of the suite is all of: v, high"));
  EXPECT_THAT(error_of([&] { only({""}); }), HasSubstr("no step of the suite is ''"));
}

TEST(Plan, ChoosesData) {
  const std::string two = std::string(kLeast) + "[[data]]\nname = \"e\"\ntexts = [\"e.csv\"]\n";
  PlanOptions options;
  options.data = {"e"};
  EXPECT_THAT(names_of(plan_of(two, options)),
              ElementsAre("e.m.a.low.train", "e.m.a.low.evaluate", "e.m.a.low.certify"));
  options.data = {"ee"};
  EXPECT_THAT(error_of([&] { plan_of(two, options); }),
              HasSubstr("tiny.toml: the suite has no data 'ee', expected some of: d, e"));
}

TEST(Plan, IsRefusedWhereNothingIsToBeDoneOrNamesMeet) {
  EXPECT_THAT(error_of([] {
                plan_of(std::string(kLeast) +
                            "models = [\"n\"]\n[[model]]\nname = \"n\"\n"
                            "[[data]]\nname = \"e\"\n[[method]]\nname = \"b\"\n"
                            "models = [\"m\"]\ndata = [\"e\"]\n",
                        {.data = {"d"}});
              }),
              "");  // d has the model n
  EXPECT_THAT(error_of([] {
                plan_of(std::string(kLeast) + "data = [\"e\"]\n[[data]]\nname = \"e\"\n",
                        {.data = {"d"}});
              }),
              HasSubstr("no method has one of the models, nothing is to be done"));
  EXPECT_THAT(error_of([] {
                plan_of(
                    "[[data]]\nname = \"d\"\n[[model]]\nname = \"m\"\n[[method]]\nname = \"a\"\n"
                    "[[variant]]\nname = \"attack\"\ncertify = { samples = 3 }\n"
                    "[[attack]]\nname = \"certify\"\nrecipe = \"word-reorder\"\n"
                    "methods = [\"a\"]\n");
              }),
              HasSubstr("two steps would be called d.m.a.certify.attack"));
}

}  // namespace
}  // namespace textcrs
