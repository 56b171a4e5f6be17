#include "textcrs/train/pretrainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>

#include "textcrs/base/error.h"
#include "textcrs/base/hash.h"
#include "textcrs/base/lanes.h"
#include "textcrs/base/spec.h"
#include "textcrs/base/stream.h"
#include "train/checkpoint.h"
#include "train/masking.h"
#include "train/schedule.h"

namespace textcrs {
namespace {

using Clock = std::chrono::steady_clock;
using Batches = std::vector<std::vector<size_t>>;  // indices into sequences

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Split {
  std::vector<PieceSequence> train, validation;
};

// Holds out whole texts, chosen by the seed.
Split cut_and_split(const std::vector<WordText>& texts, const WordPiece& wordpiece,
                    const PretrainOptions& options) {
  std::vector<size_t> order(texts.size());
  std::iota(order.begin(), order.end(), 0);
  Stream(options.seed, 0, 0, lane::kPretrainingSplit).shuffle(std::span<size_t>(order));
  const auto held_out = static_cast<size_t>(
      std::lround(options.validation_share * static_cast<double>(texts.size())));
  std::vector<bool> is_held(texts.size());
  for (size_t i = 0; i < held_out; ++i) is_held[order[i]] = true;
  Split split;
  for (size_t i = 0; i < texts.size(); ++i)
    for (PieceSequence& one : cut_text(texts[i].id, texts[i].words, wordpiece, options.length))
      (is_held[i] ? split.validation : split.train).push_back(std::move(one));
  return split;
}

Batches in_batches(const std::vector<size_t>& order, int batch_size) {
  const auto size = static_cast<size_t>(batch_size);
  Batches batches;
  for (size_t begin = 0; begin < order.size(); begin += size)
    batches.emplace_back(
        order.begin() + static_cast<ptrdiff_t>(begin),
        order.begin() + static_cast<ptrdiff_t>(std::min(order.size(), begin + size)));
  return batches;
}

// Everything that decides the weights, in one line.
std::string describe_run(const MaskedLm& model, const Split& split,
                         const PretrainOptions& options) {
  uint64_t hash = kHashStart;  // of the texts and the weights the run begins with
  for (const auto* list : {&split.train, &split.validation})
    for (const PieceSequence& sequence : *list) {
      hash = fnv1a(bytes_of(&sequence.text, 1), hash);
      hash = fnv1a(bytes_of(sequence.pieces.data(), sequence.pieces.size()), hash);
    }
  for (const auto& [name, tensor] : model.parameters())
    hash = hash_bulk(bytes_of(tensor.values.data(), tensor.values.size()), hash);
  return fmt::format(
      "pretrain length={} dropout={} epochs={} batch={} lr={} warm-up={} decay={} clip={} "
      "frozen={} seed={} validation={} device={} data={:016x}",
      options.length, shortest(options.dropout), options.epochs, options.batch_size,
      shortest(options.learning_rate), shortest(options.warm_up), shortest(options.weight_decay),
      shortest(options.gradient_clip), options.freeze_embeddings ? "embeddings" : "nothing",
      options.seed, shortest(options.validation_share), model.device(), hash);
}

class Run {
 public:
  Run(MaskedLm& model, const std::vector<WordText>& texts, const PretrainOptions& options)
      : model_(model),
        options_(options),
        split_(cut_and_split(texts, model.wordpiece(), options)),
        learner_(model.learner({.threads = options.threads,
                                .seed = options.seed,
                                .dropout = options.dropout,
                                .weight_decay = options.weight_decay,
                                .gradient_clip = options.gradient_clip,
                                .freeze_embeddings = options.freeze_embeddings})),
        save_(options.checkpoint_seconds) {
    if (split_.train.empty()) throw usage_error("no words are left to train on");
    if (options.resume && options.checkpoint.empty())
      throw usage_error("there is nothing to resume: no checkpoint folder was given");
    state_.run = describe_run(model, split_, options);
    if (options.resume) restore(Checkpoint::load(options.checkpoint, state_.run));
  }

  PretrainResult run(const PretrainReporter& report, StopToken stop) {
    start_ = Clock::now();
    const int64_t first = state_.steps;
    std::optional<GuessQuality> validation;
    if (state_.epoch == options_.epochs) validation = validate();
    while (state_.epoch < options_.epochs) {
      run_epoch(report, stop, first);
      validation = finish_epoch(report);
    }
    return result(validation);
  }

 private:
  int batches_per_epoch() const {
    const auto size = static_cast<size_t>(options_.batch_size);
    return static_cast<int>((split_.train.size() + size - 1) / size);
  }

