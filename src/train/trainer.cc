#include "textcrs/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "textcrs/base/error.h"
#include "textcrs/base/parallel.h"
#include "textcrs/torch/backend.h"
#include "textcrs/train/smoothed_accuracy.h"
#include "train/batches.h"
#include "train/checkpoint.h"
#include "train/describe_run.h"
#include "train/hold_out.h"
#include "train/interval_accuracy.h"
#include "train/noise_level.h"
#include "train/schedule.h"
#include "train/vote_learner.h"
#include "train/weight_average.h"

namespace textcrs {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

LearnerOptions learner_options(const TrainOptions& options, size_t texts) {
  const auto batch = static_cast<size_t>(options.batch_size);
  const auto steps = static_cast<double>((texts + batch - 1) / batch) * options.epochs;
  return {.device = options.device,
          .threads = options.threads,
          .seed = options.seed,
          .weight_decay = options.weight_decay,
          .gradient_clip = options.gradient_clip,
          .accumulate = options.accumulate,
          .freeze_layers = options.freeze_layers,
          .reconstruction_weight = options.reconstruction_weight,
          .noisy_loss = options.loss,
          .edits = static_cast<int>(options.votes.edits),
          .temperature = options.votes.temperature,
          .interval_weight = options.interval_weight,
          .interval_ramp = static_cast<int64_t>(options.interval_ramp * steps),
          .encoder_weight = options.encoder_weight,
          .encoder_hidden = options.encoder_hidden};
}

void check_encoder(const Classifier& classifier, const Noise& noise, const TrainOptions& options) {
  if (options.encoder_weight == 0) return;
  const ModelConfig& config = classifier.config();
  if (noise.sigma() == 0)
    throw usage_error(fmt::format(
        "an encoder is trained under Gaussian noise on the word vectors, found noise {}",
        config.noise));
  if (classifier.synonyms().size() == 0)
    throw usage_error("an encoder draws words and their candidates together, and there are none");
  if (config.kind().reads_pieces || config.kind().casts_votes)
    throw usage_error(
        fmt::format("an encoder is for word vectors, found a {}", config.architecture));
  if (!config.trained_vectors)
    throw usage_error("an encoder makes the model's own vectors, but they are not to be trained");
}

std::unique_ptr<ClassifierLearner> make_learner(const Classifier& classifier, const Noise& noise,
                                                const TrainOptions& options, size_t texts) {
  check_encoder(classifier, noise, options);
  if (classifier.config().kind().casts_votes)
    return make_vote_learner(classifier, options.votes, options.seed);
  return torch_backend().learner(classifier, learner_options(options, texts));
}

// Whether the texts have a teacher; a std::logic_error if some have and some have not.
bool is_taught(const std::vector<EncodedText>& texts, size_t classes) {
  const auto taught = std::count_if(texts.begin(), texts.end(), [&](const EncodedText& text) {
    return text.teacher.size() == classes;
  });
  const auto untaught = std::count_if(texts.begin(), texts.end(),
                                      [](const EncodedText& text) { return text.teacher.empty(); });
  if (std::max(taught, untaught) != static_cast<ptrdiff_t>(texts.size()))
    throw std::logic_error("train: a teacher's score per class for all texts, or for none");
  return taught > 0;
}

// The texts, or a usage Error if the model can not be trained on them with these options.
Split checked(Split split, const ModelConfig& config, const TrainOptions& options) {
  const bool taught = is_taught(split.train, config.classes.size());
  if (const auto complaint = training_complaint(config, options, taught))
    throw usage_error(*complaint);
  return split;
}

class Run {
 public:
  Run(Classifier& classifier, Split split, const TrainOptions& options)
      : classifier_(classifier),
        options_(options),
        threads_(options.threads > 0 ? options.threads : available_cores()),
        split_(checked(std::move(split), classifier.config(), options)),
        noise_(classifier.config().noise,
               {&classifier.vocabulary(), &classifier.synonyms(), classifier.config().slots},
               options.levels, options.seed),
        learner_(make_learner(classifier, noise_.itself(), options, split_.train.size())),
        average_(options.average),
        save_(options.checkpoint_seconds) {
    if (split_.train.empty()) throw usage_error("no texts are left to train on");
    if (options.resume && options.checkpoint.empty())
      throw usage_error("there is nothing to resume: no checkpoint folder was given");
    state_.run = describe_run(classifier, split_, options);
    if (options.resume) restore(Checkpoint::load(options.checkpoint, state_.run));
  }

