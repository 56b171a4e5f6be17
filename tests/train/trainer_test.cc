// Training: that it learns, that it is keyed and not timed, and that it can be stopped anywhere.
#include "textcrs/train/trainer.h"

#include <gtest/gtest.h>

#include <fstream>

#include "model/expect_error.h"
#include "model/small_model.h"
#include "text/temporary_folder.h"
#include "textcrs/base/files.h"
#include "textcrs/engine/engine.h"
#include "textcrs/noise/noise.h"
#include "textcrs/torch/backend.h"
#include "textcrs/train/smoothed_accuracy.h"
#include "train/epoch_choice.h"
#include "train/two_word_task.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

class Trainer : public testing::Test {
 protected:
  Trainer() {
    config_ = small_config("bilstm");
    config_.classes = {"zero", "one"};
    config_.noise = "universal:p=0.3";
    config_.input_dropout = 0.2;
    options_.epochs = 3;
    options_.batch_size = 16;
    options_.learning_rate = 2e-2;
    options_.validation_share = 0.2;
    options_.validation_copies = 8;
    options_.threads = 1;
  }
  std::unique_ptr<Classifier> fresh(uint64_t seed = 1) const {
    return small_classifier(folder_.path(), config_, seed);
  }
  fs::path checkpoint() const { return folder_.path() / "checkpoint"; }
  std::string weights(const Classifier& classifier) const {
    classifier.save(folder_.path() / "model");
    return read_file(folder_.path() / "model" / "model.safetensors");
  }
  std::string trained_weights(const TrainOptions& options, uint64_t seed = 1) const {
    const auto classifier = fresh(seed);
    train(*classifier, texts_, options, {});
    return weights(*classifier);
  }
  // Trains until `when` is true of a report, and expects to be interrupted there.
  void interrupt(const TrainOptions& options,
                 const std::function<bool(const TrainProgress&)>& when) const {
    std::atomic<bool> stop = false;
    const auto classifier = fresh();
    expect_error(ErrorKind::kInterrupted, [&] {
      train(
          *classifier, texts_, options, [&](const auto& p) { stop = when(p) || stop; },
          StopToken(stop));
    });
  }
  TrainOptions with_checkpoint(bool resume) const {
    TrainOptions options = options_;
    options.checkpoint = checkpoint();
    options.resume = resume;
    return options;
  }
  static double accuracy(const Classifier& classifier, const Noise& noise,
                         const std::vector<EncodedText>& texts) {
    const auto engine =
        make_cpu_engine(classifier, {.threads = 1, .precision = classifier.config().precision});
    return smoothed_accuracy(*engine, noise, texts, 16, 5);
  }
  std::string refusal(ErrorKind kind, const TrainOptions& options) const {
    const auto classifier = fresh();
    return expect_error(kind, [&] { train(*classifier, texts_, options, {}); });
  }

  TemporaryFolder folder_;
  TrainOptions options_;
  ModelConfig config_;
  std::vector<EncodedText> texts_ = two_word_task(320);
};

TEST_F(Trainer, LearnsATaskUnderNoise) {
  texts_ = two_word_task(800);
  for (const auto& [architecture, noise, slots] :
       {std::tuple{"bilstm", "universal:p=0.3", 12}, std::tuple{"cnn", "universal:p=0.3", 12},
        std::tuple{"bilstm", "insert:sigma=0.3", 12}, std::tuple{"cnn", "delete:p=0.3", 12}}) {
    config_.architecture = architecture;
    config_.noise = noise;
    config_.slots = slots;
    options_.epochs = 6;
    const auto classifier = fresh();
    const TrainResult result = train(*classifier, texts_, options_, {});
    EXPECT_GT(result.validation_accuracy, 0.95) << architecture << " " << noise;
    // Not the validation texts alone: other texts of the same task, other noise.
    const auto kind = make_noise(noise, {nullptr, nullptr, slots});
    auto unseen = two_word_task(1000);
    unseen.erase(unseen.begin(), unseen.begin() + 800);
    EXPECT_GT(accuracy(*classifier, *kind, unseen), 0.95);
    EXPECT_LT(accuracy(*fresh(), *kind, unseen), 0.8);
  }
}