  PretrainResult result(const std::optional<GuessQuality>& validation) const {
    PretrainResult result = {validation, split_.train.size(), seconds(), {}, state_.run};
    for (const Checkpoint::Epoch& epoch : state_.done) {
      result.epochs.push_back({epoch.number, epoch.loss, {}});
      if (epoch.validation_loss && epoch.accuracy)
        result.epochs.back().validation = {*epoch.validation_loss, *epoch.accuracy};
    }
    return result;
  }

  double seconds() const { return seconds_before_ + seconds_since(start_); }

  void run_epoch(const PretrainReporter& report, StopToken stop, int64_t first) {
    const auto epoch = static_cast<uint32_t>(state_.epoch);
    std::vector<size_t> order(split_.train.size());
    std::iota(order.begin(), order.end(), 0);
    Stream(options_.seed, 0, epoch, lane::kPretrainingOrder).shuffle(std::span<size_t>(order));
    const Batches batches = in_batches(order, options_.batch_size);
    const auto total = static_cast<int64_t>(batches.size()) * options_.epochs;
    while (state_.batch < static_cast<int>(batches.size())) {
      if (stop.stop_requested()) {
        save();
        throw_interrupted(options_.checkpoint);
      }
      if (save_.is_due()) save();
      step(mask_words(split_.train, batches[static_cast<size_t>(state_.batch)], model_.wordpiece(),
                      options_.seed, epoch),
           one_cycle(options_.learning_rate, state_.steps, total, options_.warm_up));
      if (!report) continue;
      PretrainProgress progress = where();
      const double seconds = seconds_since(start_);
      const auto done = static_cast<double>(state_.steps - first);
      progress.sequences_per_second = done * options_.batch_size / seconds;
      progress.seconds_left = static_cast<double>(total - state_.steps) * seconds / done;
      report(progress);
    }
  }

  void step(const MaskedBatch& batch, double learning_rate) {
    const double loss = learner_->step(batch, state_.steps, learning_rate);
    check_loss(loss, state_);
    state_.loss_sum += loss;
    ++state_.batch;
    ++state_.steps;
  }

  std::optional<GuessQuality> validate() const {
    if (split_.validation.empty()) return {};
    std::vector<size_t> order(split_.validation.size());
    std::iota(order.begin(), order.end(), 0);
    double loss = 0, right = 0, asked = 0;
    for (const std::vector<size_t>& indices : in_batches(order, options_.batch_size)) {
      const GuessCounts counts = learner_->guess(
          mask_words(split_.validation, indices, model_.wordpiece(), options_.seed, 0));
      loss += counts.loss;
      right += static_cast<double>(counts.right);
      asked += static_cast<double>(counts.places);
    }
    return GuessQuality{loss / asked, right / asked};
  }

  std::optional<GuessQuality> finish_epoch(const PretrainReporter& report) {
    PretrainProgress progress = where();
    progress.epoch_done = true;
    progress.validation = validate();
    if (const auto& quality = progress.validation)
      state_.finish_epoch(quality->accuracy, quality->loss);
    else
      state_.finish_epoch({});
    save();
    if (report) report(progress);
    return progress.validation;
  }

  PretrainProgress where() const {
    PretrainProgress progress;
    progress.epoch = state_.epoch + 1;
    progress.epochs = options_.epochs;
    progress.batch = state_.batch;
    progress.batches = batches_per_epoch();
    progress.loss = state_.batch > 0 ? state_.loss_sum / state_.batch : 0;
    return progress;
  }

  void save() {
    if (options_.checkpoint.empty()) return;
    state_.seconds = seconds();
    state_.tensors = learner_->moments();
    state_.add_kind("p.", learner_->parameters());
    state_.save(options_.checkpoint);
    state_.tensors.clear();
    save_.saved();
  }

  void restore(Checkpoint checkpoint) {
    checkpoint.check(options_.checkpoint, options_.epochs, batches_per_epoch(),
                     learner_->parameters(), {"p.", "m.", "v."});
    learner_->assign(checkpoint.of_kind("p."));
    learner_->restore(checkpoint.tensors, checkpoint.steps);
    checkpoint.tensors.clear();
    seconds_before_ = checkpoint.seconds;
    state_ = std::move(checkpoint);
  }

  MaskedLm& model_;
  const PretrainOptions& options_;
  Split split_;
  std::unique_ptr<MaskedLearner> learner_;
  Checkpoint state_;
  SaveClock save_;
  Clock::time_point start_{};
  double seconds_before_ = 0;
};

}  // namespace

PretrainResult pretrain(MaskedLm& model, const std::vector<WordText>& texts,
                        const PretrainOptions& options, const PretrainReporter& report,
                        StopToken stop) {
  if (options.length < 3 || options.length > model.positions())
    throw usage_error(fmt::format("the length is {} pieces, expected 3 to {} for this encoder",
                                  options.length, model.positions()));
  return Run(model, texts, options).run(report, stop);
}

}  // namespace textcrs
