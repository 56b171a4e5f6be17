#include "textcrs/plot/run_labels.h"

#include <gmock/gmock.h>

#include "plot/hand_made_runs.h"

namespace textcrs::plot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

NamedRun made(const std::string& folder, const std::string& noise,
              const std::vector<Setting>& more = {}, const std::string& name = "") {
  NamedRun named = run(name, noise, {right(0)}, more);
  named.run.folder = folder;
  return named;
}

std::vector<std::string> names(std::vector<NamedRun> runs) {
  name_runs(runs);
  std::vector<std::string> all;
  for (const NamedRun& named : runs) all.push_back(named.name);
  return all;
}

Setting architecture(const std::string& name) { return {"architecture", name}; }

TEST(NamesOfRuns, AreTheNoiseOfARunAlone) {
  EXPECT_THAT(names({made("runs/a", "delete:p=0.5", {architecture("bilstm")})}),
              ElementsAre("delete:p=0.5"));
}

TEST(NamesOfRuns, AreWhatTheirSettingsDifferIn) {
  EXPECT_THAT(names({made("a", "delete:p=0.5", {architecture("bilstm")}),
                     made("b", "delete:p=0.7", {architecture("bilstm")})}),
              ElementsAre("delete:p=0.5", "delete:p=0.7"));
  EXPECT_THAT(names({made("a", "delete:p=0.5", {architecture("bilstm")}),
                     made("b", "delete:p=0.5", {architecture("cnn")})}),
              ElementsAre("bilstm", "cnn"));
  EXPECT_THAT(names({made("a", "delete:p=0.5", {architecture("bilstm")}),
                     made("b", "universal:p=0.9", {architecture("cnn")})}),
              ElementsAre("bilstm, delete:p=0.5", "cnn, universal:p=0.9"));
  EXPECT_THAT(names({made("a", "delete:p=0.5", {{"samples", uint64_t{100}}}),
                     made("b", "delete:p=0.5", {{"samples", uint64_t{200}}})}),
              ElementsAre("N = 100", "N = 200"));
  EXPECT_THAT(names({made("a", "delete:p=0.5", {{"alpha", 0.01}}), made("b", "delete:p=0.5")}),
              ElementsAre("alpha = 0.01", "alpha = 0.001"));
  EXPECT_THAT(names({made("a", "delete:p=0.5", {{"data", std::string("news 4567")}}),
                     made("b", "delete:p=0.5")}),
              ElementsAre("news", "films"));
}

TEST(NamesOfRuns, AreFoldersWhereSettingsAreAlike) {
  EXPECT_THAT(names({made("runs/first", "delete:p=0.5"), made("runs/second/", "delete:p=0.5"),
                     made("runs/third", "delete:p=0.7")}),
              ElementsAre("first", "second", "delete:p=0.7"));
}

TEST(NamesOfRuns, StayWhereTheyAreGiven) {
  EXPECT_THAT(names({made("a", "delete:p=0.5", {}, "mine"), made("b", "delete:p=0.7")}),
              ElementsAre("mine", "delete:p=0.7"));
}

TEST(NamesOfRuns, MayNotBeUsedTwice) {
  EXPECT_THAT(refused([] {
                names({made("a", "delete:p=0.5", {}, "x"), made("b", "delete:p=0.7", {}, "x")});
              }),
              HasSubstr("two runs are named 'x'"));
  EXPECT_THAT(refused([] {
                names({made("a/run", "delete:p=0.5"), made("b/run", "delete:p=0.5")});
              }),
              HasSubstr("two runs are named 'run'"));
}

}  // namespace
}  // namespace textcrs::plot
