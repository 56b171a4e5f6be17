// textcrs compare: what several runs prove about the same texts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "certify_run.h"

namespace textcrs::cli_test {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Folders of two runs on the same 40 texts, made when first asked for.
struct Runs {
  Runs() {
    const auto results =
        run_all({certify_run("compare-universal", 40, 300),
                 certify_run("compare-mask", 40, 300) + Arguments{"--noise", "mask:p=0.5"},
                 certify_run("compare-part", 20, 300)});
    for (const Result& result : results)
      if (result.exit_code != 0) throw std::runtime_error(result.err);
  }
  std::string universal = workspace().path("compare-universal");
  std::string mask = workspace().path("compare-mask");
  std::string part = workspace().path("compare-part");
};

const Runs& runs() {
  static const Runs all;
  return all;
}

Arguments compare(const std::string& threat, const Arguments& more) {
  return Arguments{"compare", "--threat", threat} + more;
}

// The share of a run's texts that are right and certified to the radius, from its records.
double certified(const std::string& out, const std::string& operation, double radius) {
  const auto all = records(out);
  double texts = 0;
  for (const json& record : all) {
    if (!record["correct"] || !record.contains("sound")) continue;
    const json& reached = record["sound"][operation];
    const bool every_word = reached == record["words"];
    texts += reached == "unlimited" || every_word || reached.get<double>() >= radius;
  }
  return texts / static_cast<double>(all.size());
}

TEST(Compare, SaysWhatTheRecordsProve) {
  const Result result = run(
      compare("deletion", {"--json", "--radii", "1,2,any", "U=" + runs().universal, runs().mask}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const json found = json_of(result.out);
  ASSERT_EQ(found["runs"].size(), 2u);
  const json &universal = found["runs"][0], &mask = found["runs"][1];
  EXPECT_EQ(universal["name"], "U");
  EXPECT_EQ(universal["noise"], "universal:p=0.3");
  EXPECT_EQ(universal["architecture"], "bilstm");
  EXPECT_EQ(universal["samples"], 300);
  EXPECT_GE(universal["wall_seconds"].get<double>(), 0);
  EXPECT_EQ(universal["certified"][0], certified("compare-universal", "deletion", 1));
  EXPECT_EQ(universal["certified"][1], certified("compare-universal", "deletion", 2));
  EXPECT_GT(universal["certified"][0], 0);
  EXPECT_EQ(mask["name"], "compare-mask");
  EXPECT_EQ(mask["certified"], json::parse("[0.0, 0.0, 0.0]"));
  EXPECT_EQ(mask["why"], "its certificate says nothing about deletion");
  const json test = mask["tests"]["certified"][0];
  EXPECT_EQ(test["only_this"], 0);
  EXPECT_EQ(test["only_other"].get<double>(), 40 * universal["certified"][0].get<double>());
}

TEST(Compare, PrintsATableInEveryFormat) {
  const std::string file = workspace().path("table.tex");
  const Arguments both = {runs().universal, runs().mask};
  const auto results =
      run_all({compare("edit", both), compare("edit", both + Arguments{"--format", "markdown"}),
               compare("edit", both + Arguments{"--format", "csv"}),
               compare("edit", both + Arguments{"--format", "latex", "--out", file}),
               compare("edit", {runs().universal})});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(results[0].out,
              StartsWith("Certified accuracy against edits of any kind: 40 texts of texts"));
  EXPECT_THAT(results[0].out,
              HasSubstr("\n[1] its certificate says nothing about mixtures of edits\n"));
  EXPECT_THAT(results[0].out, HasSubstr("compare-universal by chance (McNemar, exact)"));
  EXPECT_THAT(results[1].out, HasSubstr("\n| run | method |"));
  EXPECT_THAT(results[2].out, StartsWith("run,architecture,noise"));
  EXPECT_EQ(results[3].out, "");
  EXPECT_THAT(read(file), HasSubstr("\\toprule"));
  EXPECT_THAT(results[4].out, Not(HasSubstr("McNemar")));
}

TEST(Compare, RunsMustBeAboutTheSameTexts) {
  const Arguments both = {runs().universal, runs().part};
  const auto results =
      run_all({compare("edit", both), compare("edit", both + Arguments{"--common"}),
               compare("edit", both + Arguments{"--data", "imdb"}),
               compare("edit", {runs().universal, "--data", workspace().texts()})});
  EXPECT_EQ(results[0].exit_code, 2);
  EXPECT_THAT(results[0].err,
              HasSubstr("compare-universal and compare-part are not about the same texts: "
                        "compare-part has no result of text "));
  EXPECT_THAT(results[0].err, HasSubstr("; --common compares the texts that all runs have"));
  ASSERT_EQ(results[1].exit_code, 0) << results[1].err;
  EXPECT_THAT(results[1].out, HasSubstr("texts are compared, those that all runs have"));
  EXPECT_EQ(results[2].exit_code, 2);
  EXPECT_THAT(results[2].err, HasSubstr("--data imdb: the run compare-universal is about texts"));
  EXPECT_EQ(results[3].exit_code, 0) << results[3].err;
}

TEST(Compare, RefusesWhatItCanNotCompare) {
  const std::string ok = runs().universal, damaged = workspace().path("compare-damaged"),
                    empty = workspace().path("compare-empty");
  for (const std::string& folder : {damaged, empty}) {
    std::filesystem::create_directories(folder);
    std::filesystem::copy_file(ok + "/run.json", folder + "/run.json",
                               std::filesystem::copy_options::overwrite_existing);
  }
  workspace().write("compare-damaged/results.jsonl", "{\"id\":1}\n");
  const auto refused = [](const Arguments& more, int code, const std::string& why,
                          const std::string& threat = "edit") {
    const Result result = run(compare(threat, more));
    EXPECT_EQ(result.exit_code, code) << why;
    EXPECT_THAT(result.err, HasSubstr(why));
    EXPECT_EQ(result.out, "");
  };
  refused({ok, workspace().path("no-such-run")}, 3, "no-such-run: there is no such folder");
  refused({ok, workspace().model()}, 3, "found no run.json");
  refused({ok, empty}, 3, "the run has no results yet");
  refused({ok, damaged}, 3, "results.jsonl:1: not the record of a text");
  refused({ok, ok}, 2, "two runs are named 'compare-universal'");
  refused({"=" + ok}, 2, "expected a name before the '='");
  refused({"a=" + ok, "b=" + ok, "--against", "c"}, 2, "no run is named 'c'; the runs: a, b");
  refused({ok, "--radii", "2,1"}, 2, "--radii 2,1: expected ascending whole numbers");
  refused({ok, "--radii", "0.5"}, 2, "--radii 0.5: expected ascending whole numbers");
  refused({ok, "--radii", "any,1"}, 2, "--radii any,1: expected ascending whole numbers");
  refused({ok, "--candidates", "wordnet"}, 2, "--candidates goes with --threat substitution");
  refused({ok, "--candidates", "wordnet"}, 2, "no run is about candidates of 'wordnet'",
          "substitution");
  refused({ok, "--format", "html"}, 2, "--format");
  refused({ok}, 2, "--threat", "misspelling");
  refused({}, 2, "run");
}

TEST(Compare, AFolderMayHaveASignInItsName) {
  const std::string folder = workspace().path("universal:p=0.3");
  std::filesystem::copy(runs().universal, folder);
  const Result result = run(compare("edit", {"--json", folder + "/"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json_of(result.out)["runs"][0]["name"], "universal:p=0.3");
}

}  // namespace
}  // namespace textcrs::cli_test