TEST_F(Trainer, ReportsEveryBatchAndEveryEpoch) {
  const auto classifier = fresh();
  std::vector<TrainProgress> reports;
  const TrainResult result =
      train(*classifier, texts_, options_, [&](const auto& p) { reports.push_back(p); });
  constexpr size_t kBatches = 16;  // 256 texts are left
  ASSERT_EQ(reports.size(), 3 * (kBatches + 1));
  TrainProgress best, kept;
  for (size_t i = 0; i < reports.size(); ++i) {
    const TrainProgress& p = reports[i];
    EXPECT_EQ(p.epoch, static_cast<int>(i / (kBatches + 1)) + 1);
    EXPECT_EQ(p.epochs, 3);
    EXPECT_EQ(p.batches, static_cast<int>(kBatches));
    EXPECT_EQ(p.batch, static_cast<int>(std::min(i % (kBatches + 1) + 1, kBatches)));
    EXPECT_EQ(p.epoch_done, i % (kBatches + 1) == kBatches);
    if (!p.epoch_done) continue;
    ASSERT_TRUE(p.validation_accuracy);
    EXPECT_EQ(p.is_best, !best.epoch_done || *p.validation_accuracy > *best.validation_accuracy);
    if (p.is_best) best = p;
    const int chance = texts_within_chance(*best.validation_accuracy, 64);
    EXPECT_EQ(p.is_kept, *p.validation_accuracy > *best.validation_accuracy - (chance + 0.5) / 64);
    if (p.is_kept) kept = p;
  }
  EXPECT_EQ(result.validation_accuracy, kept.validation_accuracy);
  EXPECT_EQ(result.epoch, kept.epoch);
  EXPECT_EQ(result.best_accuracy, best.validation_accuracy);
  EXPECT_EQ(result.best_epoch, best.epoch);
  EXPECT_LT(reports.back().loss, reports[kBatches].loss);
}

TEST_F(Trainer, LeavesTheWeightsOfTheKeptEpoch) {
  options_.epochs = 6;
  const auto classifier = fresh();
  std::vector<EncodedText> held_out = two_word_task(64);
  for (EncodedText& text : held_out) text.label = 1 - text.label;  // worse the more it learns
  std::vector<std::string> by_epoch;
  const TrainResult result = train(*classifier, texts_, held_out, options_, [&](const auto& p) {
    if (p.epoch_done) by_epoch.push_back(weights(*classifier));
  });
  ASSERT_EQ(by_epoch.size(), 6u);
  ASSERT_LT(result.epoch, 6) << "the case is trivial";
  EXPECT_TRUE(weights(*classifier) == by_epoch[static_cast<size_t>(result.epoch - 1)]);
  EXPECT_FALSE(weights(*classifier) == by_epoch.back());
}

TEST_F(Trainer, TheLaterOfEpochsThatAreEquallyGoodIsKept) {
  options_.epochs = 12;
  const TrainResult result = train(*fresh(), texts_, options_, {});
  EXPECT_GT(result.validation_accuracy, 0.95);  // long before the end
  EXPECT_EQ(result.epoch, 12);
}

TEST_F(Trainer, TheSeedDecidesTheWeightsAndThreadsDoNot) {
  options_.batch_size = 80;  // two shards of the LSTM's rows
  for (const char* architecture : {"bilstm", "cnn"}) {
    config_.architecture = architecture;
    const std::string expected = trained_weights(options_);
    for (const auto& [loader_threads, threads] : {std::pair{1, 1}, {3, 1}, {1, 2}, {3, 2}}) {
      TrainOptions options = options_;
      options.loader_threads = loader_threads;
      options.threads = threads;
      EXPECT_TRUE(trained_weights(options) == expected)
          << architecture << " " << loader_threads << " " << threads;
    }
    TrainOptions other = options_;
    other.seed = 2;
    EXPECT_FALSE(trained_weights(other) == expected);
  }
}

TEST_F(Trainer, SlotsThatNoTextFillsChangeNothing) {
  for (const char* architecture : {"bilstm", "cnn"}) {
    config_.architecture = architecture;
    config_.slots = 12;
    const std::string expected = trained_weights(options_);
    config_.slots = 512;
    EXPECT_TRUE(trained_weights(options_) == expected) << architecture;
  }
}

