// A BERT from its pretrained folder to certificates: every verb that takes a model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "bert_folder.h"
#include "certify_run.h"

namespace textcrs::cli_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

Arguments training(const std::string& noise, const std::string& out, const Arguments& extra = {}) {
  static const std::string pretrained = BertFolder::write("pretrained");
  return Arguments{"train",  "--architecture",    "bert",    "--bert", pretrained,
                   "--data", workspace().texts(), "--noise", noise,    "--slots",
                   "32",     "--threads",         "1",       "--out",  workspace().path(out)} +
         extra;
}

const Arguments kLearn = {"--epochs",  "12", "--learning-rate",    "0.006", "--batch-size", "16",
                          "--dropout", "0",  "--validation-share", "0"};

// The models, trained when one is first asked for: bert-universal, bert-insert, bert-substitute,
// and bert-default with as few flags as possible.
std::string model(const std::string& name) {
  static const bool made = [] {
    const auto results =
        run_all({training("universal:p=0.3", "bert-universal", kLearn),
                 training("insert:sigma=0.1", "bert-insert", kLearn),
                 training("substitute:kernel=uniform", "bert-substitute",
                          kLearn + Arguments{"--synonyms", workspace().synonyms()}),
                 training("hash:buckets=2,functions=9", "bert-default")});
    for (const Result& result : results)
      if (result.exit_code != 0) throw std::runtime_error("training failed: " + result.err);
    return true;
  }();
  static_cast<void>(made);
  return workspace().path("bert-" + name);
}

TEST(BertTrain, LearnsAndWritesAModelFolder) {
  for (const char* name : {"config.json", "model.safetensors", "vocab.txt", "tokenizer.json",
                           "training.json", "train.toml"})
    EXPECT_GT(fs::file_size(fs::path(model("universal")) / name), 0u) << name;
  EXPECT_TRUE(fs::exists(model("substitute") + "/synonyms.json"));
  const json config = json_of(read(model("universal") + "/config.json"));
  EXPECT_EQ(config["architecture"], "bert");
  EXPECT_EQ(config["dimension"], BertFolder::kWidth);
  EXPECT_EQ(config["hidden"], BertFolder::kInner);
  EXPECT_EQ(config["bert"]["layers"], 2);
  EXPECT_EQ(config["pool_all_slots"], false);
  EXPECT_EQ(json_of(read(model("insert") + "/config.json"))["pool_all_slots"], true);
  for (const char* name : {"universal", "insert", "substitute"}) {
    const json history = json_of(read(model(name) + "/training.json"));
    EXPECT_LT(history["epochs"].back()["loss"].get<double>(), 0.4) << name;
  }
  const Arguments evaluate = {"evaluate", "--data", workspace().texts(),
                              "--copies", "20",     "--model"};
  const auto results =
      run_all({evaluate + Arguments{model("universal")}, evaluate + Arguments{model("insert")},
               evaluate + Arguments{model("universal"), "--noise", "none"}});
  for (const Result& result : results) {
    ASSERT_EQ(result.exit_code, 0) << result.err;
    double accuracy = 0;
    ASSERT_EQ(sscanf(result.out.c_str(), "accuracy %lf %%", &accuracy), 1) << result.out;
    EXPECT_GT(accuracy, 85) << result.out;
  }
}

TEST(BertTrain, HasDefaultsOfItsOwnAndGivenFlagsWin) {
  const std::string chosen = read(model("default") + "/train.toml");
  for (const char* line :
       {"epochs=20\n", "batch-size=32\n", "learning-rate=5e-05\n", "warm-up=0.1\n",
        "weight-decay=0.01\n", "dropout=0.1\n", "input-dropout=0\n"})
    EXPECT_THAT(chosen, HasSubstr(std::string("\n") + line));
  EXPECT_EQ(json_of(read(model("default") + "/training.json"))["epochs"].size(), 20u);  // few texts
  EXPECT_EQ(json_of(read(model("default") + "/config.json"))["dropout"], 0.1);
  const std::string given = read(model("universal") + "/train.toml");
  for (const char* line : {"epochs=12\n", "batch-size=16\n", "learning-rate=0.006\n",
                           "warm-up=0.1\n", "weight-decay=0.01\n", "dropout=0\n"})
    EXPECT_THAT(given, HasSubstr(std::string("\n") + line));
  EXPECT_EQ(json_of(read(model("universal") + "/config.json"))["dropout"], 0);
  // A file or the environment is as good as the command line, and a saved file makes the model
  // again; the other architectures keep their defaults.
  EXPECT_THAT(read(workspace().model() + "/train.toml"), HasSubstr("\nwarm-up=0.3\n"));
  const Result again = run({"train", "--config", model("default") + "/train.toml", "--out",
                            workspace().path("bert-again")});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(read(workspace().path("bert-again") + "/model.safetensors"),
            read(model("default") + "/model.safetensors"));
}

