#include "textcrs/train/trainer.h"

#include <ATen/Context.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "adam.h"
#include "batches.h"
#include "checkpoint.h"
#include "model/libtorch_threads.h"
#include "model/network.h"
#include "model/tensor_bytes.h"
#include "schedule.h"
#include "textcrs/base/error.h"
#include "textcrs/base/hash.h"
#include "textcrs/base/parallel.h"
#include "textcrs/base/spec.h"
#include "textcrs/train/smoothed_accuracy.h"

namespace textcrs {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

struct Split {
  std::vector<EncodedText> train, validation;
};

// Holds out the same share of every class, chosen by the seed.
Split hold_out(const std::vector<EncodedText>& texts, double share, uint64_t seed) {
  constexpr uint32_t kSplitLane = 103;
  std::map<int, std::vector<size_t>> by_class;
  for (size_t i = 0; i < texts.size(); ++i) by_class[texts[i].label].push_back(i);
  std::vector<bool> held(texts.size());
  for (auto& [label, members] : by_class) {
    Stream(seed, static_cast<uint32_t>(label), 0, kSplitLane).shuffle(std::span<size_t>(members));
    const auto count =
        static_cast<size_t>(std::lround(share * static_cast<double>(members.size())));
    for (size_t i = 0; i < count; ++i) held[members[i]] = true;
  }
  Split split;
  for (size_t i = 0; i < texts.size(); ++i)
    (held[i] ? split.validation : split.train).push_back(texts[i]);
  return split;
}

// The parameters that are trained; the others no longer ask for gradients.
std::map<std::string, at::Tensor> choose_parameters(const Network& network, int freeze_layers) {
  const int layers = network.config().bert.layers;
  if (freeze_layers > layers)
    throw usage_error(fmt::format("{} layers are to be frozen, the {} has {}", freeze_layers,
                                  network.config().architecture, layers));
  std::map<std::string, at::Tensor> chosen = network.parameters();
  for (int layer = 0; layer < freeze_layers; ++layer)
    std::erase_if(chosen, [&](const auto& named) {
      return named.first.starts_with(fmt::format("encoder.layer.{}.", layer));
    });
  for (auto [name, parameter] : network.parameters())
    parameter.set_requires_grad(chosen.contains(name));
  return chosen;
}

// Everything that decides the weights, in one line.
std::string describe_run(const ModelConfig& config, const std::vector<EncodedText>& texts,
                         const Network& network, const TrainOptions& options) {
  uint64_t hash = kHashStart;  // of the training texts and everything the run begins with
  for (const EncodedText& text : texts) {
    hash = fnv1a(bytes_of(&text.id, 1), hash);
    hash = fnv1a(bytes_of(&text.label, 1), hash);
    hash = fnv1a(bytes_of(text.words.data(), text.words.size()), hash);
  }
  const auto add = [&](const at::Tensor& tensor) {
    const at::Tensor values = to_cpu_floats(tensor);
    hash = fnv1a(bytes_of(values.data_ptr<float>(), static_cast<size_t>(values.numel())), hash);
  };
  add(network.vectors());
  for (const auto& [name, parameter] : network.parameters()) add(parameter);
  for (const auto& [name, tensor] : network.frozen()) add(tensor);
  return fmt::format(
      "{} {} hidden={} slots={} dropout={}+{} noise={} epochs={} batch={}/{} lr={} warm-up={} "
      "decay={} clip={} frozen={} seed={} validation={}x{} device={} data={:016x}",
      config.architecture, to_string(config.precision), config.hidden, config.slots,
      shortest(config.input_dropout), shortest(config.dropout), config.noise, options.epochs,
      options.batch_size, options.accumulate, shortest(options.learning_rate),
      shortest(options.warm_up), shortest(options.weight_decay), shortest(options.gradient_clip),
      options.freeze_layers, options.seed, shortest(options.validation_share),
      options.validation_copies, options.device, hash);
}

class Run {
 public:
  Run(Classifier& classifier, const std::vector<EncodedText>& texts, const TrainOptions& options)
      : classifier_(classifier),
        network_(classifier.network()),
        options_(options),
        threads_(options.threads > 0 ? options.threads : available_cores()),
        split_(hold_out(texts, options.validation_share, options.seed)),
        noise_(make_noise(
            classifier.config().noise,
            {&classifier.vocabulary(), &classifier.synonyms(), classifier.config().slots})),
        trained_(choose_parameters(network_, options.freeze_layers)),
        adam_(trained_, options.weight_decay) {
    if (split_.train.empty()) throw usage_error("no texts are left to train on");
    if (options.resume && options.checkpoint.empty())
      throw usage_error("there is nothing to resume: no checkpoint folder was given");
    state_.run = describe_run(classifier.config(), texts, network_, options);
    if (options.resume) restore(Checkpoint::load(options.checkpoint, state_.run));
  }

  TrainResult run(const TrainReporter& report, const std::atomic<bool>* stop) {
    const auto start = Clock::now();
    start_steps_ = state_.steps;
    while (state_.epoch < options_.epochs) {
      run_epoch(report, stop, start);
      finish_epoch(report);
    }
    for (const auto& [name, parameter] : trained_) network_.assign(name, best_.at(name));
    return {split_.validation.empty() ? 0 : state_.best_accuracy, state_.best_epoch,
            seconds_since(start)};
  }

