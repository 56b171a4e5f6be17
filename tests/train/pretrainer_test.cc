// Pretraining: that it learns to guess words, that it is keyed, and that it can be stopped
// anywhere.
#include "textcrs/train/pretrainer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "model/expect_error.h"
#include "model/tiny_bert.h"
#include "text/temporary_folder.h"
#include "textcrs/base/files.h"
#include "textcrs/text/wordpiece.h"
#include "textcrs/torch/backend.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using Words = std::vector<std::string>;

// Every word follows from the others.
const std::vector<Words> kSentences = {{"the", "good", "film", "!"},
                                       {"a", "bad", "story", "."},
                                       {"very", "dull", "and", "warm"},
                                       {"films", "of", "w", ","}};

class Pretrainer : public testing::Test {
 protected:
  Pretrainer() {
    tiny_.write(folder_.path() / "bert");
    for (uint32_t i = 0; i < 40; ++i) texts_.push_back({i, kSentences[i % 4]});
    options_.epochs = 2;
    options_.batch_size = 8;
    options_.length = 12;
    options_.learning_rate = 1e-2;
    options_.validation_share = 0.2;
    options_.threads = 1;
  }
  std::unique_ptr<MaskedLm> fresh() const {
    return torch_backend().masked_lm(folder_.path() / "bert", "cpu");
  }
  std::string weights(const MaskedLm& model) const {
    model.save(folder_.path() / "saved");
    return read_file(folder_.path() / "saved" / "model.safetensors");
  }
  std::string trained_weights(const PretrainOptions& options) const {
    const auto model = fresh();
    pretrain(*model, texts_, options, {});
    return weights(*model);
  }
  fs::path checkpoint() const { return folder_.path() / "checkpoint"; }
  PretrainOptions with_checkpoint(bool resume) const {
    PretrainOptions options = options_;
    options.checkpoint = checkpoint();
    options.resume = resume;
    return options;
  }
  // Trains until `when` is true of a report, and expects to be interrupted there.
  void interrupt(const PretrainOptions& options,
                 const std::function<bool(const PretrainProgress&)>& when) const {
    std::atomic<bool> stop = false;
    const auto model = fresh();
    expect_error(ErrorKind::kInterrupted, [&] {
      pretrain(
          *model, texts_, options, [&](const auto& p) { stop = when(p) || stop; }, StopToken(stop));
    });
  }
  std::string refusal(ErrorKind kind, const PretrainOptions& options) const {
    const auto model = fresh();
    return expect_error(kind, [&] { pretrain(*model, texts_, options, {}); });
  }

  TemporaryFolder folder_;
  TinyBert tiny_;
  std::vector<WordText> texts_;
  PretrainOptions options_;
};

TEST_F(Pretrainer, LearnsWhichWordsFit) {
  for (uint32_t i = 40; i < 160; ++i) texts_.push_back({i, kSentences[i % 4]});
  options_.epochs = 40;
  options_.batch_size = 32;
  options_.dropout = 0;
  options_.learning_rate = 2e-2;
  const auto model = fresh();
  std::vector<double> losses, accuracies;
  const PretrainResult result = pretrain(*model, texts_, options_, [&](const auto& p) {
    if (!p.epoch_done) return;
    losses.push_back(p.validation.value().loss);
    accuracies.push_back(p.validation.value().accuracy);
  });
  ASSERT_EQ(losses.size(), 40u);
  EXPECT_LT(losses.back(), losses.front() / 4);
  EXPECT_GT(accuracies.back(), 0.8);
  EXPECT_EQ(result.validation.value().loss, losses.back());
  EXPECT_EQ(result.validation.value().accuracy, accuracies.back());
  EXPECT_EQ(result.sequences, 128u);
  for (const Words& sentence : kSentences)
    for (size_t place = 0; place < sentence.size(); ++place) {
      if (sentence[place] == "films") continue;
      Words others = sentence;
      others.erase(others.begin() + static_cast<ptrdiff_t>(place));
      const WordGuess guess = model->fill(others, place, 1).at(0);
      EXPECT_EQ(guess.word, sentence[place]);
      EXPECT_GT(guess.probability, 0.5);
    }
}