TEST_F(Trainer, TextsOfTheirOwnChooseTheEpoch) {
  std::vector<EncodedText> own = two_word_task(400);
  own.erase(own.begin(), own.begin() + 320);
  const auto classifier = fresh();
  int batches = 0;
  const TrainResult result = train(*classifier, texts_, own, options_,
                                   [&](const TrainProgress& p) { batches = p.batches; });
  EXPECT_EQ(batches, 20);  // all 320 texts
  const auto noise = make_noise(config_.noise, {nullptr, nullptr, config_.slots});
  const auto engine = make_cpu_engine(*classifier, {.threads = 1, .precision = config_.precision});
  EXPECT_EQ(result.validation_accuracy,
            smoothed_accuracy(*engine, *noise, own, options_.validation_copies, options_.seed));

  // Stopped, it goes on with the same texts only.
  std::atomic<bool> stop = true;
  const auto stopped = fresh();
  expect_error(ErrorKind::kInterrupted,
               [&] { train(*stopped, texts_, own, with_checkpoint(false), {}, StopToken(stop)); });
  const auto resumed = fresh();
  own.pop_back();
  expect_error(ErrorKind::kUsage, [&] { train(*resumed, texts_, own, with_checkpoint(true), {}); });
}

TEST_F(Trainer, TrainsTheWordVectorsWhereToldSo) {
  for (const auto& [architecture, noise] : {std::pair{"bilstm", "universal:p=0.3"},
                                            {"cnn", "universal:p=0.3"},
                                            {"cnn", "insert:sigma=0.3"}}) {
    config_.architecture = architecture;
    config_.noise = noise;
    config_.pool_all_slots = config_.noise != "universal:p=0.3";
    config_.trained_vectors = false;
    const std::vector<float> given = fresh()->vectors();
    const auto frozen = fresh();
    train(*frozen, texts_, options_, {});
    EXPECT_EQ(frozen->vectors(), given);

    config_.trained_vectors = true;
    const auto trained = fresh();
    train(*trained, texts_, options_, {});
    const std::vector<float> own = trained->vectors();
    EXPECT_NE(own, given);
    for (size_t d = 0; d < kSmallDimension; ++d) EXPECT_EQ(own[d], 0) << "PAD";

    // The folder holds them: loaded, it answers the same, in both engines.
    trained->save(folder_.path() / "own");
    const auto loaded = Classifier::load(folder_.path() / "own");
    EXPECT_TRUE(loaded->config().trained_vectors);
    EXPECT_EQ(loaded->vectors(), own);
    const auto kind = make_noise(noise, {nullptr, nullptr, config_.slots});
    std::vector<TextSamples> samples;
    for (const EncodedText& text : texts_)
      samples.push_back({text.text(), {.seed = 3, .example = text.id, .begin = 0, .end = 40}});
    const auto votes = [&](const Engine& engine) { return engine.votes(samples, *kind); };
    const auto cpu = make_cpu_engine(*loaded, {.threads = 1, .precision = Precision::kFp32});
    EXPECT_EQ(votes(*cpu),
              votes(*make_cpu_engine(*trained, {.threads = 1, .precision = Precision::kFp32})));
    EXPECT_EQ(votes(*cpu),
              votes(*torch_backend().reference_engine(*loaded, "cpu", {.threads = 1})));
  }
}

TEST_F(Trainer, StoppedAndResumedIsTheUninterruptedRun) {
  std::vector<TrainProgress> reports;
  const auto whole = fresh();
  const TrainResult expected =
      train(*whole, texts_, options_, [&](const auto& p) { reports.push_back(p); });
  const std::string expected_weights = weights(*whole);
  // 51 reports in all, each 17th the end of an epoch; not the last epoch's, when all is done.
  for (const size_t last : {0, 4, 15, 16, 17, 24, 33, 34, 45}) {
    size_t seen = 0;
    interrupt(with_checkpoint(false), [&](const auto&) { return seen++ == last; });
    const auto resumed = fresh();
    size_t next = seen;
    const TrainResult result =
        train(*resumed, texts_, with_checkpoint(true), [&](const TrainProgress& p) {
          ASSERT_LT(next, reports.size());
          EXPECT_EQ(p.epoch, reports[next].epoch);
          EXPECT_EQ(p.batch, reports[next].batch);
          EXPECT_EQ(p.loss, reports[next].loss);
          EXPECT_EQ(p.validation_accuracy, reports[next].validation_accuracy);
          EXPECT_EQ(p.is_best, reports[next].is_best);
          EXPECT_EQ(p.is_kept, reports[next].is_kept);
          ++next;
        });
    EXPECT_EQ(next, reports.size()) << last;
    EXPECT_TRUE(weights(*resumed) == expected_weights) << last;
    EXPECT_EQ(result.epoch, expected.epoch);
    EXPECT_EQ(result.validation_accuracy, expected.validation_accuracy);
    EXPECT_EQ(result.best_epoch, expected.best_epoch);
    EXPECT_EQ(result.best_accuracy, expected.best_accuracy);
  }
}

