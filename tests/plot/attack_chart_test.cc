#include <gmock/gmock.h>

#include "plot/hand_made_runs.h"
#include "report/run_file.h"
#include "text/temporary_folder.h"
#include "textcrs/base/files.h"
#include "textcrs/base/version.h"
#include "textcrs/plot/attack_figure.h"

namespace textcrs::plot {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

AttackRecord attacked(uint32_t id, AttackStatus status, std::vector<DefenceRecord> models = {}) {
  AttackRecord record;
  record.id = id;
  record.label = "pos";
  record.status = status;
  record.before = status == AttackStatus::kSkipped ? "neg" : "pos";
  record.after = status == AttackStatus::kSucceeded ? "neg" : record.before;
  record.models = std::move(models);
  record.version = std::string(version());
  return record;
}

DefenceRecord says(const std::string& name, const std::string& clean, bool certified,
                   const std::string& edited, bool abstains = false) {
  return {.name = name,
          .clean = clean,
          .edited = edited,
          .edited_abstained = abstains,
          .certified = certified,
          .why = {}};
}

// Of five texts four are right before and two after; of the three that were changed, the votes are
// right about two before, and about one after, as they abstain on another.
std::vector<AttackRecord> five_texts() {
  return {attacked(0, AttackStatus::kSkipped), attacked(1, AttackStatus::kFailed),
          attacked(2, AttackStatus::kSpent, {says("votes", "pos", true, "pos")}),
          attacked(3, AttackStatus::kSucceeded, {says("votes", "pos", true, "pos", true)}),
          attacked(4, AttackStatus::kSucceeded, {says("votes", "neg", true, "neg")})};
}

TEST(AttackChart, HasSharesCountedByHand) {
  const Chart chart = attack_chart(
      {{"first", five_texts()}, {"second", {attacked(0, AttackStatus::kFailed)}}}, "attacks");
  EXPECT_EQ(chart.title, "attacks");
  ASSERT_EQ(chart.panels.size(), 2u);
  for (const Panel& panel : chart.panels) {
    ASSERT_EQ(panel.x.ticks.size(), 2u);
    EXPECT_EQ(panel.x.ticks[0].label, "first");
    EXPECT_EQ(panel.x.ticks[1].label, "second");
    ASSERT_EQ(panel.series.size(), 2u);
    for (const Series& bars : panel.series) EXPECT_EQ(bars.form, Series::Form::kBars);
    EXPECT_NE(panel.series[0].style, panel.series[1].style);
    EXPECT_EQ(panel.series[1].label, "right after");
  }
  const auto bar = [&](size_t panel, size_t series, size_t attack) {
    const Point& point = chart.panels[panel].series[series].points.at(attack);
    EXPECT_EQ(point.x, static_cast<double>(attack));
    EXPECT_LE(*point.low, point.y);
    EXPECT_GE(*point.high, point.y);
    return point.y;
  };
  EXPECT_EQ(chart.panels[0].title, "all texts");
  EXPECT_EQ(chart.panels[0].series[0].label, "right before");
  EXPECT_DOUBLE_EQ(bar(0, 0, 0), 80);
  EXPECT_DOUBLE_EQ(bar(0, 0, 1), 100);
  EXPECT_DOUBLE_EQ(bar(0, 1, 0), 40);
  EXPECT_DOUBLE_EQ(bar(0, 1, 1), 100);
  EXPECT_EQ(chart.panels[1].title, "edited texts, votes");
  EXPECT_EQ(chart.panels[1].series[0].label, "right and certified before");
  EXPECT_DOUBLE_EQ(bar(1, 0, 0), 200 / 3.0);
  EXPECT_DOUBLE_EQ(bar(1, 1, 0), 100 / 3.0);
  EXPECT_EQ(chart.panels[1].series[0].points.size(), 1u) << "the second attack changed no text";
}

TEST(AttackChart, HasAPanelPerModelAndWideOnesOfManyAttacks) {
  std::vector<AttackRecord> records = {
      attacked(0, AttackStatus::kSucceeded,
               {says("target", "pos", true, "neg"), says("votes", "pos", true, "pos")})};
  std::vector<NamedAttack> attacks;
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) {
    const Chart chart =
        attack_chart(attacks.empty() ? std::vector<NamedAttack>{{name, records}} : attacks);
    ASSERT_EQ(chart.panels.size(), 3u);
    EXPECT_EQ(chart.panels[1].title, "edited texts, target");
    EXPECT_EQ(chart.panels[2].title, "edited texts, votes");
    EXPECT_FALSE(chart.panels[0].wide);
    attacks.push_back({name, records});
  }
  for (const Panel& panel : attack_chart(attacks).panels) EXPECT_TRUE(panel.wide);
}

TEST(AttackChart, RefusesNoAttackAndNamesThatAreUsedTwice) {
  EXPECT_THAT(refused([] { attack_chart({}); }), HasSubstr("no attack"));
  EXPECT_THAT(refused([] {
                attack_chart({{"a", five_texts()}, {"a", five_texts()}});
              }),
              HasSubstr("two attacks are named 'a'"));
}

class AttackFolder : public testing::Test {
 protected:
  fs::path made(const std::vector<Setting>& settings, const std::string& lines) const {
    const fs::path folder = work_.path() / "run";
    fs::remove_all(folder);
    fs::create_directory(folder);
    write_run_file(folder / "run.json", settings, std::string(version()));
    write_file_atomically(folder / "results.jsonl", lines);
    return folder;
  }
  std::string refused_folder(const fs::path& folder) const {
    try {
      read_attack(folder);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
      return error.what();
    }
    return "";
  }
  TemporaryFolder work_;
};

const std::vector<Setting> kSettings = {{"recipe", std::string("textfooler")}};

TEST_F(AttackFolder, IsReadAndNamedByItsRecipe) {
  std::string lines;
  for (const AttackRecord& record : five_texts()) lines += to_json(record) + "\n";
  const fs::path folder = made(kSettings, lines);
  const NamedAttack attack = read_attack(folder);
  EXPECT_EQ(attack.name, "textfooler");
  ASSERT_EQ(attack.records.size(), 5u);
  for (size_t i = 0; i < 5; ++i) EXPECT_EQ(to_json(attack.records[i]), to_json(five_texts()[i]));
  EXPECT_EQ(read_attack(folder, "mine").name, "mine");
}

TEST_F(AttackFolder, IsRefusedWhereItIsNone) {
  EXPECT_THAT(refused_folder(work_.path() / "none"), HasSubstr("there is no such folder"));
  EXPECT_THAT(refused_folder(work_.path()), HasSubstr("found no run.json"));
  const std::string line = to_json(five_texts()[0]) + "\n";
  EXPECT_THAT(refused_folder(made({{"noise", std::string("delete:p=0.5")}}, line)),
              HasSubstr("run.json: found no recipe"));
  EXPECT_THAT(refused_folder(made(kSettings, "")), HasSubstr("no results yet"));
  const fs::path folder = made(kSettings, "");
  fs::remove(folder / "results.jsonl");
  EXPECT_THAT(refused_folder(folder), HasSubstr("no results yet"));
  EXPECT_THAT(refused_folder(made(kSettings, line + "{}\n")), HasSubstr("results.jsonl:2: "));
  write_file_atomically(folder / "run.json", "{");
  EXPECT_THAT(refused_folder(folder), HasSubstr("run.json: byte"));
}

}  // namespace
}  // namespace textcrs::plot