  TrainResult run(const TrainReporter& report, StopToken stop) {
    start_ = Clock::now();
    start_steps_ = state_.steps;
    while (state_.epoch < options_.epochs) {
      run_epoch(report, stop);
      finish_epoch(report);
    }
    classifier_.assign(kept_);
    return result();
  }

 private:
  TrainResult result() const {
    const auto& [best, kept] = state_.choice;
    TrainResult result = {kept.number, kept.accuracy, best.number, best.accuracy, seconds(), {},
                          {}};
    for (const Checkpoint::Epoch& epoch : state_.done)
      result.epochs.push_back({epoch.number, epoch.loss, epoch.accuracy});
    result.run = state_.run;
    return result;
  }

  double seconds() const { return seconds_before_ + seconds_since(start_); }

  void run_epoch(const TrainReporter& report, StopToken stop) {
    const auto epoch = static_cast<uint32_t>(state_.epoch);
    const auto batches = epoch_batches(split_.train, options_.batch_size, options_.seed, epoch);
    const auto total = static_cast<int64_t>(batches.size()) * options_.epochs;
    const int64_t first_step = static_cast<int64_t>(batches.size()) * state_.epoch;
    const auto make = [&](size_t batch) {
      return noisy_batch(split_.train, batches[batch],
                         *noise_.at(first_step + static_cast<int64_t>(batch)), options_.seed, epoch,
                         options_.copies);
    };
    BatchLoader loader(make, static_cast<size_t>(state_.batch), batches.size(),
                       options_.loader_threads);
    while (state_.batch < static_cast<int>(batches.size())) {
      if (stop.stop_requested()) {
        save();
        throw_interrupted(options_.checkpoint);
      }
      if (save_.is_due()) save();
      step(loader.next(), one_cycle(options_.learning_rate, state_.steps, total, options_.warm_up));
      if (!report) continue;
      TrainProgress progress = where();
      progress.batches = static_cast<int>(batches.size());
      const double seconds = seconds_since(start_);
      const auto done = static_cast<double>(state_.steps - start_steps_);
      progress.texts_per_second = done * options_.batch_size / seconds;
      progress.seconds_left = static_cast<double>(total - state_.steps) * seconds / done;
      report(progress);
    }
  }

  void step(const LabelledBatch& batch, double learning_rate) {
    const double loss = learner_->step(batch, state_.steps, learning_rate);
    check_loss(loss, state_);
    state_.loss_sum += loss;
    ++state_.batch;
    ++state_.steps;
    if (averages()) average_.add(learner_->parameters(), state_.steps);
  }

  bool averages() const { return options_.average > 0; }

  // On the CPU with the engine, and in the precision, that will answer and certify.
  double validate() {
    if (classifier_.config().intervals) {
      classifier_.assign(learner_->trained());
      return interval_accuracy(classifier_, split_.validation, threads_).mean();
    }
    if (options_.device != "cpu")
      return smoothed_accuracy(*learner_->engine({.threads = threads_}), noise_.itself(),
                               split_.validation, options_.validation_copies, options_.seed);
    classifier_.assign(learner_->trained());
    const auto engine = make_cpu_engine(
        classifier_, {.threads = threads_, .precision = classifier_.config().precision});
    return smoothed_accuracy(*engine, noise_.itself(), split_.validation,
                             options_.validation_copies, options_.seed);
  }

  void finish_epoch(const TrainReporter& report) {
    const int number = state_.epoch + 1;
    Weights last;  // to go on with, while the learner has the average
    if (averages()) {
      last = learner_->parameters();
      learner_->assign(average_.values());
    }
    std::optional<double> accuracy;
    if (!split_.validation.empty()) accuracy = validate();
    state_.choice.add(number, accuracy, split_.validation.size());
    TrainProgress progress = where();
    progress.epoch_done = true;
    progress.validation_accuracy = accuracy;
    progress.is_best = state_.choice.best.number == number;
    progress.is_kept = state_.choice.kept.number == number;
    if (progress.is_kept) kept_ = learner_->trained();
    if (averages()) learner_->assign(last);
    state_.finish_epoch(accuracy);
    save();
    if (report) report(progress);
  }