// What ends without a stop, as by kill -9, leaves the state that was saved last.
TEST_F(Trainer, EndedWithinAnEpochItGoesOnFromTheLastSave) {
  struct Ended {};
  for (const auto& [architecture, average] : {std::pair{"bilstm", 0.0}, {"cnn", 0.9}}) {
    config_.architecture = architecture;
    options_.average = average;
    options_.checkpoint_seconds = 1e9;
    const auto whole = fresh();
    const TrainResult expected = train(*whole, texts_, options_, {});
    TrainOptions options = with_checkpoint(false);
    options.checkpoint_seconds = 0;
    for (const auto& [epoch, batch] : {std::pair{1, 2}, {1, 16}, {2, 1}, {3, 9}}) {
      const auto ended = fresh();
      EXPECT_THROW(train(*ended, texts_, options,
                         [&](const TrainProgress& p) {
                           if (p.epoch == epoch && p.batch == batch && !p.epoch_done) throw Ended();
                         }),
                   Ended);
      options.resume = true;  // again and again
      const std::string state = read_file(checkpoint() / "state.json");
      EXPECT_NE(state.find("\"batch\": " + std::to_string(batch - 1)), std::string::npos) << state;
    }
    const auto resumed = fresh();
    const TrainResult result = train(*resumed, texts_, options, {});
    EXPECT_TRUE(weights(*resumed) == weights(*whole)) << architecture;
    EXPECT_EQ(result.run, expected.run);
    ASSERT_EQ(result.epochs.size(), 3u);
    for (size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(result.epochs[i].number, static_cast<int>(i) + 1);
      EXPECT_EQ(result.epochs[i].loss, expected.epochs[i].loss);
      EXPECT_EQ(result.epochs[i].validation_accuracy, expected.epochs[i].validation_accuracy);
    }
  }
}

TEST_F(Trainer, SavesNoOftenerThanToldWithinAnEpoch) {
  TrainOptions options = with_checkpoint(false);
  options.checkpoint_seconds = 1e9;
  train(*fresh(), texts_, options, [&](const TrainProgress& p) {
    EXPECT_EQ(fs::exists(checkpoint()), p.epoch > 1 || p.epoch_done);
  });
}

TEST_F(Trainer, TheTimeBeforeAnInterruptionCounts) {
  interrupt(with_checkpoint(false), [](const auto& p) { return p.epoch == 3; });
  std::string state = read_file(checkpoint() / "state.json");
  const size_t begin = state.find("\"seconds\": ") + 11, end = state.find(',', begin);
  std::ofstream(checkpoint() / "state.json") << state.replace(begin, end - begin, "5000");
  EXPECT_GT(train(*fresh(), texts_, with_checkpoint(true), {}).seconds, 5000);
}

TEST_F(Trainer, OtherFilesStayInTheFolderOfTheState) {
  fs::create_directories(checkpoint());
  std::ofstream(checkpoint() / "trials.json") << "[1]";
  interrupt(with_checkpoint(false), [](const auto& p) { return p.epoch == 2; });
  EXPECT_EQ(read_file(checkpoint() / "trials.json"), "[1]");
  EXPECT_TRUE(fs::exists(checkpoint() / "state.json"));
}

TEST_F(Trainer, MayBeStoppedAgainAndAgainOnOtherThreads) {
  const std::string expected = trained_weights(options_);
  TrainOptions options = with_checkpoint(false);
  for (int round = 0; round < 5; ++round) {
    int left = 8;
    interrupt(options, [&](const auto&) { return --left == 0; });
    options.resume = true;
    options.loader_threads = 1 + round % 3;
    options.threads = 1 + round % 2;
  }
  EXPECT_TRUE(trained_weights(options) == expected);
}

TEST_F(Trainer, AFinishedRunResumedIsDone) {
  const std::string expected = trained_weights(with_checkpoint(false));
  const auto again = fresh();
  int reports = 0;
  train(*again, texts_, with_checkpoint(true), [&](const auto&) { ++reports; });
  EXPECT_EQ(reports, 0);
  EXPECT_TRUE(weights(*again) == expected);
}

