// textcrs pretrain, from an encoder that is alone to one that a classifier begins with.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "bert_folder.h"
#include "workspace.h"

namespace textcrs::cli_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string tiny_bert() {
  const std::string folder = workspace().path("tiny-bert");
  return fs::exists(folder) ? folder : BertFolder::write("tiny-bert");
}

Arguments pretraining(const std::string& out, int epochs) {
  return {"pretrain",
          "--data",
          workspace().texts(),
          "--bert",
          tiny_bert(),
          "--learning-rate",
          "0.01",
          "--batch-size",
          "16",
          "--length",
          "16",
          "--epochs",
          std::to_string(epochs),
          "--threads",
          "1",
          "--out",
          out,
          "--validation-share",
          "0.1"};
}

TEST(Pretrain, WritesAnEncoderThatAClassifierBeginsWith) {
  const std::string out = workspace().path("own-encoder"),
                    again = workspace().path("own-encoder-2");
  const Result result = run(pretraining(out, 4));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("200 texts (180 sequences)"));
  EXPECT_THAT(result.out, HasSubstr(out));
  EXPECT_THAT(result.err, HasSubstr("epoch  4/4"));
  EXPECT_FALSE(fs::exists(out + ".partial"));
  for (const char* name :
       {"config.json", "model.safetensors", "tokenizer.json", "pretraining.json", "pretrain.toml"})
    EXPECT_GT(fs::file_size(fs::path(out) / name), 0u) << name;
  EXPECT_EQ(json_of(read(out + "/config.json"))["architectures"][0], "BertForMaskedLM");
  const auto epochs = json_of(read(out + "/pretraining.json"))["epochs"];
  ASSERT_EQ(epochs.size(), 4u);
  EXPECT_LT(epochs[3]["loss"], epochs[0]["loss"]);
  EXPECT_LT(epochs[3]["validation_loss"], epochs[0]["validation_loss"]);
  EXPECT_GT(epochs[3]["validation_accuracy"], 0);

  const auto next = run_all(
      {{"pretrain", "--config", out + "/pretrain.toml", "--out", again},
       {"train", "--data", workspace().texts(), "--architecture", "bert", "--bert", out, "--epochs",
        "1", "--slots", "12", "--noise", "delete:p=0.1", "--out", workspace().path("tuned")},
       pretraining(out, 4),
       {"pretrain", "--help"}});
  ASSERT_EQ(next[0].exit_code, 0) << next[0].err;
  EXPECT_EQ(read(again + "/model.safetensors"), read(out + "/model.safetensors"));
  EXPECT_EQ(next[1].exit_code, 0) << next[1].err;
  EXPECT_EQ(next[2].exit_code, 2);
  EXPECT_THAT(next[2].err, HasSubstr("--overwrite"));
  EXPECT_THAT(next[3].out, HasSubstr("\n  textcrs pretrain "));
}

TEST(Pretrain, NeedsNoLabelsAndSaysWhatIsWrong) {
  const std::string lines = workspace().write("lines.txt", "good film\nbad story of the town\n");
  const std::string none = workspace().path("none-pretrained");
  const auto with = [&](const std::string& out, Arguments extra) {
    return Arguments{"pretrain",           "--data", lines, "--out", out, "--bert", tiny_bert(),
                     "--validation-share", "0"} +
           extra;
  };
  const auto results =
      run_all({with(none + "-long", {"--length", "41"}),
               with(none + "-short", {"--length", "2"}),
               {"pretrain", "--data", lines, "--out", none + "-no-bert", "--bert", lines},
               {"pretrain", "--data", lines, "--out", none + "-no-minilm"},
               with(none, {"--resume", "--length", "16"})});
  const std::vector<int> codes = {2, 2, 3, 0, 3};
  for (size_t i = 0; i < results.size(); ++i) {
    if (i == 3) {
      EXPECT_NE(results[i].exit_code, 0);
    } else {
      EXPECT_EQ(results[i].exit_code, codes[i]) << results[i].err;
    }
    EXPECT_EQ(results[i].out, "");
  }
  EXPECT_THAT(results[0].err, HasSubstr("expected 3 to 40"));
  EXPECT_THAT(results[2].err, HasSubstr(lines));
  EXPECT_THAT(results[3].err, HasSubstr("textcrs data fetch minilm"));
  EXPECT_THAT(results[4].err, HasSubstr(none + ".partial"));
  EXPECT_FALSE(fs::exists(none));

  const Result unlabelled = run(with(none, {"--length", "16"}));
  EXPECT_EQ(unlabelled.exit_code, 0) << unlabelled.err;
  EXPECT_THAT(unlabelled.out, HasSubstr("2 texts (2 sequences)"));
}

