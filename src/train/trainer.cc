#include "textcrs/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "textcrs/base/error.h"
#include "textcrs/base/hash.h"
#include "textcrs/base/parallel.h"
#include "textcrs/base/spec.h"
#include "textcrs/torch/backend.h"
#include "textcrs/train/smoothed_accuracy.h"
#include "train/batches.h"
#include "train/checkpoint.h"
#include "train/hold_out.h"
#include "train/schedule.h"
#include "train/vote_learner.h"

namespace textcrs {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string describe_votes(const VoteShape& shape, const VoteOptions& votes) {
  return fmt::format(
      "{}/{}/{}/{}/{}/{}/{}/{}/{:016x}", shape.windows, shape.window_rows, shape.presence,
      shortest(votes.edits), shortest(votes.temperature), shortest(votes.decay), votes.hidden,
      shortest(votes.network_rate),
      hash_bulk(bytes_of(votes.word_vectors.data(), votes.word_vectors.size()), kHashStart));
}

// Everything that decides the weights, in one line.
std::string describe_run(const Classifier& classifier, const Split& split,
                         const TrainOptions& options) {
  const ModelConfig& config = classifier.config();
  uint64_t hash = kHashStart;  // of the texts and the weights the run begins with
  for (const std::vector<EncodedText>* texts : {&split.train, &split.validation}) {
    const uint64_t count = texts->size();
    hash = fnv1a(bytes_of(&count, 1), hash);
    for (const EncodedText& text : *texts) {
      hash = fnv1a(bytes_of(&text.id, 1), hash);
      hash = fnv1a(bytes_of(&text.label, 1), hash);
      hash = fnv1a(bytes_of(text.words.data(), text.words.size()), hash);
      for (const std::string& word : text.own) hash = fnv1a(word + " ", hash);
      if (text.sentence_ends)
        hash = fnv1a(bytes_of(text.sentence_ends->data(), text.sentence_ends->size()), hash);
    }
  }
  for (const auto& [name, tensor] : classifier.weights())
    hash = hash_bulk(bytes_of(tensor.values.data(), tensor.values.size()), hash);
  return fmt::format(
      "{} {} units={} hidden={} slots={} vectors={} dropout={}+{} noise={} epochs={} batch={}/{} "
      "lr={} "
      "warm-up={} "
      "decay={} clip={} frozen={} seed={} validation={}x{} device={} votes={} data={:016x}",
      config.architecture, to_string(config.precision), to_string(config.units), config.hidden,
      config.slots, config.trained_vectors ? "trained" : "frozen", shortest(config.input_dropout),
      shortest(config.dropout), config.noise, options.epochs, options.batch_size,
      options.accumulate, shortest(options.learning_rate), shortest(options.warm_up),
      shortest(options.weight_decay), shortest(options.gradient_clip), options.freeze_layers,
      options.seed, shortest(options.validation_share), options.validation_copies, options.device,
      describe_votes(config.votes, options.votes), hash);
}

LearnerOptions learner_options(const TrainOptions& options) {
  return {.device = options.device,
          .threads = options.threads,
          .seed = options.seed,
          .weight_decay = options.weight_decay,
          .gradient_clip = options.gradient_clip,
          .accumulate = options.accumulate,
          .freeze_layers = options.freeze_layers,
          .edits = static_cast<int>(options.votes.edits),
          .temperature = options.votes.temperature};
}

std::unique_ptr<ClassifierLearner> make_learner(const Classifier& classifier,
                                                const TrainOptions& options) {
  if (classifier.config().kind().casts_votes)
    return make_vote_learner(classifier, options.votes, options.seed);
  return torch_backend().learner(classifier, learner_options(options));
}

class Run {
 public:
  Run(Classifier& classifier, Split split, const TrainOptions& options)
      : classifier_(classifier),
        options_(options),
        threads_(options.threads > 0 ? options.threads : available_cores()),
        split_(std::move(split)),
        noise_(make_noise(
            classifier.config().noise,
            {&classifier.vocabulary(), &classifier.synonyms(), classifier.config().slots})),
        learner_(make_learner(classifier, options)) {
    if (split_.train.empty()) throw usage_error("no texts are left to train on");
    if (options.resume && options.checkpoint.empty())
      throw usage_error("there is nothing to resume: no checkpoint folder was given");
    state_.run = describe_run(classifier, split_, options);
    if (options.resume) restore(Checkpoint::load(options.checkpoint, state_.run));
  }