TEST_F(Trainer, StoppedWithoutACheckpointKeepsNothing) {
  interrupt(options_, [](const auto&) { return true; });
  for (const auto& entry : fs::directory_iterator(folder_.path()))
    EXPECT_TRUE(entry.is_regular_file()) << entry.path();
}

TEST_F(Trainer, RefusesToResumeWithOtherOptions) {
  interrupt(with_checkpoint(false), [](const auto& p) { return p.batch == 3; });
  const TrainOptions same = with_checkpoint(true);
  const std::vector<std::function<void(TrainOptions&)>> changes = {
      [](auto& o) { o.epochs = 4; },
      [](auto& o) { o.batch_size = 17; },
      [](auto& o) { o.learning_rate = 1e-2; },
      [](auto& o) { o.weight_decay = 0.1; },
      [](auto& o) { o.gradient_clip = 2; },
      [](auto& o) { o.seed = 2; },
      [](auto& o) { o.copies = 2; },
      [](auto& o) { o.copies = 2, o.loss.consistency = 1; },
      [](auto& o) { o.copies = 2, o.loss.consistency_entropy = 1; },
      [](auto& o) { o.loss.teacher_share = 0.4; },
      [](auto& o) { o.loss.teacher_temperature = 3; },
      [](auto& o) {
        o.levels = NoiseLevels{0.2, 0.4};
      },
      [](auto& o) { o.average = 0.9; },
      [](auto& o) { o.validation_share = 0.3; },
      [](auto& o) { o.validation_copies = 9; }};
  for (const auto& change : changes) {
    TrainOptions other = same;
    change(other);
    EXPECT_NE(refusal(ErrorKind::kUsage, other).find("other options"), std::string::npos);
  }
  const ModelConfig config = config_;
  const std::vector<std::function<void(ModelConfig&)>> models = {
      [](auto& c) { c.hidden = 10; },          [](auto& c) { c.noise = "universal:p=0.4"; },
      [](auto& c) { c.architecture = "cnn"; }, [](auto& c) { c.dropout = 0.4; },
      [](auto& c) { c.slots = 11; },           [](auto& c) { c.trained_vectors = true; }};
  for (const auto& change : models) {
    change(config_);
    refusal(ErrorKind::kUsage, same);
    config_ = config;
  }
  const auto elsewhere = fresh(99);  // other parameters to begin with
  expect_error(ErrorKind::kUsage, [&] { train(*elsewhere, texts_, same, {}); });
  for (EncodedText& text : texts_) text.teacher = {0, 1};
  EXPECT_NE(refusal(ErrorKind::kUsage, same).find("other options"), std::string::npos);
  for (EncodedText& text : texts_) text.teacher.clear();
  texts_[7].label = 1 - texts_[7].label;
  refusal(ErrorKind::kUsage, same);
}

TEST_F(Trainer, RefusesToResumeWhereNothingIs) {
  EXPECT_NE(refusal(ErrorKind::kBadInput, with_checkpoint(true)).find(checkpoint().string()),
            std::string::npos);
  TrainOptions nowhere = options_;
  nowhere.resume = true;
  refusal(ErrorKind::kUsage, nowhere);
}

