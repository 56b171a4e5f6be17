#include "textcrs/report/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace textcrs {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// A text that is answered right, with this radius in edits.
Record right(uint32_t id, double radius) {
  Record record;
  record.id = id;
  record.label = record.prediction = "pos";
  record.words = 100;
  record.seconds = 0.5 * (id + 1);
  record.certification.sound.certified = true;
  record.certification.sound.guarantees = {{Operation::kEdit, "", radius}};
  return record;
}

Record wrong(uint32_t id, double radius) {
  Record record = right(id, radius);
  record.prediction = "neg";
  return record;
}

Record abstained(uint32_t id, const std::string& guess = "pos") {
  Record record = right(id, 0);
  record.prediction = guess;
  record.certification.abstained = true;
  record.certification.sound = {};
  return record;
}

NamedRun run(const std::string& name, std::vector<Record> records, std::vector<Setting> more = {}) {
  NamedRun named{name, {}};
  named.run.settings = {{"noise", std::string("universal:p=0.9")},
                        {"split", std::string("test")},
                        {"data", std::string("films 0123")}};
  for (Setting& setting : more) {
    std::erase_if(named.run.settings, [&](const Setting& s) { return s.name == setting.name; });
    named.run.settings.push_back(std::move(setting));
  }
  named.run.records = std::move(records);
  named.run.complete = true;
  return named;
}

template <typename Change>
NamedRun changed(NamedRun named, const Change& change) {
  for (Record& record : named.run.records) change(record);
  return named;
}

ComparisonOptions against(Operation threat) {
  ComparisonOptions options;
  options.threat = threat;
  return options;
}

