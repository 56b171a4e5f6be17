#include "textcrs/model/architecture.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/slot_map.h"
#include "model/tensors.h"
#include "textcrs/base/error.h"
#include "textcrs/base/nearest_name.h"

namespace textcrs {
namespace {

using Complaint = std::optional<std::string>;

Complaint outside(const char* name, double value, double low, double high) {
  if (value >= low && value <= high) return std::nullopt;
  return fmt::format("{} is {}, expected {} to {}", name, value, low, high);
}

Complaint word_model_complaint(const ModelConfig& config) {
  if (const Complaint complaint = slot_map_complaint(config)) return complaint;
  return outside("hidden", config.hidden, 1, 10000);
}

Complaint bert_complaint(const ModelConfig& config) {
  const BertShape& bert = config.bert;
  if (config.trained_vectors) return "trained_vectors is true, expected a word model with it";
  for (const Complaint& complaint :
       {slot_map_complaint(config), outside("hidden", config.hidden, 1, 100000),
        outside("layers", bert.layers, 1, 1000), outside("heads", bert.heads, 1, 1000),
        outside("positions", bert.positions, 3, 100000), outside("epsilon", bert.epsilon, 0, 1)})
    if (complaint) return complaint;
  if (config.dimension % (8 * bert.heads) != 0)
    return fmt::format("dimension is {}, expected a multiple of 8 for each of the {} heads",
                       config.dimension, bert.heads);
  if (config.pool_all_slots && config.slots > bert.positions - 2)
    return fmt::format("slots is {}, expected at most {} with {} positions", config.slots,
                       bert.positions - 2, bert.positions);
  return std::nullopt;
}

// Wider ones lose to every edit more than they bring.
constexpr int kWidestWindow = 3;

Complaint votes_complaint(const ModelConfig& config) {
  if (config.dimension != static_cast<int>(config.classes.size()))
    return fmt::format("dimension is {}, expected one score for each of the {} classes",
                       config.dimension, config.classes.size());
  if (!config.trained_vectors) return "trained_vectors is false, expected true: the scores are";
  if (config.pool_all_slots) return "pool_all_slots is true, expected false: a PAD has no vote";
  if (const Complaint complaint = slot_map_complaint(config)) return complaint;
  const VoteShape& votes = config.votes;
  if (const Complaint complaint = outside("windows", votes.windows, 1, kWidestWindow))
    return complaint;
  if (votes.presence && !config.synonyms.empty())
    return "synonyms are given, expected none with presence";
  if (votes.windows == 1) return std::nullopt;
  if (votes.presence) return "presence is true, expected false with windows";
  if (!config.synonyms.empty()) return "synonyms are given, expected none with windows";
  return outside("window_rows", votes.window_rows, 1, 1 << 26);
}

TrainingDefaults training_of_votes() {
  return {.epochs = 10,
          .batch_size = 512,
          .steps = 500,
          .smallest_batch = 16,
          .most_epochs = 50,
          .learning_rate = 0.02,
          .warm_up = 0.05,
          .dropout = 0,
          .input_dropout = 0,
          .hidden = 32,
          .validation_share = 0,
          .temperature = 10,
          .score_decay = 3e-5,
          .edits = 2};
}

// Plain cross entropy, on noisy copies: more of them, and smaller steps.
TrainingDefaults training_of_linear() {
  TrainingDefaults training = training_of_votes();
  training.epochs = 30;
  training.batch_size = 256;
  training.hidden = 16;
  training.temperature = 1;
  training.score_decay = 1e-5;
  training.edits = 0;
  return training;
}

}  // namespace

const std::vector<Architecture>& architectures() {
  static const std::vector<Architecture> all = {
      {.name = "bilstm",
       .summary = "one bidirectional LSTM layer, max-pooled, over word vectors",
       .embedding = "embedding.weight",
       .tensors = bilstm_tensors,
       .complaint = word_model_complaint},
      {.name = "cnn",
       .summary = "filters over 3, 4 and 5 words, max-pooled, over word vectors",
       .embedding = "embedding.weight",
       .tensors = cnn_tensors,
       .complaint = word_model_complaint},
      {.name = "bert",
       .summary = "a pretrained BERT encoder, its embeddings frozen",
       .reads_pieces = true,
       .embedding = kPieceEmbedding,
       .tensors = bert_tensors,
       .complaint = bert_complaint,
       .training = {.epochs = 3,
                    .batch_size = 32,
                    .steps = 500,
                    .smallest_batch = 32,
                    .most_epochs = 20,
                    .learning_rate = 5e-5,
                    .warm_up = 0.1,
                    .weight_decay = 0.01,
                    .dropout = 0.1,
                    .input_dropout = 0}},
      {.name = "votes",
       .summary = "every word casts a bounded vote: exact certificates, without noise",
       .casts_votes = true,
       .embedding = kVoteScores,
       .tensors = vote_tensors,
       .complaint = votes_complaint,
       .training = training_of_votes()},
      {.name = "linear",
       .summary = "every word adds its score: the least that can be smoothed by noise",
       .casts_votes = true,
       .embedding = kVoteScores,
       .tensors = vote_tensors,
       .complaint = votes_complaint,
       .training = training_of_linear()},
  };
  return all;
}

std::vector<std::string> architecture_names() {
  std::vector<std::string> names;
  for (const Architecture& one : architectures()) names.push_back(one.name);
  return names;
}

const Architecture& find_architecture(std::string_view name) {
  for (const Architecture& one : architectures())
    if (one.name == name) return one;
  const auto known = architecture_names();
  throw usage_error(fmt::format("architecture is '{}', expected {}{}", name, fmt::join(known, ", "),
                                did_you_mean(name, known)));
}

}  // namespace textcrs
