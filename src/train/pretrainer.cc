#include "textcrs/train/pretrainer.h"

#include <ATen/Context.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <numeric>

#include "adam.h"
#include "checkpoint.h"
#include "masking.h"
#include "model/libtorch_threads.h"
#include "model/tensor_bytes.h"
#include "schedule.h"
#include "textcrs/base/error.h"
#include "textcrs/base/hash.h"
#include "textcrs/base/parallel.h"
#include "textcrs/base/spec.h"
#include "textcrs/base/stream.h"

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
  constexpr uint32_t kSplitLane = 105;
  std::vector<size_t> order(texts.size());
  std::iota(order.begin(), order.end(), 0);
  Stream(options.seed, 0, 0, kSplitLane).shuffle(std::span<size_t>(order));
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

// The parameters that are trained; the others no longer ask for gradients.
std::map<std::string, at::Tensor> choose_parameters(const MaskedLmNetwork& network,
                                                    bool freeze_embeddings) {
  std::map<std::string, at::Tensor> chosen = network.parameters();
  if (freeze_embeddings)
    std::erase_if(chosen, [](const auto& named) { return named.first.starts_with("embeddings."); });
  for (auto [name, parameter] : network.parameters())
    parameter.set_requires_grad(chosen.contains(name));
  return chosen;
}

// Everything that decides the weights, in one line.
std::string describe_run(const MaskedLmNetwork& network, const Split& split,
                         const PretrainOptions& options) {
  uint64_t hash = kHashStart;  // of the texts and the weights the run begins with
  for (const auto* list : {&split.train, &split.validation})
    for (const PieceSequence& sequence : *list) {
      hash = fnv1a(bytes_of(&sequence.text, 1), hash);
      hash = fnv1a(bytes_of(sequence.pieces.data(), sequence.pieces.size()), hash);
    }
  for (const auto& [name, parameter] : network.parameters()) {
    const at::Tensor values = to_cpu_floats(parameter);
    hash = fnv1a(bytes_of(values.data_ptr<float>(), static_cast<size_t>(values.numel())), hash);
  }
  return fmt::format(
      "pretrain length={} dropout={} epochs={} batch={} lr={} warm-up={} decay={} clip={} "
      "frozen={} seed={} validation={} device={} data={:016x}",
      options.length, shortest(options.dropout), options.epochs, options.batch_size,
      shortest(options.learning_rate), shortest(options.warm_up), shortest(options.weight_decay),
      shortest(options.gradient_clip), options.freeze_embeddings ? "embeddings" : "nothing",
      options.seed, shortest(options.validation_share), network.device().str(), hash);
}

class Run {
 public:
  Run(MaskedLm& model, const std::vector<WordText>& texts, const PretrainOptions& options)
      : network_(model.network()),
        options_(options),
        split_(cut_and_split(texts, model.wordpiece(), options)),
        trained_(choose_parameters(network_, options.freeze_embeddings)),
        adam_(trained_, options.weight_decay) {
    if (split_.train.empty()) throw usage_error("no words are left to train on");
    if (options.resume && options.checkpoint.empty())
      throw usage_error("there is nothing to resume: no checkpoint folder was given");
    state_.run = describe_run(network_, split_, options);
    if (options.resume) restore(Checkpoint::load(options.checkpoint, state_.run));
  }

  PretrainResult run(const PretrainReporter& report, const std::atomic<bool>* stop) {
    const auto start = Clock::now();
    const int64_t first = state_.steps;
    std::optional<GuessQuality> validation;
    if (state_.epoch == options_.epochs) validation = validate();
    while (state_.epoch < options_.epochs) {
      run_epoch(report, stop, start, first);
      validation = finish_epoch(report);
    }
    return {validation, split_.train.size(), seconds_since(start)};
  }

 private:
  int batches_an_epoch() const {
    const auto size = static_cast<size_t>(options_.batch_size);
    return static_cast<int>((split_.train.size() + size - 1) / size);
  }

  void run_epoch(const PretrainReporter& report, const std::atomic<bool>* stop,
                 Clock::time_point start, int64_t first) {
    constexpr uint32_t kOrderLane = 104;
    const auto epoch = static_cast<uint32_t>(state_.epoch);
    std::vector<size_t> order(split_.train.size());
    std::iota(order.begin(), order.end(), 0);
    Stream(options_.seed, 0, epoch, kOrderLane).shuffle(std::span<size_t>(order));
    const Batches batches = in_batches(order, options_.batch_size);
    const auto total = static_cast<int64_t>(batches.size()) * options_.epochs;
    while (state_.batch < static_cast<int>(batches.size())) {
      if (stop != nullptr && *stop) {
        save();
        throw_interrupted(options_.checkpoint);
      }
      step(mask_words(split_.train, batches[static_cast<size_t>(state_.batch)],
                      network_.wordpiece(), options_.seed, epoch),
           one_cycle(options_.learning_rate, state_.steps, total, options_.warm_up));
      ++state_.batch;
      ++state_.steps;
      if (!report) continue;
      PretrainProgress progress = where();
      const double seconds = seconds_since(start);
      const auto done = static_cast<double>(state_.steps - first);
      progress.sequences_per_second = done * options_.batch_size / seconds;
      progress.seconds_left = static_cast<double>(total - state_.steps) * seconds / done;
      report(progress);
    }
  }