 private:
  void run_epoch(const TrainReporter& report, const std::atomic<bool>* stop,
                 Clock::time_point start) {
    const auto epoch = static_cast<uint32_t>(state_.epoch);
    const auto batches = epoch_batches(split_.train, options_.batch_size, options_.seed, epoch);
    const auto total = static_cast<int64_t>(batches.size()) * options_.epochs;
    BatchLoader loader(split_.train, batches, static_cast<size_t>(state_.batch), *noise_,
                       options_.seed, epoch, options_.loader_threads);
    while (state_.batch < static_cast<int>(batches.size())) {
      if (stop != nullptr && *stop) {
        save();
        throw_interrupted(options_.checkpoint);
      }
      step(loader.next(), one_cycle(options_.learning_rate, state_.steps, total, options_.warm_up));
      ++state_.batch;
      ++state_.steps;
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
    const size_t texts = batch.labels.size();
    const auto parts = std::min(texts, static_cast<size_t>(options_.accumulate));
    at::Tensor total;
    for (size_t part = 0; part < parts; ++part) {
      const LabelledBatch some = slice(batch, texts * part / parts, texts * (part + 1) / parts);
      const TrainingStep training{options_.seed, static_cast<uint32_t>(state_.steps), threads_,
                                  static_cast<uint32_t>(part)};
      const at::Tensor logits = network_.forward(some.copies, &training);
      const at::Tensor labels = at::tensor(some.labels, at::kLong).to(logits.device());
      const at::Tensor loss = at::cross_entropy_loss(logits, labels, {}, at::Reduction::Sum)
                                  .div(static_cast<double>(texts));
      loss.backward();
      total = total.defined() ? total + loss.detach() : loss.detach();
    }
    const double value = total.item<double>();
    if (!std::isfinite(value))
      throw failed(fmt::format("the loss is {} in epoch {}, batch {}: lower --learning-rate", value,
                               state_.epoch + 1, state_.batch + 1));
    adam_.clip_gradients(options_.gradient_clip);
    adam_.step(learning_rate);
    state_.loss_sum += value;
  }

  void finish_epoch(const TrainReporter& report) {
    // Without held-out texts the last epoch is the best.
    const double accuracy =
        split_.validation.empty()
            ? static_cast<double>(state_.epoch)
            : smoothed_accuracy(classifier_, *noise_, split_.validation, options_.validation_copies,
                                options_.seed, threads_);
    TrainProgress progress = where();
    progress.epoch_done = true;
    progress.validation_accuracy = split_.validation.empty() ? 0 : accuracy;
    progress.is_best = accuracy > state_.best_accuracy;
    if (progress.is_best) {
      state_.best_accuracy = accuracy;
      state_.best_epoch = state_.epoch + 1;
      for (const auto& [name, parameter] : trained_) best_[name] = parameter.detach().clone();
    }
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
    state_.tensors = adam_.state();
    for (const auto& [name, parameter] : trained_) state_.tensors["p." + name] = parameter;
    for (const auto& [name, parameter] : best_) state_.tensors["best." + name] = parameter;
    state_.save(options_.checkpoint);
    state_.tensors.clear();
  }

  void restore(Checkpoint checkpoint) {
    const auto size = static_cast<size_t>(options_.batch_size);
    std::vector<std::string> kinds = {"p.", "m.", "v."};
    if (checkpoint.epoch > 0) kinds.push_back("best.");
    checkpoint.check(options_.checkpoint, options_.epochs,
                     static_cast<int>((split_.train.size() + size - 1) / size), trained_, kinds);
    for (const auto& [name, parameter] : trained_) {
      network_.assign(name, checkpoint.tensors.at("p." + name));
      if (checkpoint.epoch > 0)
        best_[name] = checkpoint.tensors.at("best." + name).to(parameter.device());
    }
    adam_.restore(checkpoint.tensors, checkpoint.steps);
    checkpoint.tensors.clear();
    state_ = std::move(checkpoint);
  }

  Classifier& classifier_;
  Network& network_;
  const TrainOptions& options_;
  int threads_;
  Split split_;
  std::unique_ptr<Noise> noise_;
  std::map<std::string, at::Tensor> trained_;
  Adam adam_;
  Checkpoint state_;
  std::map<std::string, at::Tensor> best_;
  int64_t start_steps_ = 0;
};

}  // namespace

TrainOptions TrainOptions::recommended(const std::string& architecture) {
  TrainOptions options;
  if (architecture != "bert") return options;
  options.epochs = 3;
  options.batch_size = 32;
  options.learning_rate = 5e-5;
  options.warm_up = 0.1;
  options.weight_decay = 0.01;
  return options;
}

TrainResult train(Classifier& classifier, const std::vector<EncodedText>& texts,
                  const TrainOptions& options, const TrainReporter& report,
                  const std::atomic<bool>* stop) {
  const int threads = options.threads > 0 ? options.threads : available_cores();
  // The BiLSTM brings its own parallelism on the CPU; the CNN is a few large operations of
  // LibTorch.
  const LibTorchThreads guard(classifier.config().architecture == "bilstm" ? 1 : threads);
  at::globalContext().setDeterministicCuDNN(true);
  return Run(classifier, texts, options).run(report, stop);
}

}  // namespace textcrs
