#include "textcrs/page/report_page.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "page/made_run.h"
#include "page/parsed_page.h"
#include "text/peak_memory.h"
#include "text/temporary_folder.h"

namespace textcrs {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class ReportPage : public testing::Test {
 protected:
  std::filesystem::path out() const { return work_.path() / "page.html"; }
  ParsedPage page_of(const std::vector<ReportedRun>& runs,
                     const ReportOptions& options = {}) const {
    write_report(runs, options, out());
    return ParsedPage(read_file(out()));
  }
  std::filesystem::path run(const std::string& name, const std::vector<Record>& records,
                            const std::vector<std::string>& classes = {"neg", "pos"}) const {
    return write_run(work_.path() / name, records, classes);
  }
  TemporaryFolder work_;
};

// 8 texts: 5 right with 0, 1, 1, 5 and 10 edits, 2 wrong, 1 abstained.
std::vector<Record> eight() {
  return made_records({{.edits = 0},
                       {.edits = 1},
                       {.label = "neg", .prediction = "neg", .edits = 1},
                       {.edits = 5},
                       {.edits = 10},
                       {.label = "neg", .edits = 3},
                       {.label = "neg", .edits = 0},
                       {.pa = 0.5, .abstained = true}});
}

// The cells of the first row whose head is `name`, in the first table of the class or caption.
std::vector<std::string> cells_of(const ParsedPage& page, const std::string& caption) {
  bool inside = false;
  std::vector<std::string> cells;
  for (const PageElement& element : page.elements()) {
    if (element.name == "caption") inside = element.text == caption;
    if (inside && (element.name == "td" || element.name == "th")) cells.push_back(element.text);
  }
  return cells;
}

TEST_F(ReportPage, SaysInWordsWhatCameOut) {
  const ParsedPage page = page_of({{"my run", run("run", eight()), {}}});
  EXPECT_EQ(page.all("h1")[0].text, "Certified robustness: my run");
  EXPECT_THAT(page.text(), HasSubstr("8 texts of films (test), answered by a bilstm model under "
                                     "the noise universal:p=0.9. 1,000 noisy copies per text; each "
                                     "certificate holds with 99.9\u00A0% confidence."));
  EXPECT_THAT(page.text(),
              HasSubstr("62.5\u00A0% of the texts are answered right, 1 is abstained on"));
  EXPECT_THAT(page.text(),
              HasSubstr("50.0\u00A0% are right and provably stay so with any one edit, "
                        "25.0\u00A0% with any 5 edits, 12.5\u00A0% with any 10 edits."));
  EXPECT_TRUE(page.all("nav")[0].text.empty());
}

TEST_F(ReportPage, ItsTablesAreCountedByHand) {
  const ParsedPage page = page_of({{"run", run("run", eight()), {}}});
  EXPECT_THAT(cells_of(page, "Certified, by the radius in words"),
              ElementsAre("Operation", "0", "1", "2", "3", "5", "10", "20",  //
                          "edit", "62.5 %", "50.0 %", "25.0 %", "25.0 %", "25.0 %", "12.5 %",
                          "0.0 %",  //
                          "deletion", "62.5 %", "50.0 %", "50.0 %", "25.0 %", "25.0 %", "25.0 %",
                          "12.5 %"));
  EXPECT_THAT(cells_of(page, "Results per class"),
              ElementsAre("Class", "Texts", "Right", "No answer", "Precision", "Recall", "F1",
                          "Right, and certified against any one edit",                    //
                          "neg", "3", "1", "0", "100.0 %", "33.3 %", "50.0 %", "33.3 %",  //
                          "pos", "5", "4", "1", "66.6 %", "80.0 %", "72.7 %", "60.0 %"));
  EXPECT_THAT(cells_of(page, "Confusion matrix: labels down, answers across"),
              ElementsAre("Label", "neg", "pos", "No answer",     //
                          "neg", "133.3 %", "266.6 %", "00.0 %",  // a number and its share
                          "pos", "00.0 %", "480.0 %", "120.0 %"));
  EXPECT_THAT(cells_of(page, "Texts by pA, and how many of them are right"),
              ElementsAre("pA", "Texts", "Right", "Share right", "Mean pA",  //
                          "0.5 to 0.6", "1", "1", "100.0 %", "0.500",        //
                          "0.8 to 0.9", "7", "5", "71.4 %", "0.875"));
}

TEST_F(ReportPage, ShowsExamplesWithWhatIsCertified) {
  std::vector<Record> records = eight();
  records[4].text = "as good as it gets";
  ReportOptions options;
  options.how_to_colour = "Ask for colours.";
  const ParsedPage page = page_of({{"run", run("run", records), {}}}, options);
  EXPECT_THAT(page.all("p", "example-text")[0].text, "as good as it gets");
  EXPECT_THAT(page.all("article", "example")[0].text,
              AllOf(HasSubstr("Text 4"), HasSubstr("up to 10 edits of any kind"),
                    HasSubstr("up to 20 of its 10 words deleted")));
  EXPECT_THAT(page.text(), HasSubstr("Ask for colours."));
}

TEST_F(ReportPage, ARunWithoutTextsSaysHowToKeepThem) {
  ReportOptions options;
  options.how_to_keep_texts = "Keep them so.";
  EXPECT_THAT(page_of({{"run", run("run", eight()), {}}}, options).text(),
              HasSubstr("The run kept no texts. Keep them so."));
}

TEST_F(ReportPage, SeveralRunsHaveAnOverview) {
  const ParsedPage page = page_of(
      {{"one", run("one", eight()), {}}, {"two", run("two", made_records({{.edits = 2}})), {}}});
  EXPECT_EQ(page.all("h1")[0].text, "Certified robustness: 2 runs");
  EXPECT_EQ(page.all("nav")[0].text, "Overviewonetwo");
  EXPECT_THAT(cells_of(page, "The runs"),
              ElementsAre("Run", "Texts", "Data", "Model", "Noise", "Copies per text", "Right",
                          "Abstained", "Certified against one edit",  //
                          "one", "8", "films", "bilstm", "universal:p=0.9", "1,000", "62.5 %", "1",
                          "50.0 %",  //
                          "two", "1", "films", "bilstm", "universal:p=0.9", "1,000", "100.0 %", "0",
                          "100.0 %"));
  EXPECT_EQ(page.data()["runs"].size(), 2u);
}

TEST_F(ReportPage, AnInterruptedRunIsShownAsFarAsItCame) {
  const auto folder = run("run", eight(), {});  // no summary
  std::ofstream(folder / kResultsFile, std::ios::app) << R"({"id":99,"pre)";
  const ParsedPage page = page_of({{"run", folder, {}}});
  EXPECT_THAT(page.text(), HasSubstr("The run was not complete when this was written"));
  EXPECT_EQ(page.data()["runs"][0]["texts"]["id"].size(), 8u);
  EXPECT_EQ(page.data()["runs"][0]["classes"], (nlohmann::ordered_json{"neg", "pos"}));
}