  void step(const MaskedBatch& batch, double learning_rate) {
    std::optional<HiddenDropout> dropout;
    if (options_.dropout > 0)
      dropout.emplace(options_.dropout,
                      fnv1a(fmt::format("pretrain {} {}", options_.seed, state_.steps)),
                      network_.device());
    const at::Tensor scores = network_.scores(batch.rows, dropout ? &*dropout : nullptr);
    const at::Tensor targets = at::tensor(batch.targets, at::kLong).to(scores.device());
    const at::Tensor loss = at::cross_entropy_loss(scores, targets);
    loss.backward();
    adam_.clip_gradients(options_.gradient_clip);
    const double value = loss.item<double>();
    if (!std::isfinite(value))
      throw failed(fmt::format("the loss is {} in epoch {}, batch {}: lower --learning-rate", value,
                               state_.epoch + 1, state_.batch + 1));
    adam_.step(learning_rate);
    state_.loss_sum += value;
  }

  std::optional<GuessQuality> validate() const {
    if (split_.validation.empty()) return {};
    const at::NoGradGuard no_grad;
    std::vector<size_t> order(split_.validation.size());
    std::iota(order.begin(), order.end(), 0);
    double loss = 0, right = 0, asked = 0;
    for (const std::vector<size_t>& indices : in_batches(order, options_.batch_size)) {
      const MaskedBatch batch =
          mask_words(split_.validation, indices, network_.wordpiece(), options_.seed, 0);
      const at::Tensor scores = network_.scores(batch.rows, nullptr);
      const at::Tensor targets = at::tensor(batch.targets, at::kLong).to(scores.device());
      loss += at::cross_entropy_loss(scores, targets, {}, at::Reduction::Sum).item<double>();
      right += static_cast<double>(scores.argmax(1).eq(targets).sum().item<int64_t>());
      asked += static_cast<double>(batch.targets.size());
    }
    return GuessQuality{loss / asked, right / asked};
  }

  std::optional<GuessQuality> finish_epoch(const PretrainReporter& report) {
    PretrainProgress progress = where();
    progress.epoch_done = true;
    progress.validation = validate();
    ++state_.epoch;
    state_.batch = 0;
    state_.loss_sum = 0;
    save();
    if (report) report(progress);
    return progress.validation;
  }

  PretrainProgress where() const {
    PretrainProgress progress;
    progress.epoch = state_.epoch + 1;
    progress.epochs = options_.epochs;
    progress.batch = state_.batch;
    progress.batches = batches_an_epoch();
    progress.loss = state_.batch > 0 ? state_.loss_sum / state_.batch : 0;
    return progress;
  }

  void save() {
    if (options_.checkpoint.empty()) return;
    state_.tensors = adam_.state();
    for (const auto& [name, parameter] : trained_) state_.tensors["p." + name] = parameter;
    state_.save(options_.checkpoint);
    state_.tensors.clear();
  }

  void restore(Checkpoint checkpoint) {
    checkpoint.check(options_.checkpoint, options_.epochs, batches_an_epoch(), trained_,
                     {"p.", "m.", "v."});
    for (const auto& [name, parameter] : trained_)
      network_.assign(name, checkpoint.tensors.at("p." + name));
    adam_.restore(checkpoint.tensors, checkpoint.steps);
    checkpoint.tensors.clear();
    state_ = std::move(checkpoint);
  }

  MaskedLmNetwork& network_;
  const PretrainOptions& options_;
  Split split_;
  std::map<std::string, at::Tensor> trained_;
  Adam adam_;
  Checkpoint state_;
};

}  // namespace

PretrainResult pretrain(MaskedLm& model, const std::vector<WordText>& texts,
                        const PretrainOptions& options, const PretrainReporter& report,
                        const std::atomic<bool>* stop) {
  const int positions = model.network().config().bert.positions;
  if (options.length < 3 || options.length > positions)
    throw usage_error(fmt::format("the length is {} pieces, expected 3 to {} for this encoder",
                                  options.length, positions));
  const LibTorchThreads guard(options.threads > 0 ? options.threads : available_cores());
  at::globalContext().setDeterministicCuDNN(true);
  return Run(model, texts, options).run(report, stop);
}

}  // namespace textcrs
