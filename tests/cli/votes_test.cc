// textcrs with models whose words vote: training, answers with a witness, certificates, resuming.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <set>
#include <sstream>

#include "certify_run.h"

namespace textcrs::cli_test {
namespace {

using testing::HasSubstr;
using testing::Not;

Arguments training(const std::string& out, int epochs = 20) {
  return {"train",
          "--data",
          workspace().texts(),
          "--architecture",
          "votes",
          "--hidden",
          "0",
          "--edits",
          "1",
          "--batch-size",
          "16",
          "--epochs",
          std::to_string(epochs),
          "--out",
          out};
}

std::string voting_model() {
  static const std::string model = [] {
    const Result result = run(training(workspace().path("votes")));
    if (result.exit_code != 0) throw std::runtime_error(result.err);
    return workspace().path("votes");
  }();
  return model;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

std::vector<std::string> split(const std::string& text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

// The text after the edits of a record's witness.
std::string after(const std::string& text, const nlohmann::json& witness) {
  std::vector<std::string> words = split(text), edited;
  std::vector<std::string> gained = witness["gained"];
  std::reverse(gained.begin(), gained.end());
  const auto take = [&] {
    edited.push_back(gained.back());
    gained.pop_back();
  };
  for (const auto& lost : witness["lost"]) EXPECT_EQ(words[lost[0].get<size_t>()], lost[1]);
  for (size_t place = 0; place < words.size(); ++place) {
    const auto is_here = [&](const nlohmann::json& lost) { return lost[0] == place; };
    if (std::none_of(witness["lost"].begin(), witness["lost"].end(), is_here))
      edited.push_back(words[place]);
    else if (!gained.empty())
      take();
  }
  while (!gained.empty()) take();
  return joined(edited);
}

TEST(Votes, PredictProvesAndShowsWhatIsJustTooMuch) {
  const Arguments predict = {"predict", "--model", voting_model()};
  const auto results = run_all({predict + Arguments{"good film with great music and warm story"},
                                predict + Arguments{"--json", "good film with great music", ""}});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(results[0].out, HasSubstr("pos ("));
  EXPECT_THAT(results[0].out, HasSubstr("in any word order"));
  EXPECT_THAT(results[0].out, HasSubstr("proved without sampling"));
  EXPECT_THAT(results[0].out, testing::ContainsRegex("edits? makes? it neg: '"));
  const auto lines = lines_of(results[1].out);
  ASSERT_EQ(lines.size(), 2u);
  const auto json = json_of(lines[0]);
  EXPECT_EQ(json["prediction"], "pos");
  EXPECT_EQ(json["exact"], true);
  EXPECT_EQ(json["witness"]["prediction"], "neg");
  EXPECT_EQ(json["sound"]["certified"], true);
}

// Every text of the data set, and the text after its witness, in two runs of certify.
TEST(Votes, EveryWitnessOfADataSetChangesTheAnswer) {
  const auto certify = [&](const std::string& data, const std::string& out) {
    return run(
        {"certify", "--model", voting_model(), "--data", data, "--out", workspace().path(out)});
  };
  const Result first = certify(workspace().texts(), "votes-results");
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("Certified accuracy"));
  const auto all = records("votes-results");
  ASSERT_EQ(all.size(), 200u);
  const auto rows = lines_of(read(workspace().texts()));
  std::string edited = "text,label\n";
  std::vector<std::string> named;
  std::set<double> radii;
  for (const auto& record : all) {
    ASSERT_EQ(record["exact"], true);
    ASSERT_TRUE(record.contains("witness")) << record;
    const auto& witness = record["witness"];
    const double edits =
        static_cast<double>(std::max(witness["lost"].size(), witness["gained"].size()));
    const double radius = record["sound"]["edit"];
    EXPECT_EQ(edits, radius + 1);
    radii.insert(radius);
    const std::string& row = rows[record["id"].get<size_t>() + 1];
    edited += after(row.substr(0, row.find(',')), witness) + ",pos\n";
    named.push_back(witness["prediction"]);
    EXPECT_NE(witness["prediction"], record["prediction"]);
  }
  EXPECT_GT(radii.size(), 1u);
  const Result second = certify(workspace().write("edited.csv", edited), "votes-edited");
  ASSERT_EQ(second.exit_code, 0) << second.err;
  const auto changed = records("votes-edited");
  ASSERT_EQ(changed.size(), 200u);
  for (const auto& record : changed)
    EXPECT_EQ(record["prediction"], named[record["id"].get<size_t>()]) << record;
}

TEST(Votes, EvaluateHasTheAccuracyOfCertify) {
  const Result evaluated =
      run({"evaluate", "--model", voting_model(), "--data", workspace().texts(), "--json"});
  ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
  const Result certified = run({"certify", "--model", voting_model(), "--data", workspace().texts(),
                                "--out", workspace().path("votes-again")});
  ASSERT_EQ(certified.exit_code, 0) << certified.err;
  const auto summary = json_of(read(workspace().path("votes-again") + "/summary.json"));
  EXPECT_EQ(json_of(evaluated.out)["accuracy"], summary["answered_accuracy"]);
  EXPECT_GT(json_of(evaluated.out)["accuracy"], 0.95);
}

TEST(Votes, CoversAnEditedText) {
  const std::string text = "good film with great music and warm story";
  const auto covers = [&](const std::string& edited) {
    return Arguments{"covers", "--model",  voting_model(), "--original",
                     text,     "--edited", edited,         "--json"};
  };
  const auto results = run_all({covers("story warm and music great with film good"),
                                covers("bad film with poor music and dull story")});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json_of(results[0].out)["covered"], true);
  EXPECT_EQ(json_of(results[1].out)["covered"], false);
}

TEST(Votes, ExplainNamesTheWordsThatDecide) {
  const Result result = run({"predict", "--model", voting_model(), "--explain", "--json",
                             "the film was very bad with music of the city"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = json_of(result.out);
  EXPECT_EQ(json["prediction"], "neg");
  EXPECT_EQ(json["explanation"]["counted"], true);
  const auto& words = json["explanation"]["words"];
  const auto bad = std::find_if(words.begin(), words.end(),
                                [](const auto& word) { return word["word"] == "bad"; });
  ASSERT_NE(bad, words.end()) << result.out;
  EXPECT_LT((*bad)["change"], 0);  // without it the text is less negative
}

TEST(Votes, WordVectorsMayHelp) {
  Arguments command = training(workspace().path("votes-vectors"));
  *(std::find(command.begin(), command.end(), "--hidden") + 1) = "4";
  const Result trained = run(command + Arguments{"--vectors", workspace().vectors()});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const Result result =
      run({"predict", "--model", workspace().path("votes-vectors"), "poor film with dull music"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("neg ("));
}

TEST(Votes, ThreadsDoNotChangeTheTable) {
  const auto results = run_all({training(workspace().path("votes-1")) + Arguments{"--threads", "1"},
                                training(workspace().path("votes-3")) +
                                    Arguments{"--threads", "3", "--loader-threads", "3"}});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read(workspace().path("votes-1") + "/model.safetensors"),
            read(workspace().path("votes-3") + "/model.safetensors"));
}

// Without LibTorch, which the running program must not have loaded.
TEST(Votes, AResumedTrainingEndsWithTheBytesOfAnUninterruptedOne) {
  constexpr int kEpochs = 400;
  const std::string whole = workspace().path("votes-whole"),
                    out = workspace().path("votes-stopped");
  const auto epoch = [&] {
    const auto state = json_of(read(out + ".partial/state.json"));
    return state.is_object() ? state.value("epoch", -1) : -1;
  };
  {
    Process process(training(out, kEpochs));
    ASSERT_TRUE(runs_until(process, [&] { return epoch() > 0; })) << process.wait().err;
    EXPECT_THAT(read("/proc/" + std::to_string(process.id()) + "/maps"),
                Not(HasSubstr("libtextcrs_torch")));
    process.signal(SIGINT);
    const Result result = process.wait();
    ASSERT_EQ(result.exit_code, 4) << result.err;
  }
  const auto results =
      run_all({training(whole, kEpochs), training(out, kEpochs) + Arguments{"--resume"}});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read(out + "/model.safetensors"), read(whole + "/model.safetensors"));
}

// The same table of scores under a sampled noise.
TEST(Linear, IsCertifiedByNoisyCopies) {
  const std::string out = workspace().path("linear");
  const Result trained =
      run({"train", "--data", workspace().texts(), "--architecture", "linear", "--noise",
           "universal:p=0.3", "--hidden", "0", "--epochs", "10", "--out", out});
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  const Result result = run({"predict", "--model", out, "--samples", "2000", "--exact", "never",
                             "good film with great music and warm story"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("pos ("));
  EXPECT_THAT(result.out, HasSubstr("confidence"));
  EXPECT_THAT(result.out, Not(HasSubstr("makes it")));
}

// Bounds of a probability have no part in it.
TEST(Votes, RadiusPointsToPredict) {
  const Result result = run({"radius", "--model", voting_model(), "--pa", "0.9", "--words", "5"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("without pA: textcrs predict"));
}

// The model that comes with the repository answers without any download.
TEST(Votes, TheModelOfTheRepositoryIsSmallAndAnswers) {
  const std::filesystem::path model = std::filesystem::path(TEXTCRS_MODELS) / "imdb-votes";
  uintmax_t bytes = 0;
  for (const auto& file : std::filesystem::directory_iterator(model)) bytes += file.file_size();
  EXPECT_LT(bytes, 500'000u);
  const Result praise = run({"predict", "--model", model.string(),
                             "A wonderful film, one of the best: beautiful, warm and perfect."});
  ASSERT_EQ(praise.exit_code, 0) << praise.err;
  EXPECT_THAT(praise.out, HasSubstr("positive"));
  EXPECT_THAT(praise.out, HasSubstr("edits of any kind; proved without sampling; these"));
  const Result blame =
      run({"predict", "--model", model.string(), "A boring waste of time, the worst I have seen."});
  EXPECT_THAT(blame.out, HasSubstr("negative"));
}

}  // namespace
}  // namespace textcrs::cli_test