  TrainProgress where() const {
    TrainProgress progress;
    progress.epoch = state_.epoch + 1;
    progress.epochs = options_.epochs;
    progress.batch = state_.batch;
    progress.batches = state_.batch;
    progress.loss = state_.batch > 0 ? state_.loss_sum / state_.batch : 0;
    return progress;
  }

  void save() {
    if (options_.checkpoint.empty()) return;
    state_.seconds = seconds();
    state_.tensors = learner_->moments();
    state_.add_kind("p.", learner_->parameters());
    state_.add_kind("kept.", kept_);
    state_.add_kind("average.", average_.values());
    state_.save(options_.checkpoint);
    state_.tensors.clear();
    save_.saved();
  }

  void restore(Checkpoint checkpoint) {
    const auto size = static_cast<size_t>(options_.batch_size);
    const auto check = [&](const Weights& tensors, const std::vector<std::string>& kinds) {
      checkpoint.check(options_.checkpoint, options_.epochs,
                       static_cast<int>((split_.train.size() + size - 1) / size), tensors, kinds);
    };
    check(learner_->parameters(), {"p.", "m.", "v."});
    if (checkpoint.epoch > 0) check(learner_->trained(), {"kept."});
    if (averages() && checkpoint.steps > 0) check(learner_->parameters(), {"average."});
    learner_->assign(checkpoint.of_kind("p."));
    learner_->restore(checkpoint.tensors, checkpoint.steps);
    if (checkpoint.epoch > 0) kept_ = checkpoint.of_kind("kept.");
    average_.restore(checkpoint.of_kind("average."));
    checkpoint.tensors.clear();
    seconds_before_ = checkpoint.seconds;
    state_ = std::move(checkpoint);
  }

  Classifier& classifier_;
  const TrainOptions& options_;
  int threads_;
  Split split_;
  StepNoise noise_;
  std::unique_ptr<ClassifierLearner> learner_;
  Checkpoint state_;
  Weights kept_;
  WeightAverage average_;  // of no steps where nothing is averaged
  SaveClock save_;
  Clock::time_point start_{};
  int64_t start_steps_ = 0;
  double seconds_before_ = 0;
};

}  // namespace

TrainOptions TrainOptions::recommended(const Architecture& architecture, size_t texts) {
  const TrainingDefaults& defaults = architecture.training;
  TrainOptions options;
  options.batch_size = defaults.batch_size;
  const auto steps_per_epoch = [&] {
    const auto batch = static_cast<size_t>(options.batch_size);
    return static_cast<int>(std::max<size_t>(1, (texts + batch - 1) / batch));
  };
  while (options.batch_size / 2 >= defaults.smallest_batch &&
         steps_per_epoch() < (defaults.steps + defaults.epochs - 1) / defaults.epochs)
    options.batch_size /= 2;
  options.epochs = std::clamp((defaults.steps + steps_per_epoch() - 1) / steps_per_epoch(),
                              defaults.epochs, defaults.most_epochs);
  options.learning_rate = defaults.learning_rate;
  options.warm_up = defaults.warm_up;
  options.weight_decay = defaults.weight_decay;
  options.votes.edits = defaults.edits;
  options.votes.temperature = defaults.temperature;
  options.votes.decay = defaults.score_decay;
  options.votes.hidden = defaults.hidden;
  return options;
}

TrainResult train(Classifier& classifier, const std::vector<EncodedText>& texts,
                  const TrainOptions& options, const TrainReporter& report, StopToken stop) {
  return Run(classifier, hold_out(texts, options.validation_share, options.seed), options)
      .run(report, stop);
}

TrainResult train(Classifier& classifier, const std::vector<EncodedText>& texts,
                  const std::vector<EncodedText>& validation, const TrainOptions& options,
                  const TrainReporter& report, StopToken stop) {
  return Run(classifier, {texts, validation}, options).run(report, stop);
}

}  // namespace textcrs