  TrainResult run(const TrainReporter& report, StopToken stop) {
    const auto start = Clock::now();
    start_steps_ = state_.steps;
    while (state_.epoch < options_.epochs) {
      run_epoch(report, stop, start);
      finish_epoch(report);
    }
    classifier_.assign(kept_);
    const auto& [best, kept] = state_.choice;
    return {kept.number, kept.accuracy, best.number, best.accuracy, seconds_since(start)};
  }

 private:
  void run_epoch(const TrainReporter& report, StopToken stop, Clock::time_point start) {
    const auto epoch = static_cast<uint32_t>(state_.epoch);
    const auto batches = epoch_batches(split_.train, options_.batch_size, options_.seed, epoch);
    const auto total = static_cast<int64_t>(batches.size()) * options_.epochs;
    BatchLoader loader(split_.train, batches, static_cast<size_t>(state_.batch), *noise_,
                       options_.seed, epoch, options_.loader_threads);
    while (state_.batch < static_cast<int>(batches.size())) {
      if (stop.stop_requested()) {
        save();
        throw_interrupted(options_.checkpoint);
      }
      step(loader.next(), one_cycle(options_.learning_rate, state_.steps, total, options_.warm_up));
      if (!report) continue;
      TrainProgress progress = where();
      progress.batches = static_cast<int>(batches.size());
      const double seconds = seconds_since(start);
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
  }

  // On the CPU with the engine, and in the precision, that will answer and certify.
  double validate() {
    if (options_.device != "cpu")
      return smoothed_accuracy(*learner_->engine({.threads = threads_}), *noise_, split_.validation,
                               options_.validation_copies, options_.seed);
    classifier_.assign(learner_->trained());
    const auto engine = make_cpu_engine(
        classifier_, {.threads = threads_, .precision = classifier_.config().precision});
    return smoothed_accuracy(*engine, *noise_, split_.validation, options_.validation_copies,
                             options_.seed);
  }

  void finish_epoch(const TrainReporter& report) {
    const int number = state_.epoch + 1;
    std::optional<double> accuracy;
    if (!split_.validation.empty()) accuracy = validate();
    state_.choice.add(number, accuracy, split_.validation.size());
    TrainProgress progress = where();
    progress.epoch_done = true;
    progress.validation_accuracy = accuracy;
    progress.is_best = state_.choice.best.number == number;
    progress.is_kept = state_.choice.kept.number == number;
    if (progress.is_kept) kept_ = learner_->trained();
    ++state_.epoch;
    state_.batch = 0;
    state_.loss_sum = 0;
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
    state_.tensors = learner_->moments();
    state_.add_kind("p.", learner_->parameters());
    state_.add_kind("kept.", kept_);
    state_.save(options_.checkpoint);
    state_.tensors.clear();
  }

  void restore(Checkpoint checkpoint) {
    const auto size = static_cast<size_t>(options_.batch_size);
    const auto check = [&](const Weights& tensors, const std::vector<std::string>& kinds) {
      checkpoint.check(options_.checkpoint, options_.epochs,
                       static_cast<int>((split_.train.size() + size - 1) / size), tensors, kinds);
    };
    check(learner_->parameters(), {"p.", "m.", "v."});
    if (checkpoint.epoch > 0) check(learner_->trained(), {"kept."});
    learner_->assign(checkpoint.of_kind("p."));
    learner_->restore(checkpoint.tensors, checkpoint.steps);
    if (checkpoint.epoch > 0) kept_ = checkpoint.of_kind("kept.");
    checkpoint.tensors.clear();
    state_ = std::move(checkpoint);
  }

  Classifier& classifier_;
  const TrainOptions& options_;
  int threads_;
  Split split_;
  std::unique_ptr<Noise> noise_;
  std::unique_ptr<ClassifierLearner> learner_;
  Checkpoint state_;
  Weights kept_;
  int64_t start_steps_ = 0;
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