TEST_F(ReportPage, ManyClassesTakeBoundedMemory) {
  std::vector<Record> records = made_records(std::vector<MadeText>(3000));
  for (Record& record : records) record.prediction = fmt::format("class of {}", record.id);
  records[0].certification.counts.resize(200'000);
  const auto folder = run("run", records, {});  // no summary
  expect_bounded_memory(folder / kResultsFile, "votes of 200,000 classes", [&] {
    write_report({{"run", folder, {}}}, {}, out());
  });
}

TEST_F(ReportPage, ThePapersRadiiStandApart) {
  std::vector<Record> records = eight();
  for (Record& record : records)
    if (!record.certification.abstained) {
      record.certification.paper = record.certification.sound;
      record.certification.paper.guarantees[1].radius = 77;
    }
  const ParsedPage page = page_of({{"run", run("run", records), {}}});
  EXPECT_THAT(page.text(), HasSubstr("Not proved: radii by the paper's formulas"));
  EXPECT_THAT(cells_of(page, "Certified, by the radius in words"), Not(testing::Contains("50")));
  const auto curves = page.data()["runs"][0]["curves"];
  EXPECT_EQ(curves["sound"][0]["radii"].back(), 10);
  EXPECT_EQ(curves["paper"][0]["radii"].back(), 77);
}

TEST_F(ReportPage, TenThousandTextsOfTwoHundredWordsStayBelowTenMegabytes) {
  std::vector<MadeText> texts;
  for (int i = 0; i < 10'000; ++i) {
    std::string text;
    for (int word = 0; word < 200; ++word) text += "words" + std::to_string(word) + "<&\" ";
    texts.push_back({.label = i % 2 == 0 ? "pos" : "neg",
                     .edits = static_cast<double>(i % 13),
                     .text = text,
                     .key = "review-" + std::to_string(i)});
  }
  const ParsedPage page = page_of({{"run", run("run", made_records(texts)), {}}});
  EXPECT_LT(std::filesystem::file_size(out()), 10'000'000u);
  EXPECT_GT(std::filesystem::file_size(out()), 5'000'000u);
  EXPECT_EQ(page.data()["runs"][0]["texts"]["text"].size(), 10'000u);
}

TEST_F(ReportPage, RefusesWhatIsNoRun) {
  const auto ok = run("ok", eight());
  const auto said = [&](const std::vector<ReportedRun>& runs, ErrorKind kind) {
    try {
      write_report(runs, {}, out());
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), kind) << error.what();
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(said({}, ErrorKind::kUsage), "no run, expected at least one");
  EXPECT_EQ(said({{"a", ok, {}}, {"a", ok, {}}}, ErrorKind::kUsage), "two runs are named 'a'");
  EXPECT_THAT(said({{"a", work_.path() / "none", {}}}, ErrorKind::kBadInput),
              HasSubstr("none: there is no such folder"));
  EXPECT_THAT(said({{"a", work_.path(), {}}}, ErrorKind::kBadInput),
              HasSubstr("found no run.json"));
  const auto empty = work_.path() / "empty";
  { const ResultsFile results(empty, smoothed_settings()); }
  EXPECT_THAT(said({{"a", empty, {}}}, ErrorKind::kBadInput),
              HasSubstr("empty: the run has no results yet"));
  std::ofstream(empty / kResultsFile) << "{\"id\":1}\n";
  EXPECT_THAT(said({{"a", empty, {}}}, ErrorKind::kBadInput),
              HasSubstr("results.jsonl:1: not the record of a text"));
  EXPECT_FALSE(std::filesystem::exists(out()));
}

TEST_F(ReportPage, RefusesDamagedRecords) {
  const auto refused = [&](const std::string& name, const auto& change,
                           const std::vector<std::string>& classes = {}) {
    std::vector<Record> records = eight();
    change(records);
    const auto folder = run(name, records, classes);
    return error_of([&] { write_report({{"a", folder, {}}}, {}, out()); });
  };
  EXPECT_THAT(refused("counts", [](auto& records) { records[3].certification.counts = {1}; }),
              AllOf(HasSubstr("results.jsonl: the text 3: found 1 counts, expected one for each of "
                              "2 classes")));
  EXPECT_THAT(refused("none",
                      [](auto& r) {
                        for (Record& one : r) one.certification.counts = {};
                      }),
              HasSubstr("expected one for each"));
  EXPECT_THAT(refused("units", [](auto& records) { records[2].unit = "sentence"; }),
              HasSubstr("the text 2: found sentences, expected words as before"));
  EXPECT_THAT(refused("classes", [](auto& records) { records[2].prediction = "maybe"; }),
              HasSubstr("results.jsonl"));
  EXPECT_FALSE(std::filesystem::exists(out()));
}

TEST_F(ReportPage, RefusesSettingsThatNoRunHas) {
  const auto bounds = write_run(work_.path() / "bounds", eight(), {"neg", "pos"},
                                with(smoothed_settings(), {"bounds", std::string("tight")}));
  try {
    write_report({{"a", bounds, {}}}, {}, out());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_THAT(error.what(), HasSubstr("run.json: bounds are 'tight'"));
  }
  const auto folder = write_run(work_.path() / "alpha", eight(), {"neg", "pos"},
                                with(smoothed_settings(), {"alpha", 5.0}));
  EXPECT_THAT(error_of([&] {
                write_report({{"a", folder, {}}}, {}, out());
              }),
              HasSubstr("run.json: found the alpha 5, expected one between 0 and 1"));
}

TEST_F(ReportPage, ReplacesThePageAsAWhole) {
  write_file_atomically(out(), "an older page");
  EXPECT_NE(error_of([&] { write_report({{"a", work_.path() / "none", {}}}, {}, out()); }), "");
  EXPECT_EQ(read_file(out()), "an older page");
  page_of({{"a", run("ok", eight()), {}}});
  EXPECT_EQ(read_file(out()).rfind("<!DOCTYPE html>", 0), 0u);
}

}  // namespace
}  // namespace textcrs