TEST_F(Pretrainer, ReportsEveryBatchAndEveryEpoch) {
  const auto model = fresh();
  std::vector<PretrainProgress> reports;
  pretrain(*model, texts_, options_, [&](const auto& p) { reports.push_back(p); });
  ASSERT_EQ(reports.size(), 10u);  // 32 texts are left: four batches
  for (size_t i = 0; i < reports.size(); ++i) {
    const PretrainProgress& p = reports[i];
    EXPECT_EQ(p.epoch, static_cast<int>(i / 5) + 1);
    EXPECT_EQ(p.epochs, 2);
    EXPECT_EQ(p.batches, 4);
    EXPECT_EQ(p.batch, static_cast<int>(std::min<size_t>(i % 5 + 1, 4)));
    EXPECT_EQ(p.epoch_done, i % 5 == 4);
    EXPECT_EQ(p.validation.has_value(), p.epoch_done);
    EXPECT_GT(p.loss, 0);
    if (!p.epoch_done) EXPECT_GT(p.sequences_per_second, 0);
  }
}

TEST_F(Pretrainer, WithoutHeldOutTextsThereIsNoQuality) {
  options_.validation_share = 0;
  const auto model = fresh();
  const PretrainResult result = pretrain(*model, texts_, options_, {});
  EXPECT_FALSE(result.validation.has_value());
  EXPECT_EQ(result.sequences, 40u);
}

TEST_F(Pretrainer, LongTextsBecomeSeveralSequences) {
  options_.validation_share = 0;
  texts_ = {{3, Words(25, "film")}, {4, {"?", "?"}}, {5, {}}};
  const auto model = fresh();
  EXPECT_EQ(pretrain(*model, texts_, options_, {}).sequences, 3u);
}

TEST_F(Pretrainer, TheSeedAndNothingElseDecidesTheWeights) {
  const std::string expected = trained_weights(options_);
  EXPECT_EQ(trained_weights(options_), expected);
  EXPECT_EQ(trained_weights(with_checkpoint(false)), expected);
  options_.seed = 2;
  EXPECT_NE(trained_weights(options_), expected);
}

TEST_F(Pretrainer, FreezesTheEmbeddingsIfTold) {
  const auto changed = [&](bool freeze) {
    options_.freeze_embeddings = freeze;
    const auto model = fresh();
    const Weights before = model->parameters();
    pretrain(*model, texts_, options_, {});
    std::set<std::string> names;
    for (const auto& [name, parameter] : model->parameters())
      if (parameter != before.at(name)) names.insert(name);
    return names;
  };
  const size_t all = fresh()->parameters().size();
  EXPECT_EQ(changed(false).size(), all);
  const auto frozen = changed(true);
  EXPECT_EQ(frozen.size(), all - 5);
  for (const std::string& name : frozen) EXPECT_FALSE(name.starts_with("embeddings.")) << name;
}

TEST_F(Pretrainer, AResumedRunEndsAsAnUninterruptedOne) {
  const std::string expected = trained_weights(options_);
  const std::vector<std::function<bool(const PretrainProgress&)>> moments = {
      [](const auto& p) { return p.epoch == 1 && p.batch == 1; },
      [](const auto& p) { return p.epoch == 1 && p.batch == 4; },
      [](const auto& p) { return p.epoch == 1 && p.epoch_done; },
      [](const auto& p) { return p.epoch == 2 && p.batch == 3; }};
  for (const auto& moment : moments) {
    fs::remove_all(checkpoint());
    interrupt(with_checkpoint(false), moment);
    EXPECT_EQ(trained_weights(with_checkpoint(true)), expected);
    // What is left is a finished run.
    const auto model = fresh();
    const PretrainResult again = pretrain(*model, texts_, with_checkpoint(true), {});
    EXPECT_TRUE(again.validation.has_value());
    EXPECT_EQ(weights(*model), expected);
  }
}