std::string refused(const std::vector<NamedRun>& runs, const ComparisonOptions& options = {}) {
  try {
    compare_runs(runs, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "";
}

const NamedRun kFirst = run("first", {right(0, 3), right(1, 1), wrong(2, 5), abstained(3)});
const NamedRun kSecond =
    run("second", {right(0, 10), right(1, 4), right(2, 1), abstained(3, "neg")});

TEST(Comparison, CountsByHand) {
  const Comparison comparison = compare_runs({kFirst, kSecond}, {});
  EXPECT_EQ(comparison.texts, 4u);
  EXPECT_EQ(comparison.data, "films");
  EXPECT_EQ(comparison.split, "test");
  EXPECT_EQ(comparison.against, "first");
  EXPECT_THAT(comparison.radii, ElementsAre(1, 2, 3, 5, 10));
  const RunFigures &first = comparison.runs[0], &second = comparison.runs[1];
  EXPECT_EQ(first.accuracy, 0.75);
  EXPECT_EQ(first.answered_accuracy, 0.5);
  EXPECT_EQ(first.abstained, 1u);
  EXPECT_THAT(first.certified, ElementsAre(0.5, 0.25, 0.25, 0, 0));
  EXPECT_EQ(first.why_nothing, "");
  EXPECT_FALSE(first.tests);
  EXPECT_EQ(second.accuracy, 0.75);
  EXPECT_EQ(second.answered_accuracy, 0.75);
  EXPECT_THAT(second.certified, ElementsAre(0.75, 0.5, 0.5, 0.25, 0.25));
  ASSERT_TRUE(second.tests);
  EXPECT_EQ(second.tests->accuracy->only_this, 1u);
  EXPECT_EQ(second.tests->accuracy->only_other, 1u);
  EXPECT_EQ(second.tests->accuracy->p, 1);
  EXPECT_EQ(second.tests->answered_accuracy->only_this, 1u);
  EXPECT_EQ(second.tests->answered_accuracy->only_other, 0u);
  EXPECT_EQ(second.tests->certified[1].only_this, 1u);
  EXPECT_EQ(first.median_seconds, 1.25);
  EXPECT_EQ(first.mean_seconds, 1.25);
  EXPECT_FALSE(first.wall_seconds);
}

TEST(Comparison, TestsPairs) {
  std::vector<Record> a, b;
  for (uint32_t id = 0; id < 10; ++id) {
    a.push_back(right(id, 0));
    b.push_back(right(id, 1));
  }
  const Comparison comparison = compare_runs({run("a", a), run("b", b)}, {});
  EXPECT_EQ(comparison.runs[1].tests->certified[0].p, 2 / 1024.0);
  EXPECT_EQ(comparison.runs[1].tests->certified[1].p, 1);
  ComparisonOptions options;
  options.against = "b";
  const Comparison other = compare_runs({run("a", a), run("b", b)}, options);
  EXPECT_FALSE(other.runs[1].tests);
  EXPECT_EQ(other.runs[0].tests->certified[0].only_other, 10u);
  EXPECT_EQ(other.runs[0].tests->certified[0].p, 2 / 1024.0);
}

TEST(Comparison, OneRunHasNoTests) {
  const Comparison comparison = compare_runs({kFirst}, {});
  EXPECT_FALSE(comparison.runs[0].tests);
  EXPECT_THAT(to_text(comparison, TableFormat::kText), Not(HasSubstr("McNemar")));
  EXPECT_FALSE(json::parse(to_json(comparison))["runs"][0].contains("tests"));
}

TEST(Comparison, SaysWhyARunProvesNothing) {
  const auto none = [](Record& r) { r.certification.sound = {}; };
  const auto paper = [](Record& r) {
    r.certification.paper = r.certification.sound;
    r.certification.sound = {};
  };
  const auto reordering = [](Record& r) {
    r.certification.sound.guarantees = {{Operation::kReordering, "", kUnlimited}};
  };
  const auto zero = [](Record& r) {
    if (!r.certification.sound.guarantees.empty()) r.certification.sound.guarantees[0].radius = 0;
  };
  const Comparison comparison = compare_runs(
      {kFirst, changed(run("plain", kFirst.run.records, {{"noise", std::string("none")}}), none),
       changed(run("paper", kFirst.run.records), paper),
       changed(run("reorder", {right(0, 1), right(1, 1), right(2, 1), right(3, 1)}), reordering),
       changed(run("weak", kFirst.run.records), zero),
       changed(run("silent", kFirst.run.records), none)},
      {});
  EXPECT_THAT(comparison.runs[1].why_nothing, HasSubstr("trained without noise"));
  EXPECT_THAT(comparison.runs[2].why_nothing, HasSubstr("the paper's formula"));
  EXPECT_THAT(comparison.runs[3].why_nothing, HasSubstr("says nothing about mixtures of edits"));
  EXPECT_EQ(comparison.runs[4].why_nothing, "");
  EXPECT_THAT(comparison.runs[5].why_nothing, HasSubstr("about any of the texts"));
  for (size_t i = 1; i < 6; ++i)
    EXPECT_THAT(comparison.runs[i].certified, ElementsAre(0, 0, 0, 0, 0)) << i;
  const std::string text = to_text(comparison, TableFormat::kText);
  EXPECT_THAT(text, HasSubstr("0 [2]"));
  EXPECT_THAT(text, HasSubstr("\n[2] only the paper's formula applies"));
}

NamedRun bound_to(const std::string& name, const std::string& table, double radius) {
  return changed(run(name, {right(0, 0), right(1, 0)}), [&](Record& r) {
    r.certification.sound.guarantees = {{Operation::kSubstitution, "", radius}};
    r.certification.sound.candidates = table;
    r.certification.sound.replaceable = 9;
  });
}

TEST(Comparison, TheTableOfAllRunsWithCandidatesIsTheDefault) {
  const NamedRun any = run("any", {right(0, 2), right(1, 2)});
  const NamedRun a = bound_to("a", "t", 3), b = bound_to("b", "t", 1), c = bound_to("c", "u", 4);
  ComparisonOptions options = against(Operation::kSubstitution);
  options.radii = {2};
  const auto compared = [&](const std::vector<NamedRun>& runs) {
    return compare_runs(runs, options);
  };

  const Comparison same = compared({any, a, b});
  EXPECT_EQ(same.threat.candidates, "t");
  EXPECT_THAT(same.runs[0].certified, ElementsAre(1));
  EXPECT_THAT(same.runs[1].certified, ElementsAre(1));
  EXPECT_THAT(same.runs[2].certified, ElementsAre(0));
  EXPECT_THAT(to_text(same, TableFormat::kText),
              HasSubstr("by candidates (t) that every model knows"));

  const Comparison two = compared({any, a, c});
  EXPECT_EQ(two.threat.candidates, "");
  EXPECT_THAT(two.runs[0].certified, ElementsAre(1));
  EXPECT_THAT(two.runs[1].certified, ElementsAre(0));
  EXPECT_THAT(two.runs[1].why_nothing, HasSubstr("(t) only, not by any word"));
  EXPECT_THAT(to_text(two, TableFormat::kText), HasSubstr("substitution by any word"));

  options.candidates = "u";
  EXPECT_THAT(compared({any, a, c}).runs[1].why_nothing, HasSubstr("another table (t)"));
  EXPECT_THAT(compared({any, a, c}).runs[2].certified, ElementsAre(1));
  EXPECT_THAT(compared({any, a, c}).runs[0].certified, ElementsAre(1));
  options.candidates = kAnyWord;
  EXPECT_EQ(compared({any, a, b}).threat.candidates, "");
  options.candidates = "v";
  EXPECT_THAT(refused({any, a, c}, options), HasSubstr("the tables of the runs: 't', 'u'"));
}

TEST(Comparison, SaysWhereTablesOfOneNameAreNotTheSame) {
  const auto with_pairs = [](const std::string& name, const std::string& pairs) {
    NamedRun named = bound_to(name, "t", 3);
    if (!pairs.empty()) named.run.settings.push_back({"synonyms", pairs});
    return named;
  };
  const auto notes = [](const std::vector<NamedRun>& runs, Operation threat) {
    return compare_runs(runs, against(threat)).notes;
  };
  const NamedRun a = with_pairs("a", "12"), b = with_pairs("b", "12"), c = with_pairs("c", "34"),
                 unknown = with_pairs("old", "");
  EXPECT_THAT(notes({unknown, a, b}, Operation::kSubstitution), ElementsAre());
  EXPECT_THAT(notes({a, c}, Operation::kEdit), ElementsAre());
  EXPECT_THAT(notes({unknown, a, b, c}, Operation::kSubstitution),
              ElementsAre(HasSubstr("a does not have the same pairs under the name t as c:")));
}

TEST(Comparison, TablesOfDifferentSizesAreToldApart) {
  const std::string eight = "t, mutual among the first 8", fifty = "t, mutual among the first 50";
  ComparisonOptions options = against(Operation::kSubstitution);
  options.radii = {1};
  const std::vector<NamedRun> runs = {bound_to("8", eight, 3), bound_to("50", fifty, 3)};
  EXPECT_EQ(compare_runs(runs, options).threat.candidates, eight);
  EXPECT_THAT(compare_runs(runs, options).runs[1].certified, ElementsAre(1));  // it proves more
  options.candidates = fifty;
  EXPECT_THAT(compare_runs(runs, options).runs[0].certified, ElementsAre(0));
  EXPECT_THAT(compare_runs(runs, options).runs[1].certified, ElementsAre(1));
}

TEST(Comparison, OfReorderings) {
  const NamedRun block = changed(run("block", {right(0, 0), right(1, 0)}), [](Record& r) {
    r.certification.sound.guarantees = {{Operation::kReordering, "", r.id == 0 ? 6 : kUnlimited}};
  });
  const Comparison comparison = compare_runs({block, run("edits", {right(0, 4), right(1, 1)})},
                                             against(Operation::kReordering));
  EXPECT_THAT(comparison.runs[0].certified, ElementsAre(1, 1, 0.5, 0.5, 0.5, 0.5));
  EXPECT_THAT(comparison.runs[1].certified, ElementsAre(0.5, 0.5, 0, 0, 0, 0));
  EXPECT_THAT(comparison.runs[1].how, HasSubstr("in substitutions"));
  EXPECT_THAT(to_text(comparison, TableFormat::kText), HasSubstr("  32    any"));
}

TEST(Comparison, NamesTheFirstDifferenceOfTheTexts) {
  const auto second = [](std::vector<Record> records, std::vector<Setting> more = {}) {
    return run("second", std::move(records), std::move(more));
  };
  const std::string start = "first and second are not about the same texts: ";
  auto records = kFirst.run.records;
  EXPECT_EQ(refused({kFirst, second(records, {{"data", std::string("news 0123")}})}),
            start + "data is 'films' and 'news'");
  EXPECT_EQ(refused({kFirst, second(records, {{"split", std::string("train")}})}),
            start + "split is 'test' and 'train'");
  EXPECT_EQ(refused({kFirst, second(records, {{"data", std::string("films 4567")}})}),
            start + "the hash of films's texts is 0123 and 4567");
  records[2].label = "neg";
  EXPECT_EQ(refused({kFirst, second(records)}), start + "the label of text 2 is 'pos' and 'neg'");
  records[2].label.reset();
  EXPECT_EQ(refused({kFirst, second(records)}), start + "the label of text 2 is 'pos' and missing");
  records = kFirst.run.records;
  records.pop_back();
  EXPECT_EQ(refused({kFirst, second(records)}), start + "second has no result of text 3");
  EXPECT_EQ(refused({second(records), kFirst}),
            "first and second are not about the same texts: second has no result of text 3");
  NamedRun unfinished = second(records);
  unfinished.run.complete = false;
  EXPECT_THAT(refused({kFirst, unfinished}), HasSubstr("text 3, it is not finished"));

  NamedRun keyed = kFirst, other = second(kFirst.run.records);
  keyed.run.records[1].key = "r1";
  other.run.records[1].key = "r2";
  EXPECT_EQ(refused({keyed, other}), start + "the key of text 1 is 'r1' and 'r2'");
  other.run.records[1].key.reset();
  EXPECT_EQ(refused({keyed, other}), "");
  keyed.run.records[1].text = "good film";
  other.run.records[1].text = "bad film";
  EXPECT_EQ(refused({keyed, other}), start + "text 1 ('r1') is another");
}

TEST(Comparison, OfTheTextsThatAllRunsHave) {
  NamedRun part =
      run("part", {right(3, 1), right(1, 7), right(9, 1)}, {{"data", std::string("films 4567")}});
  part.run.complete = false;
  ComparisonOptions options;
  options.common = true;
  const Comparison comparison = compare_runs({kFirst, part}, options);
  EXPECT_EQ(comparison.texts, 2u);
  EXPECT_EQ(comparison.runs[0].certified[0], 0.5);
  EXPECT_EQ(comparison.runs[1].certified[0], 1);
  const std::string text = to_text(comparison, TableFormat::kText);
  EXPECT_THAT(text, HasSubstr("first: 2 of its 4 texts are compared"));
  EXPECT_THAT(text, HasSubstr("matched by their ids"));
  EXPECT_THAT(text, HasSubstr("part: the run is not finished"));
  EXPECT_EQ(refused({kFirst, run("far", {right(77, 1)})}, options),
            "the runs have no text in common");
  EXPECT_THAT(
      refused({kFirst, run("same ids", kFirst.run.records, {{"data", std::string("films 4567")}})},
              options),
      HasSubstr("the hash of"));
}

TEST(Comparison, RefusesNamesThatSayNothing) {
  EXPECT_THAT(refused({}), HasSubstr("no run"));
  EXPECT_THAT(refused({kFirst, kFirst}), HasSubstr("two runs are named 'first'"));
  ComparisonOptions options;
  options.against = "third";
  EXPECT_EQ(refused({kFirst, kSecond}, options),
            "no run is named 'third'; the runs: first, second");
}

TEST(Comparison, WithoutLabelsOfTheShareThatIsCertified) {
  const auto unlabelled = [](Record& r) { r.label.reset(); };
  const Comparison comparison =
      compare_runs({changed(kFirst, unlabelled), changed(kSecond, unlabelled)}, {});
  EXPECT_FALSE(comparison.labelled);
  EXPECT_FALSE(comparison.runs[0].accuracy);
  EXPECT_THAT(comparison.runs[0].certified, ElementsAre(0.75, 0.5, 0.5, 0.25, 0));
  EXPECT_FALSE(comparison.runs[1].tests->accuracy);
  const std::string text = to_text(comparison, TableFormat::kText);
  EXPECT_THAT(text, HasSubstr("Certified share against edits of any kind"));
  EXPECT_THAT(text, Not(HasSubstr("accuracy")));
}

TEST(Comparison, OnlyLabelledTextsCountWhereThereAreSome) {
  NamedRun named = kFirst;
  named.run.records[3].label.reset();
  const Comparison comparison = compare_runs({named}, {});
  EXPECT_EQ(comparison.texts, 3u);
  EXPECT_EQ(comparison.runs[0].accuracy, 2.0 / 3);
}

TEST(Comparison, SamplesAndAlphaAreShownWhereTheyDiffer) {
  const auto with = [](const std::string& name, uint64_t samples, double alpha) {
    return run(name, kFirst.run.records, {{"samples", samples}, {"alpha", alpha}});
  };
  const auto text = [](const std::vector<NamedRun>& runs) {
    return to_text(compare_runs(runs, {}), TableFormat::kText);
  };
  EXPECT_THAT(text({with("a", 1000, 0.01), with("b", 1000, 0.01)}), Not(HasSubstr("alpha")));
  const std::string both = text({with("a", 1000, 0.01), with("b", 100000, 0.001), kFirst});
  EXPECT_THAT(both, HasSubstr("     N  alpha  accuracy"));
  EXPECT_THAT(both, HasSubstr("100000  0.001"));
  EXPECT_THAT(both, HasSubstr("     -      -"));
}

TEST(Comparison, TimeOfTheRun) {
  const NamedRun timed = changed(kFirst, [](Record& r) { r.wall_seconds = 0.25; });
  const Comparison comparison = compare_runs({timed, kSecond}, {});
  EXPECT_EQ(comparison.runs[0].wall_seconds, 0.25);
  EXPECT_FALSE(comparison.runs[1].wall_seconds);
}

NamedRun odd_name() {
  return run(
      "50 % | a_b, \"c\"", kSecond.run.records,
      {{"architecture", std::string("bilstm")}, {"caveats", std::string("rounds in float32")}});
}

TEST(Comparison, Formats) {
  const Comparison comparison = compare_runs({kFirst, odd_name()}, {});
  EXPECT_EQ(to_text(comparison, TableFormat::kText),
            R"(Certified accuracy against edits of any kind: 4 texts of films (test), in %
run                               method  accuracy  answered     1     2     3     5    10  median s  mean s
first                    universal:p=0.9      75.0      50.0  50.0  25.0  25.0     0     0      1.25    1.25
50 % | a_b, "c"  bilstm, universal:p=0.9      75.0      75.0  75.0  50.0  50.0  25.0  25.0      1.25    1.25

Probability of the difference to first by chance (McNemar, exact)
run              accuracy  answered      1      2      3      5     10
50 % | a_b, "c"     1.000     1.000  1.000  1.000  1.000  1.000  1.000

50 % | a_b, "c": rounds in float32
1, ..: right, and edits of up to so many words can not change the answer
accuracy counts an abstention by its guess, answered as wrong
median and mean: seconds that a text was in work, which overlap where several are at once
)");
  const std::string markdown = to_text(comparison, TableFormat::kMarkdown);
  EXPECT_THAT(markdown, HasSubstr("in %\n\n| run | method | accuracy | answered | 1 | 2 | 3 | 5 "
                                  "| 10 | median s | mean s |\n"
                                  "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n| "
                                  "first | universal:p=0.9 | 75.0 |"));
  EXPECT_THAT(markdown, HasSubstr("| 50 % \\| a\\_b, \"c\" |"));
  const std::string latex = to_text(comparison, TableFormat::kLatex);
  EXPECT_THAT(latex, HasSubstr("\\begin{tabular}{lrrrrrrrrrr}\n\\toprule\nrun & method &"));
  EXPECT_THAT(latex, HasSubstr("50 \\% \\textbar{} a\\_b, \"c\" & bilstm,"));
  EXPECT_THAT(latex, HasSubstr("\\\\\n\\bottomrule\n\\end{tabular}\n"));
  EXPECT_EQ(
      to_text(comparison, TableFormat::kCsv),
      "run,architecture,noise,samples,alpha,texts,abstained,accuracy,answered_accuracy,"
      "certified_1,certified_2,certified_3,certified_5,certified_10,median_seconds,"
      "mean_seconds,wall_seconds,p_accuracy,p_answered_accuracy,p_1,p_2,p_3,p_5,p_10,why,how\n"
      "first,,universal:p=0.9,,,4,1,75.0,50.0,50.0,25.0,25.0,0.0,0.0,1.25,1.25,,,,,,,,,,\n"
      "\"50 % | a_b, \"\"c\"\"\",bilstm,universal:p=0.9,,,4,1,75.0,75.0,75.0,50.0,50.0,25.0,"
      "25.0,1.25,1.25,,1,1,1,1,1,1,1,,\n");
}

TEST(Comparison, CertifiedSharesAreRoundedDown) {
  std::vector<Record> records;
  for (uint32_t id = 0; id < 3; ++id) records.push_back(right(id, id == 0 ? 0 : 1));
  const Comparison comparison = compare_runs({run("a", records)}, {});
  EXPECT_THAT(to_text(comparison, TableFormat::kText), HasSubstr("  66.6  "));
  EXPECT_THAT(to_text(comparison, TableFormat::kCsv), HasSubstr(",66.6,"));
}

TEST(Comparison, InJson) {
  ComparisonOptions options = against(Operation::kReordering);
  options.radii = {2, kUnlimited};
  const json found = json::parse(to_json(compare_runs({kFirst, odd_name()}, options)));
  EXPECT_EQ(found["threat"]["operation"], "reordering");
  EXPECT_FALSE(found["threat"].contains("candidates"));
  EXPECT_EQ(found["radii"], json::parse(R"([2, "unlimited"])"));
  EXPECT_EQ(found["texts"], 4);
  EXPECT_EQ(found["against"], "first");
  EXPECT_EQ(found["runs"][0]["certified"], json::parse("[0.25, 0.0]"));
  EXPECT_EQ(found["runs"][1]["architecture"], "bilstm");
  EXPECT_THAT(found["runs"][1]["how"].get<std::string>(), HasSubstr("substitutions"));
  EXPECT_EQ(found["runs"][1]["tests"]["certified"][0],
            json::parse(R"({"only_this": 1, "only_other": 0, "p": 1.0})"));
  EXPECT_EQ(found["runs"][1]["tests"]["accuracy"]["only_other"], 1);
}

}  // namespace
}  // namespace textcrs
