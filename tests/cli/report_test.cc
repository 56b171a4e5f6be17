// textcrs report: runs as one page, and as a table.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>

#include "certify_run.h"

namespace textcrs::cli_test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const std::string kVotes = TEXTCRS_MODELS "/imdb-votes";

std::string texts() {
  static const std::string path =
      workspace().write("reviews.csv",
                        "text,label\n"
                        "\"A film of rare warmth and wit, a wonderful story\",positive\n"
                        "\"What a waste of two hours, the worst and most boring film\",negative\n"
                        "Wonderful acting and a beautiful picture,negative\n");
  return path;
}

Result certify_votes(const std::string& out, const Arguments& more = {}) {
  return run(
      Arguments{"certify", "--model", kVotes, "--data", texts(), "--out", workspace().path(out)} +
      more);
}

// Folders of a run by votes with its texts and of one by samples without, made when first asked
// for.
struct Runs {
  Runs() {
    for (const Result& result : {certify_votes("report-votes", {"--with-text"}),
                                 run(certify_run("report-noise", 20, 300))})
      if (result.exit_code != 0) throw std::runtime_error(result.err);
  }
  std::string votes = workspace().path("report-votes");
  std::string noise = workspace().path("report-noise");
};

const Runs& runs() {
  static const Runs all;
  return all;
}

std::string out(const std::string& name) { return workspace().path(name); }

Arguments report(const std::string& file, const Arguments& more) {
  return Arguments{"report", "--out", out(file)} + more;
}

// What the page's script reads.
nlohmann::json data_of(const std::string& page) {
  const std::string head = "<script type=\"application/json\" id=\"report-data\">";
  const size_t begin = page.find(head) + head.size();
  return json_of(page.substr(begin, page.find("</script>", begin) - begin));
}

TEST(Report, IsOnePageOnSeveralRuns) {
  const Result result = run(report(
      "several.html", {"exact=" + runs().votes, runs().noise + "/", "--title", "Two <runs>"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(StartsWith("report: " + out("several.html") + " ("),
                                HasSubstr(" kB of 2 runs)\n")));
  const std::string page = read(out("several.html"));
  EXPECT_THAT(page, HasSubstr("<h1>Two &lt;runs&gt;</h1>"));
  const auto data = data_of(page);
  ASSERT_EQ(data["runs"].size(), 2u);
  EXPECT_EQ(data["runs"][0]["name"], "exact");
  EXPECT_EQ(data["runs"][1]["name"], "report-noise");
  std::vector<int> ids;
  for (const auto& record : records("report-noise")) ids.push_back(record["id"]);
  EXPECT_EQ(data["runs"][1]["texts"]["id"], nlohmann::json(ids));
  EXPECT_THAT(page, HasSubstr("certify --with-text"));  // how to keep the texts
}

TEST(Report, ColoursTheWordsWhereTheModelIsNamed) {
  const auto results =
      run_all({report("plain.html", {runs().votes}),
               report("coloured.html", {runs().votes, "--model", kVotes}),
               report("other.html", {runs().votes, "--model", workspace().model()}),
               report("none.html", {runs().votes, "--model", kVotes, "--examples", "0"})});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(read(out("plain.html")), AllOf(Not(HasSubstr("without this word")),
                                             HasSubstr("textcrs report --model FOLDER")));
  EXPECT_THAT(read(out("coloured.html")), HasSubstr("title=\"without this word: "));
  EXPECT_THAT(read(out("other.html")), HasSubstr("holds another model"));
  EXPECT_THAT(read(out("none.html")), Not(HasSubstr("class=\"example\"")));
}

TEST(Report, MeasuresTheWordsOfSamples) {
  const Result certified = run(certify_run("report-texts", 4, 100) + Arguments{"--with-text"});
  ASSERT_EQ(certified.exit_code, 0) << certified.err;
  const Result result =
      run(report("measured.html", {out("report-texts"), "--model", workspace().model(),
                                   "--coloured", "1", "--copies", "200"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(read(out("measured.html")), HasSubstr("measured with 200 noisy copies each"));
}

TEST(Report, IsATableForSpreadsheets) {
  const Result result = run(report("texts.csv", {"--csv", "exact=" + runs().votes, runs().noise}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::string table = read(out("texts.csv"));
  EXPECT_THAT(table, StartsWith("run,id,key,label,prediction,"));
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 1 + 3 + 20);
  EXPECT_THAT(table, HasSubstr("\r\nexact,0,,positive,positive,no,yes,"));
}

TEST(Report, ShowsAnAttack) {
  const Result attacked = run({"attack", "--model", kVotes, "--recipe", "worst-case", "--data",
                               texts(), "--out", out("report-attack")});
  ASSERT_EQ(attacked.exit_code, 0) << attacked.err;
  const Result result = run(report("attack.html", {"fooled=" + out("report-attack")}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(read(out("attack.html")),
              AllOf(HasSubstr("Attack: fooled"), HasSubstr("<del>"), HasSubstr("becomes")));
}

TEST(Report, RefusesWhatItCanNotShow) {
  const std::string ok = runs().votes;
  const auto refused = [](const Arguments& arguments, int code, const std::string& why) {
    const Result result = run(arguments);
    EXPECT_EQ(result.exit_code, code) << why;
    EXPECT_THAT(result.err, HasSubstr(why));
    EXPECT_EQ(result.out, "");
  };
  refused({"report", ok}, 2, "--out");
  refused(report("x.html", {}), 2, "run");
  refused(report("x.txt", {ok}), 2, "x.txt: expected the name of a file that ends in .html");
  refused(report("x.html", {ok, "--csv"}), 2, "expected the name of a file that ends in .csv");
  refused(report("x.html", {ok, ok}), 2, "two runs are named 'report-votes'");
  refused(report("x.html", {"=" + ok}), 2, "expected a name before the '='");
  refused(report("x.html", {ok, "--fallback", kVotes}), 2, "--fallback goes with --model");
  refused(report("x.html", {ok, "--examples", "-1"}), 2, "--examples");
  refused(report("x.html", {ok, "--copies", "0"}), 2, "--copies");
  refused(report("x.html", {out("no-such-run")}), 3, "no-such-run: there is no such folder");
  refused(report("x.html", {kVotes}), 3, "found no run.json");
  refused(report("x.html", {ok, "--model", workspace().path("home")}), 3, "config.json");
  refused({"report", "--out", texts() + "/x.html", ok}, 1, "reviews.csv");
  EXPECT_FALSE(fs::exists(out("x.html")));
}

TEST(Report, HelpShowsHow) {
  const Result result = run({"report", "--help"});
  EXPECT_EQ(result.exit_code, 0);
  EXPECT_THAT(result.out, AllOf(HasSubstr("Examples:"), HasSubstr("--csv"),
                                HasSubstr("--model FOLDER"), HasSubstr("--out FILE")));
}

}  // namespace
}  // namespace textcrs::cli_test