// What ends without a stop, as by kill -9, leaves the state that was saved last.
TEST_F(Pretrainer, EndedWithinAnEpochItGoesOnFromTheLastSave) {
  struct Ended {};
  const auto whole = fresh();
  const PretrainResult expected = pretrain(*whole, texts_, options_, {});
  PretrainOptions options = with_checkpoint(false);
  options.checkpoint_seconds = 0;
  for (const auto& [epoch, batch] : {std::pair{1, 2}, {1, 4}, {2, 3}}) {
    const auto ended = fresh();
    EXPECT_THROW(pretrain(*ended, texts_, options,
                          [&](const PretrainProgress& p) {
                            if (p.epoch == epoch && p.batch == batch && !p.epoch_done)
                              throw Ended();
                          }),
                 Ended);
    EXPECT_THAT(read_file(checkpoint() / "state.json"),
                HasSubstr("\"batch\": " + std::to_string(batch - 1)));
    options.resume = true;  // again and again
  }
  const auto resumed = fresh();
  const PretrainResult result = pretrain(*resumed, texts_, options, {});
  EXPECT_EQ(weights(*resumed), weights(*whole));
  EXPECT_EQ(result.run, expected.run);
  ASSERT_EQ(result.epochs.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(result.epochs[i].number, static_cast<int>(i) + 1);
    EXPECT_EQ(result.epochs[i].loss, expected.epochs[i].loss);
    EXPECT_EQ(result.epochs[i].validation->loss, expected.epochs[i].validation->loss);
    EXPECT_EQ(result.epochs[i].validation->accuracy, expected.epochs[i].validation->accuracy);
  }
  EXPECT_EQ(result.validation->loss, result.epochs[1].validation->loss);
}

TEST_F(Pretrainer, RefusesToResumeAnotherRun) {
  interrupt(with_checkpoint(false), [](const auto& p) { return p.batch == 2; });
  const std::vector<std::function<void(PretrainOptions&)>> changes = {
      [](auto& o) { o.epochs = 3; },
      [](auto& o) { o.batch_size = 7; },
      [](auto& o) { o.length = 11; },
      [](auto& o) { o.learning_rate = 2e-2; },
      [](auto& o) { o.warm_up = 0.2; },
      [](auto& o) { o.weight_decay = 0.1; },
      [](auto& o) { o.gradient_clip = 2; },
      [](auto& o) { o.dropout = 0.2; },
      [](auto& o) { o.seed = 4; },
      [](auto& o) { o.validation_share = 0.3; },
      [](auto& o) { o.freeze_embeddings = true; }};
  for (const auto& change : changes) {
    PretrainOptions other = with_checkpoint(true);
    change(other);
    refusal(ErrorKind::kUsage, other);
  }
  std::swap(texts_[0].words[0], texts_[0].words[1]);
  refusal(ErrorKind::kUsage, with_checkpoint(true));
}

TEST_F(Pretrainer, RefusesADamagedCheckpoint) {
  interrupt(with_checkpoint(false), [](const auto& p) { return p.epoch == 2 && p.batch == 3; });
  const auto damage = [&](const char* name, const std::string& from, const std::string& to) {
    const fs::path file = checkpoint() / name;
    const std::string before = read_file(file);
    std::string content = before;
    ASSERT_NE(content.find(from), std::string::npos) << from;
    content.replace(content.find(from), from.size(), to);
    std::ofstream(file, std::ios::binary) << content;
    EXPECT_THAT(refusal(ErrorKind::kBadInput, with_checkpoint(true)),
                HasSubstr(checkpoint().string()));
    std::ofstream(file, std::ios::binary) << before;
  };
  damage("state.json", "\"epoch\": 1", "\"epoch\": 3");
  damage("state.json", "\"batch\": 3", "\"batch\": -1");
  damage("state.json", "\"steps\": 7", "\"steps\": 8");
  for (const char* kind : {"p", "m", "v"})
    damage("state.safetensors", std::string("\"") + kind + ".cls.predictions.bias",
           "\"x.cls.predictions.bias");
  damage("state.safetensors", "\"shape\":[32,16]", "\"shape\":[16,32]");
  EXPECT_NO_THROW(trained_weights(with_checkpoint(true)));
}

TEST_F(Pretrainer, RefusesWhatCanNotWork) {
  EXPECT_THAT(refusal(ErrorKind::kBadInput, with_checkpoint(true)),
              HasSubstr(checkpoint().string()));
  PretrainOptions nowhere = options_;
  nowhere.resume = true;
  refusal(ErrorKind::kUsage, nowhere);
  for (const int length : {2, 25}) {
    PretrainOptions other = options_;
    other.length = length;
    EXPECT_THAT(refusal(ErrorKind::kUsage, other), HasSubstr("24"));
  }
  PretrainOptions wild = options_;
  wild.learning_rate = 1e38;
  EXPECT_THAT(refusal(ErrorKind::kFailed, wild), HasSubstr("use a lower learning rate"));
  texts_ = {{0, {"?"}}};
  refusal(ErrorKind::kUsage, options_);
  texts_.clear();
  refusal(ErrorKind::kUsage, options_);
}

}  // namespace
}  // namespace textcrs
