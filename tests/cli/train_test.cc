// textcrs train.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "workspace.h"

namespace textcrs::cli_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

TEST(Train, WritesAModelFolderThatSaysHowItWasMade) {
  const fs::path model = workspace().model();
  for (const char* name :
       {"config.json", "model.safetensors", "vocab.txt", "training.json", "train.toml"})
    EXPECT_GT(fs::file_size(model / name), 0u) << name;
  EXPECT_FALSE(fs::exists(model.string() + ".partial"));

  const auto config = json_of(read(model / "config.json"));
  EXPECT_EQ(config["architecture"], "bilstm");
  EXPECT_EQ(config["hidden"], 8);
  EXPECT_EQ(config["dimension"], 8);
  EXPECT_EQ(config["noise"], "universal:p=0.3");
  EXPECT_EQ(config["classes"], (std::vector<std::string>{"neg", "pos"}));
  const auto training = json_of(read(model / "training.json"));
  ASSERT_EQ(training["epochs"].size(), 3u);
  EXPECT_LT(training["epochs"][2]["loss"], training["epochs"][0]["loss"]);
  EXPECT_EQ(lines_of(read(model / "vocab.txt")).size(), 33u);  // 30 words, <pad>, <unk>, <mask>
}

TEST(Train, TheSavedFlagsMakeTheSameModelAgainForAnyNumberOfThreads) {
  const std::string model = workspace().model(), again = workspace().path("again");
  const Result result =
      run({"train", "--config", model + "/train.toml", "--out", again, "--threads", "3"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(read(again + "/model.safetensors"), read(model + "/model.safetensors"));
  EXPECT_EQ(read(again + "/vocab.txt"), read(model + "/vocab.txt"));
}

// Training that leaves the noise, the batch and the epochs to the program.
Arguments short_command(const std::string& out) {
  return {
      "train", "--data", workspace().texts(), "--vectors", workspace().vectors(), "--hidden", "8",
      "--out", out};
}

TEST(Train, ChoosesTheNoiseAndTheStepsByTheTextsAndSaysSo) {
  const std::string out = workspace().path("chosen"), again = workspace().path("chosen-again");
  const Result result = run(short_command(out));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("noise universal:p=0.7, chosen for edits"));
  EXPECT_THAT(result.err, HasSubstr("the median"));
  EXPECT_THAT(result.err, HasSubstr("up to 1 inserted word"));
  EXPECT_THAT(result.err, HasSubstr("50 epochs of 190 texts in batches of 32: 300 steps"));
  EXPECT_EQ(json_of(read(out + "/config.json"))["noise"], "universal:p=0.7");

  // The saved flags name what was chosen.
  const std::string saved = read(out + "/train.toml");
  for (const char* line : {"noise=\"universal:p=0.7\"", "epochs=50", "batch-size=32"})
    EXPECT_THAT(saved, HasSubstr(line));
  const Result same = run({"train", "--config", out + "/train.toml", "--out", again});
  ASSERT_EQ(same.exit_code, 0) << same.err;
  EXPECT_EQ(read(again + "/model.safetensors"), read(out + "/model.safetensors"));
}

TEST(Train, ForSaysWhatIsToBeProved) {
  for (const auto& [aim, noise] : {std::pair{"deletions", "universal:p=0.5"},
                                   {"substitutions", "universal:p=0.7"},
                                   {"reordering", "reorder:full"}}) {
    const std::string out = workspace().path(std::string("for-") + aim);
    const Result result =
        run(short_command(out) + Arguments{"--for", aim, "--epochs", "1", "--batch-size", "64"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.err, HasSubstr(std::string("chosen for ") + aim));
    EXPECT_THAT(result.err, HasSubstr("\n1 epoch of 190 texts in batches of 64: 3 steps"));
    EXPECT_EQ(json_of(read(out + "/config.json"))["noise"], noise);
    const Result same =
        run({"train", "--config", out + "/train.toml", "--out", out, "--overwrite"});
    EXPECT_EQ(same.exit_code, 0) << same.err;
  }
  const std::string out = workspace().path("for-nothing");
  const Result unknown = run(short_command(out) + Arguments{"--for", "deletion"});
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("deletions"));
  const Result both =
      run(short_command(out) + Arguments{"--for", "edits", "--noise", "delete:p=0.3"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_THAT(both.err, HasSubstr("--noise"));
  EXPECT_FALSE(fs::exists(out));
}

TEST(Train, AFileOfItsOwnChoosesTheEpoch) {
  const std::string out = workspace().path("validated");
  const auto command = [&](const std::string& file) {
    return short_command(out) +
           Arguments{"--epochs", "2", "--batch-size", "64", "--validation", file};
  };
  const std::string good =
      workspace().write("validation.csv", "label,text\nPOS,good film\nneg,bad film\nneg,dull\n");
  const Result result = run(command(good));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("of 200 texts"));  // none is held out
  // An accuracy on three texts.
  const double accuracy = json_of(read(out + "/training.json"))["smoothed_validation_accuracy"];
  EXPECT_NEAR(3 * accuracy, std::round(3 * accuracy), 1e-9);
  EXPECT_EQ(run({"train", "--config", out + "/train.toml", "--overwrite"}).exit_code, 0);

  const auto refused = [&](const Arguments& arguments, int exit_code, const std::string& what) {
    const Result bad = run(arguments + Arguments{"--overwrite"});
    EXPECT_EQ(bad.exit_code, exit_code);
    EXPECT_THAT(bad.err, HasSubstr(what));
  };
  const std::string other = workspace().write("other.csv", "label,text\nspam,good film\n");
  refused(command(other), 3, "spam");
  const std::string unlabelled = workspace().write("validation-texts.csv", "text\ngood film\n");
  refused(command(unlabelled), 3, unlabelled);
  refused(command("no-such-data"), 2, "--validation no-such-data");
  refused(command(good) + Arguments{"--validation-share", "0.1"}, 2, "--validation-share");
}

// Three classes of nine texts: a share of 0.05 rounds to none of each, though not of all together.
TEST(Train, ThePlanIsWhatIsRunWhereNothingIsHeldOut) {
  std::string texts = "label,text\n";
  for (int i = 0; i < 27; ++i)
    texts += std::string(i % 3 == 0   ? "pos,good"
                         : i % 3 == 1 ? "neg,bad"
                                      : "other,dull") +
             " film\n";
  const std::string out = workspace().path("nine");
  const Result result = run({"train", "--data", workspace().write("nine.csv", texts), "--vectors",
                             workspace().vectors(), "--hidden", "8", "--epochs", "2",
                             "--batch-size", "13", "--out", out});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("2 epochs of 27 texts in batches of 13: 6 steps"));
  EXPECT_THAT(result.err, Not(HasSubstr("accuracy")));
  EXPECT_THAT(result.out, HasSubstr("epoch 2 is kept, no held-out texts\n"));
  EXPECT_THAT(result.out, Not(HasSubstr("accuracy")));
  const auto training = json_of(read(out + "/training.json"));
  EXPECT_TRUE(training.at("smoothed_validation_accuracy").is_null());
  EXPECT_TRUE(training.at("epochs").at(1).at("smoothed_validation_accuracy").is_null());
}

// The validation labels are drawn, so the accuracy goes up and down.
TEST(Train, MarksTheBestEpochsAndNamesTheBestIfAnotherIsKept) {
  std::string texts = "label,text\n";
  for (int i = 0; i < 40; ++i)
    texts += fmt::format("{},{} film {} plot\n", i * 7 % 5 < 2 ? "pos" : "neg",
                         i % 2 == 0 ? "good" : "bad", i % 3 == 0 ? "warm" : "dull");
  const Result result = run(workspace().training(workspace().path("marked"), 12) +
                            Arguments{"--validation", workspace().write("drawn.csv", texts)});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  std::vector<double> accuracies;
  int best = 0;  // counted from 1
  for (const std::string& line : lines_of(result.err)) {
    int epoch = 0;
    double loss = 0, accuracy = 0;
    if (sscanf(line.c_str(), "epoch %d/12 loss %lf smoothed validation accuracy %lf", &epoch, &loss,
               &accuracy) != 3)
      continue;
    accuracies.push_back(accuracy);
    ASSERT_EQ(accuracies.size(), static_cast<size_t>(epoch));
    const bool better = best == 0 || accuracy > accuracies[static_cast<size_t>(best - 1)];
    EXPECT_EQ(line.ends_with("  (best so far)"), better) << line;
    if (better) best = epoch;
  }
  ASSERT_EQ(accuracies.size(), 12u) << result.err;
  const size_t kept = json_of(read(workspace().path("marked/training.json")))["epoch"];
  const double kept_accuracy = accuracies.at(kept - 1);
  const double best_accuracy = accuracies.at(static_cast<size_t>(best - 1));
  std::string said =
      fmt::format("epoch {} is kept, smoothed validation accuracy {:.2f} %", kept, kept_accuracy);
  if (best_accuracy > kept_accuracy)
    said += fmt::format(" (the best: {:.2f} %, epoch {})", best_accuracy, best);
  EXPECT_THAT(result.out, HasSubstr(said + "\n"));
}

TEST(Train, WordVectorsMayBeTrained) {
  const std::string out = workspace().path("own-vectors");
  const Result result = run(workspace().training(out) + Arguments{"--train-vectors"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(json_of(read(out + "/config.json"))["trained_vectors"], true);
  EXPECT_FALSE(json_of(read(workspace().model() + "/config.json")).contains("trained_vectors"));
  for (const char* engine : {"cpu", "reference"}) {
    const Result answer =
        run({"predict", "--model", out, "--engine", engine, "--samples", "100", "good great film"});
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
    EXPECT_THAT(answer.out, HasSubstr("pos"));
  }
  const Result bert = run(short_command(workspace().path("no")) +
                          Arguments{"--architecture", "bert", "--train-vectors"});
  EXPECT_EQ(bert.exit_code, 2);
  EXPECT_THAT(bert.err, HasSubstr("--train-vectors"));
}

TEST(Train, NeedsALabelForEveryText) {
  const std::string file = workspace().write("unlabelled.csv", "text\ngood film\nbad film\n");
  const Result result = run({"train", "--data", file, "--vectors", workspace().vectors(), "--out",
                             workspace().path("none")});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_THAT(result.err, HasSubstr(file));
  EXPECT_FALSE(fs::exists(workspace().path("none")));
}

}  // namespace
}  // namespace textcrs::cli_test