TEST(BertTrain, StartsFromATrainedModel) {
  const Arguments less = {"--epochs", "1", "--learning-rate", "1e-9", "--dropout", "0"};
  const Result result =
      run(training("universal:p=0.35", "bert-further",
                   less + Arguments{"--start-from", model("universal"), "--freeze-layers", "1"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const double before =
      json_of(read(model("universal") + "/training.json"))["epochs"].back()["loss"];
  const double after =
      json_of(read(workspace().path("bert-further") + "/training.json"))["epochs"][0]["loss"];
  EXPECT_LT(after, before + 0.1);
  EXPECT_LT(after, 0.5);  // log 2 is what a fresh one has at best
}

TEST(BertTrain, RefusesWhatDoesNotFit) {
  const std::string bilstm = workspace().model();
  const std::string nowhere = workspace().path("no-such-bert");
  fs::create_directories(workspace().path("empty-bert"));
  const std::vector<std::tuple<Arguments, int, std::string>> cases = {
      {{"--input-dropout", "0.1"}, 2, "--input-dropout"},
      {{"--bert", nowhere}, 3, nowhere},
      {{"--bert", workspace().path("empty-bert")}, 3, workspace().path("empty-bert")},
      {{"--bert", "minilm"}, 3, "textcrs data fetch minilm"},
      {{"--start-from", bilstm}, 2, "bilstm"},
      {{"--noise", "insert:sigma=0.1", "--slots", "39"}, 2, "at most 38"},
  };
  std::vector<Arguments> commands;
  for (const auto& [flags, code, what] : cases) {
    Arguments command;
    const std::string out = "bert-never-" + std::to_string(commands.size());
    for (const std::string& argument : training("universal:p=0.3", out))
      command.push_back(argument);
    for (size_t i = 0; i < flags.size(); i += 2) {  // instead of what is there, or besides
      const auto found = std::find(command.begin(), command.end(), flags[i]);
      if (found != command.end())
        *(found + 1) = flags[i + 1];
      else
        command = command + Arguments{flags[i], flags[i + 1]};
    }
    commands.push_back(command);
  }
  const auto results = run_all(commands);
  for (size_t i = 0; i < cases.size(); ++i) {
    const auto& [flags, code, what] = cases[i];
    EXPECT_EQ(results[i].exit_code, code) << what << ": " << results[i].err;
    EXPECT_THAT(results[i].err, HasSubstr(what));
    EXPECT_FALSE(fs::exists(workspace().path("bert-never-" + std::to_string(i))));
  }
}

// Each key of a JSON object once: a parser would keep one of two.
std::vector<std::string> keys_of(const std::string& text) {
  std::vector<std::string> keys;
  const auto callback = [&](int depth, json::parse_event_t event, json& parsed) {
    if (event == json::parse_event_t::key && depth == 1) keys.push_back(parsed);
    return true;
  };
  const json all = json::parse(text, callback, false);
  EXPECT_TRUE(all.is_object());
  std::sort(keys.begin(), keys.end());
  return keys;
}

TEST(BertPredict, AnswersForWordsItNeverSaw) {
  std::string lengthy;
  for (int i = 0; i < 60; ++i) lengthy += "good goods ";
  const Arguments texts = {
      "A GOOD film with gr\xc3\xa9"
      "at music, and fine goods!",
      "bad zzyzx 42 poor dull", "", lengthy, "qqq zzz"};
  const Arguments predict = {"predict", "--json", "--samples", "300", "--seed", "1", "--model"};
  const auto results =
      run_all({predict + Arguments{model("universal"), "--precision", "fp32"} + texts,
               predict + Arguments{model("universal"), "--engine", "reference"} + texts,
               predict + Arguments{model("insert"), "--precision", "fp32"} + texts,
               predict + Arguments{model("insert"), "--engine", "reference"} + texts,
               predict + Arguments{model("default")} + texts,
               predict + Arguments{model("substitute")} + texts,
               {"evaluate", "--model", model("universal"), "--noise", "insert:sigma=0.1", "--data",
                workspace().texts()}});
  std::vector<std::vector<json>> answers;
  for (size_t i = 0; i < 6; ++i) {
    ASSERT_EQ(results[i].exit_code, 0) << results[i].err;
    const auto lines = lines_of(results[i].out);
    ASSERT_EQ(lines.size(), texts.size());
    answers.emplace_back();
    for (const std::string& line : lines) {
      answers.back().push_back(json_of(line));
      ASSERT_TRUE(answers.back().back().is_object()) << line;
      const auto keys = keys_of(line);
      EXPECT_GT(keys.size(), 10u);
      EXPECT_EQ(std::adjacent_find(keys.begin(), keys.end()), keys.end()) << line;
    }
    EXPECT_EQ(answers[i][0]["words"], 11);
    EXPECT_EQ(answers[i][1]["words"], 5);
    EXPECT_EQ(answers[i][2]["words"], 0);
    // Of no words: under insert n slots of PAD, under hash no piece that votes, else one copy.
    const bool insert = i == 2 || i == 3, hash = i == 4;
    EXPECT_EQ(answers[i][2]["exact"], !insert);
    EXPECT_EQ(answers[i][2]["samples"], insert ? 400 : hash ? 0 : 1);
    if (!insert) {
      EXPECT_EQ(answers[i][2]["abstained"], hash);
    }
    EXPECT_EQ(answers[i][3]["words"], 120);
  }
  EXPECT_EQ(answers[0][0]["prediction"], "pos");
  EXPECT_EQ(answers[0][1]["prediction"], "neg");
  EXPECT_EQ(answers[2][0]["prediction"], "pos");
  EXPECT_EQ(answers[4][0]["exact"], true);
  for (const size_t i : {0, 2})
    for (size_t t = 0; t < texts.size(); ++t)
      EXPECT_NEAR(answers[i][t]["counts"][0].get<double>(),
                  answers[i + 1][t]["counts"][0].get<double>(), 1)
          << i << " " << t;
  EXPECT_EQ(results[6].exit_code, 2);
  EXPECT_THAT(results[6].err, HasSubstr("does not fit"));
}

// What was certified before an interruption, and what is read before a text, decide nothing: words
// get their numbers in the order in which they are met.
TEST(BertCertify, GoesOnAsIfItHadNotStopped) {
  std::string csv = "text,label\n";
  for (int i = 0; i < 6; ++i)
    csv += fmt::format("good new{} film old{} of odd{} the town,{}\n", i % 3, 5 - i, i,
                       i % 2 ? "pos" : "neg");
  const std::string data = workspace().write("new-words.csv", csv);
  const std::vector<std::string> noises = {"universal:p=0.3", "hash:buckets=2,functions=9"};
  const auto certify_all = [&](const std::string& out) {
    std::vector<Arguments> commands;
    for (size_t n = 0; n < noises.size(); ++n)
      commands.push_back({"certify", "--model", model("universal"), "--noise", noises[n], "--data",
                          data, "--samples", "200", "--exact", "never", "--out",
                          workspace().path(out + std::to_string(n))});
    for (const Result& result : run_all(commands)) EXPECT_EQ(result.exit_code, 0) << result.err;
  };
  certify_all("bert-whole");
  for (size_t n = 0; n < noises.size(); ++n) {
    const std::string whole = "bert-whole" + std::to_string(n),
                      stopped = "bert-stopped" + std::to_string(n);
    fs::copy(workspace().path(whole), workspace().path(stopped));
    // The first, third and fifth texts are done; the others are still to do.
    const auto lines = lines_of(read(results_path(whole)));
    ASSERT_EQ(lines.size(), 6u);
    std::ofstream kept(results_path(stopped));
    for (size_t i = 0; i < lines.size(); i += 2) kept << lines[i] << "\n";
  }
  certify_all("bert-stopped");
  for (size_t n = 0; n < noises.size(); ++n) {
    auto found = records("bert-stopped" + std::to_string(n));
    std::sort(found.begin(), found.end(),
              [](const json& a, const json& b) { return a["id"] < b["id"]; });
    EXPECT_EQ(found, records("bert-whole" + std::to_string(n))) << noises[n];
  }
}

TEST(BertWords, SingleTextsAreReadAsTheModelReadsThem) {
  const std::string text = "Good f\xc3\xaelm zzyzx, qqq.";  // four words and two marks
  const Arguments given = {"--pa", "0.99", "--json", "--model"};
  const Arguments radius = Arguments{"radius", "--text", text} + given;
  const auto covers = [&](const std::string& name, const std::string& edited) {
    return Arguments{"covers", "--original", text, "--edited", edited} + given +
           Arguments{model(name)};
  };
  const auto results = run_all({{"sample", "--noise", "reorder:block=1", "--count", "1", "--text",
                                 text, "--model", model("universal")},
                                {"sample", "--noise", "insert:sigma=0.1", "--count", "1", "--text",
                                 text, "--model", model("insert")},
                                radius + Arguments{model("universal")},
                                covers("universal", "good film zzyzx, qqq. zzyzx"),
                                covers("universal", "good film zzyzy, qqq."),
                                covers("insert", "good film zzyzx, qqq."),
                                covers("substitute", "great film zzyzx, qqq."),
                                {"list", "synonyms", "good", "zzyzx", "--model",
                                 model("substitute"), "--noise", "substitute:kernel=uniform"},
                                {"list", "synonyms", "good", "--model", model("universal")}});
  for (size_t i = 0; i < results.size(); ++i)
    ASSERT_EQ(results[i].exit_code, i == 8 ? 2 : 0) << i << results[i].err;
  EXPECT_EQ(results[0].out, "good film zzyzx , qqq .\n");
  const std::string copy = lines_of(results[1].out)[0];
  EXPECT_EQ(std::count(copy.begin(), copy.end(), ' '), 31);  // a word a slot
  EXPECT_THAT(copy, HasSubstr("zzyzx"));
  EXPECT_EQ(json_of(results[2].out)["words"], 6);
  EXPECT_EQ(json_of(results[3].out)["operation"], "edit");
  // To a bert no word is <unk>: two that it never saw are two.
  EXPECT_EQ(json_of(results[4].out)["operation"], "edit");
  EXPECT_EQ(json_of(results[5].out)["covered"], true) << results[5].out;
  EXPECT_EQ(json_of(results[6].out)["operation"], "substitution");
  EXPECT_EQ(json_of(results[6].out)["noise"], "substitute:kernel=uniform");
  EXPECT_THAT(results[7].out, HasSubstr("good: great fine\n"));
  EXPECT_THAT(results[7].out, HasSubstr("good 0.3333 great 0.3333 fine 0.3333"));
  EXPECT_THAT(results[7].out, HasSubstr("zzyzx: none\n"));
  EXPECT_THAT(results[8].err, HasSubstr("has no synonyms"));
}

// What is certified is one function of the text, in whatever order new words are met.
TEST(BertWords, SortedBlocksDoNotDependOnTheOrderOfNewWords) {
  const auto sample = [](const std::string& text) {
    return Arguments{"sample",  "--noise",          "reorder:block=100000,order=sorted",
                     "--model", model("universal"), "--count",
                     "3",       "--text",           text};
  };
  const auto results = run_all({sample("aba ebe ibi obo ubu"), sample("ubu ibi aba obo ebe")});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(results[0].out, results[1].out);
}

// The same single edits, whichever verb counts them and whatever was read before. Two new words
// that are close to each other are nobody's neighbours.
TEST(BertWords, NeighboursAreWordsOfTheModel) {
  const std::string stem(40, 'z'), text = "good great fine warm bright good " + stem + "x " + stem;
  const auto after = [&](const std::string& first) {
    return Arguments{"predict",      "--json", "--samples", "1000",          "--seed", "1",
                     "--neighbours", "3",      "--model",   model("insert"), first,    text};
  };
  const auto results = run_all({after("some " + stem + "y"), after("other words")});
  for (const Result& result : results) ASSERT_EQ(result.exit_code, 0) << result.err;
  const json answer = json_of(lines_of(results[0].out)[1]);
  EXPECT_EQ(json_of(lines_of(results[1].out)[1]), answer);
  ASSERT_EQ(answer["abstained"], false) << results[0].out;
  ASSERT_TRUE(answer.contains("single_edits")) << results[0].out;
  const Result radius =
      run({"radius", "--json", "--neighbours", "3", "--model", model("insert"), "--text", text,
           "--pa", answer["pa"].dump(), "--pb", answer["pb"].dump()});
  ASSERT_EQ(radius.exit_code, 0) << radius.err;
  EXPECT_EQ(json_of(radius.out)["single_edits"], answer["single_edits"]);
}

}  // namespace
}  // namespace textcrs::cli_test
