#include "train/describe_run.h"

#include <fmt/format.h>

#include "textcrs/base/hash.h"
#include "textcrs/base/spec.h"

namespace textcrs {
namespace {

std::string describe_votes(const VoteOptions& votes) {
  return fmt::format(
      "{}/{}/{}/{}/{}/{:016x}", shortest(votes.edits), shortest(votes.temperature),
      shortest(votes.decay), votes.hidden, shortest(votes.network_rate),
      hash_bulk(bytes_of(votes.word_vectors.data(), votes.word_vectors.size()), kHashStart));
}

// What is beyond one copy of each text, its cross entropy and the last weights.
std::string describe_noisy(const TrainOptions& options) {
  const NoisyLoss& loss = options.loss;
  return fmt::format("copies={}/{}/{} teacher={}/{} levels={} average={}", options.copies,
                     shortest(loss.consistency), shortest(loss.consistency_entropy),
                     shortest(loss.teacher_share), shortest(loss.teacher_temperature),
                     options.levels
                         ? shortest(options.levels->low) + ".." + shortest(options.levels->high)
                         : "own",
                     shortest(options.average));
}

// What the loss has beside the answers: of reconstructed vectors, interval bounds, an encoder.
std::string describe_further_losses(const TrainOptions& options) {
  return fmt::format("reconstruction={} intervals={}/{} encoder={}/{}",
                     shortest(options.reconstruction_weight), shortest(options.interval_weight),
                     shortest(options.interval_ramp), shortest(options.encoder_weight),
                     options.encoder_hidden);
}

uint64_t hash_texts(const Split& split) {
  uint64_t hash = kHashStart;
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
      hash = fnv1a(bytes_of(text.teacher.data(), text.teacher.size()), hash);
    }
  }
  return hash;
}

}  // namespace

std::string describe_run(const Classifier& classifier, const Split& split,
                         const TrainOptions& options) {
  const ModelConfig& config = classifier.config();
  return fmt::format(
      "{} noise={} model={} vectors={} dropout={}+{} epochs={} batch={}/{} lr={} warm-up={} "
      "decay={} clip={} frozen={} {} {} votes={} seed={} validation={}x{} device={} data={:016x}",
      config.architecture, config.noise, classifier.fingerprint(),
      config.trained_vectors ? "trained" : "frozen", shortest(config.input_dropout),
      shortest(config.dropout), options.epochs, options.batch_size, options.accumulate,
      shortest(options.learning_rate), shortest(options.warm_up), shortest(options.weight_decay),
      shortest(options.gradient_clip), options.freeze_layers, describe_noisy(options),
      describe_further_losses(options), describe_votes(options.votes), options.seed,
      shortest(options.validation_share), options.validation_copies, options.device,
      hash_texts(split));
}

}  // namespace textcrs