TEST(Pretrain, KilledAnywhereItGoesOnAndLeavesNothingBehind) {
  constexpr int kEpochs = 20;
  const std::string whole = workspace().path("unkilled-mlm"), out = workspace().path("killed-mlm");
  Process uninterrupted(pretraining(whole, kEpochs));
  Arguments command = pretraining(out, kEpochs);
  int kills = 0;
  for (useconds_t moment = 200'000;; moment += moment / 3, ++kills) {
    Process process(command);
    usleep(moment);
    process.signal(SIGKILL);
    const Result result = process.wait();
    if (result.exit_code == 0) break;
    ASSERT_EQ(result.exit_code, 128 + SIGKILL) << result.err;
    if (kills == 0) command.push_back("--resume");
  }
  EXPECT_GT(kills, 2) << "the case is trivial";
  const Result again = run(command);
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.err, HasSubstr("is finished"));
  ASSERT_EQ(uninterrupted.wait().exit_code, 0);
  EXPECT_EQ(read(out + "/model.safetensors"), read(whole + "/model.safetensors"));
  const auto epochs = json_of(read(out + "/pretraining.json"))["epochs"];
  EXPECT_EQ(epochs.size(), size_t{kEpochs});
  EXPECT_EQ(epochs, json_of(read(whole + "/pretraining.json"))["epochs"]);
  for (const auto& entry : fs::directory_iterator(workspace().path(".")))
    if (entry.path().filename().string().starts_with("killed-mlm"))
      EXPECT_EQ(entry.path().filename(), "killed-mlm");
}

TEST(Pretrain, OneWriterAndNothingOfOthersIsReplaced) {
  const std::string out = workspace().path("shared-mlm");
  Process first(pretraining(out, 20));
  ASSERT_TRUE(runs_until(first, [&] { return fs::exists(out + ".partial/state.json"); }))
      << first.wait().err;
  first.signal(SIGSTOP);
  const Result second = run(pretraining(out, 20));
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_THAT(second.err, HasSubstr("process " + std::to_string(first.id()) + " is writing there"));
  first.signal(SIGKILL);

  const std::string theirs = BertFolder::write("bert-to-keep");
  const std::string before = read(theirs + "/model.safetensors");
  const Result refused = run(pretraining(theirs, 1) + Arguments{"--overwrite"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr(theirs + ": found a folder of others"));
  EXPECT_EQ(read(theirs + "/model.safetensors"), before);
}

TEST(Pretrain, AResumedRunEndsWithTheBytesOfAnUninterruptedOne) {
  constexpr int kEpochs = 20;
  const std::string whole = workspace().path("whole-mlm"), out = workspace().path("stopped-mlm");
  Process uninterrupted(pretraining(whole, kEpochs));
  Process process(pretraining(out, kEpochs));
  ASSERT_TRUE(runs_until(process, [&] { return fs::exists(out + ".partial/state.json"); }))
      << process.wait().err;
  process.signal(SIGINT);
  const Result stopped = process.wait();
  ASSERT_EQ(stopped.exit_code, 4) << stopped.err;
  EXPECT_THAT(stopped.err, HasSubstr("--resume"));
  EXPECT_FALSE(fs::exists(out));
  const Result resumed = run(pretraining(out, kEpochs) + Arguments{"--resume"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_FALSE(fs::exists(out + ".partial"));
  ASSERT_EQ(uninterrupted.wait().exit_code, 0);
  EXPECT_EQ(read(out + "/model.safetensors"), read(whole + "/model.safetensors"));
}

}  // namespace
}  // namespace textcrs::cli_test