TEST_F(Trainer, RefusesADamagedCheckpoint) {
  interrupt(with_checkpoint(false), [](const auto& p) { return p.epoch == 2 && p.batch == 3; });
  const fs::path state = checkpoint() / "state.json", tensors = checkpoint() / "state.safetensors";
  const auto damage = [&](const fs::path& file, const std::string& content) {
    const std::string before = read_file(file);
    ASSERT_NE(content, before);
    std::ofstream(file, std::ios::binary) << content;
    EXPECT_NE(refusal(ErrorKind::kBadInput, with_checkpoint(true)).find(checkpoint().string()),
              std::string::npos);
    std::ofstream(file, std::ios::binary) << before;
  };
  const std::string json = read_file(state), bytes = read_file(tensors);
  const size_t brace = json.rfind('}');
  for (size_t size = 0; size <= brace; size += 7) damage(state, json.substr(0, size));
  damage(state, json.substr(0, brace));
  for (size_t size = 0; size < bytes.size(); size += bytes.size() / 23)
    damage(tensors, bytes.substr(0, size));
  damage(tensors, bytes.substr(0, bytes.size() - 1));
  damage(tensors, bytes + "x");

  const auto replaced = [](std::string content, const std::string& from, const std::string& to) {
    return content.replace(content.find(from), from.size(), to);
  };
  damage(state, replaced(json, "\"epoch\": 1", "\"epoch\": -1"));
  damage(state, replaced(json, "\"epoch\": 1", "\"epoch\": 9"));
  damage(state, replaced(json, "\"batch\": 3", "\"batch\": 99"));
  damage(state, replaced(json, "\"steps\": 19", "\"steps\": 20"));
  damage(state, replaced(json, "\"steps\": 19", "\"steps\": \"19\""));
  for (const std::string& wrong :
       {std::string("19.5"), std::string("true"), std::string("1e999"), std::string("1e30"),
        std::string("-19"), std::string("null"), std::string(100000, '['),
        std::string(100000, '[') + std::string(100000, ']')})
    damage(state, replaced(json, "\"steps\": 19", "\"steps\": " + wrong));
  damage(state, replaced(json, "\"kept\": {", "\"kept\": 7, \"more\": {"));
  damage(state, replaced(json, "\"steps\": 19", "\"steps\": 19, \"steps\": 19"));
  std::string infinite = bytes;  // in the last number
  infinite.replace(bytes.size() - 4, 4, std::string("\0\0\x80\x7f", 4));
  damage(tensors, infinite);
  // A tensor renamed, of another type, of another shape.
  for (const char* name : {"p.head.bias", "m.head.bias", "v.head.bias", "kept.head.bias"})
    damage(tensors, replaced(bytes, std::string("\"") + name, "\"x" + std::string(name).substr(1)));
  damage(tensors, replaced(bytes, "F32", "I32"));
  damage(tensors, replaced(bytes, "\"shape\":[2,18]", "\"shape\":[18,2]"));
  EXPECT_NO_THROW(train(*fresh(), texts_, with_checkpoint(true), {}));
}

TEST_F(Trainer, WithoutHeldOutTextsTheLastEpochIsKept) {
  options_.validation_share = 0;
  const auto classifier = fresh();
  std::vector<bool> kept;
  const TrainResult result = train(*classifier, texts_, options_, [&](const auto& p) {
    EXPECT_EQ(p.validation_accuracy, std::nullopt);
    EXPECT_FALSE(p.is_best);
    if (p.epoch_done) kept.push_back(p.is_kept);
  });
  EXPECT_EQ(kept, std::vector<bool>(3, true));
  EXPECT_EQ(result.epoch, 3);
  EXPECT_EQ(result.validation_accuracy, std::nullopt);
  EXPECT_EQ(result.best_accuracy, std::nullopt);

  // The same where it was stopped after an epoch.
  interrupt(with_checkpoint(false), [](const auto& p) { return p.epoch == 2; });
  const auto resumed = fresh();
  EXPECT_EQ(train(*resumed, texts_, with_checkpoint(true), {}).validation_accuracy, std::nullopt);
  EXPECT_TRUE(weights(*resumed) == weights(*classifier));
}

// 0.05 of nine texts is none, whatever the number of classes.
TEST_F(Trainer, AsManyTextsAreHeldOutAsItSays) {
  options_.epochs = 1;
  options_.batch_size = 1;
  for (const auto& [share, of_nine, held_out] :
       {std::tuple{0.05, true, 0u}, {0.06, true, 2u}, {0.5, true, 10u}, {0.2, false, 64u}}) {
    std::vector<EncodedText> texts = two_word_task(of_nine ? 18 : 320);
    if (of_nine)
      for (size_t i = 0; i < texts.size(); ++i) texts[i].label = i < 9;
    EXPECT_EQ(held_out_count(texts, share), held_out) << share;
    options_.validation_share = share;
    int batches = 0;
    train(*fresh(), texts, options_, [&](const auto& p) { batches = p.batches; });
    EXPECT_EQ(batches, static_cast<int>(texts.size() - held_out)) << share;
  }
  EXPECT_EQ(held_out_count({}, 0.5), 0u);
}

TEST_F(Trainer, RefusesWhenNoTextIsLeft) {
  options_.validation_share = 1;
  refusal(ErrorKind::kUsage, options_);
  texts_.clear();
  refusal(ErrorKind::kUsage, options_);
}

TEST_F(Trainer, SaysWhenTheLossIsLost) {
  options_.learning_rate = 1e38;
  EXPECT_NE(refusal(ErrorKind::kFailed, options_).find("use a lower learning rate"),
            std::string::npos);
}

}  // namespace
}  // namespace textcrs
