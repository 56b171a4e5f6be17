#include "train/vote_learner.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "model/tensors.h"
#include "model/vote_windows.h"
#include "train/vote_batch.h"
#include "train/vote_loss.h"
#include "train/vote_network.h"

namespace textcrs {
namespace {

// The rows, each brought to the same length; words without a vector stay zero.
std::vector<float> normalized(const std::vector<float>& vectors, size_t dimension) {
  std::vector<float> rows = vectors;
  for (size_t at = 0; at < rows.size(); at += dimension) {
    double square = 0;
    for (size_t d = 0; d < dimension; ++d) square += rows[at + d] * rows[at + d];
    if (square == 0) continue;
    const auto scale = static_cast<float>(std::sqrt(static_cast<double>(dimension) / square));
    for (size_t d = 0; d < dimension; ++d) rows[at + d] *= scale;
  }
  return rows;
}

Weights zeros_like(const Weights& weights) {
  Weights zeros = weights;
  for (auto& [name, tensor] : zeros) std::fill(tensor.values.begin(), tensor.values.end(), 0.0F);
  return zeros;
}

class VoteLearner final : public ClassifierLearner {
 public:
  VoteLearner(const Classifier& classifier, const VoteOptions& options, uint64_t seed)
      : classifier_(classifier),
        options_(options),
        features_(normalized(options.word_vectors, static_cast<size_t>(options.dimension))),
        network_(vote_rows(classifier), classifier.config().classes.size(), features_,
                 static_cast<size_t>(options.dimension), static_cast<size_t>(options.hidden), seed),
        batch_(classifier),
        certified_loss_(options.edits, options.temperature),
        gradient_(zeros_like(network_.parameters())),
        first_(gradient_),
        second_(gradient_) {}

  Weights parameters() const override { return network_.parameters(); }

  void assign(const Weights& parameters) override {
    for (const auto& [name, tensor] : parameters) network_.parameters().at(name) = tensor;
  }

  Weights moments() const override {
    Weights all;
    for (const auto& [name, tensor] : first_) all["m." + name] = tensor;
    for (const auto& [name, tensor] : second_) all["v." + name] = tensor;
    return all;
  }

  void restore(const Weights& moments, int64_t steps) override {
    for (auto& [name, tensor] : first_) tensor = moments.at("m." + name);
    for (auto& [name, tensor] : second_) tensor = moments.at("v." + name);
    steps_ = steps;
  }

  double step(const LabelledBatch& batch, int64_t, double learning_rate) override {
    batch_.read(batch.copies);
    VoteForward now;
    network_.forward(batch_.rows(), now);
    const double loss = add_losses(batch.labels, now);
    if (!std::isfinite(loss)) return loss;
    const auto free = network_.values(VoteNetwork::kFree);
    std::vector<float>& by_free = gradient_.at(VoteNetwork::kFree).values;
    for (size_t i = 0; i < free.size(); ++i)
      by_free[i] += static_cast<float>(options_.decay) * free[i];
    ++steps_;
    for (auto& [name, tensor] : network_.parameters()) update(name, tensor.values, learning_rate);
    for (float& cap : network_.values(VoteNetwork::kCaps)) cap = std::max(cap, kLeastCap);
    return loss;
  }

  // Whole numbers, the largest of them kLargestVote.
  Weights trained() const override {
    const size_t classes = classifier_.config().classes.size();
    const std::vector<size_t> kinds = vote_rows(classifier_);
    std::vector<uint32_t> rows(std::accumulate(kinds.begin(), kinds.end(), size_t{0}));
    std::iota(rows.begin(), rows.end(), uint32_t{0});
    VoteForward all;
    network_.forward(std::move(rows), all);
    for (const WordId silent : {kPad, kMask})
      std::fill_n(
          all.scores.begin() + static_cast<ptrdiff_t>(static_cast<size_t>(silent) * classes),
          classes, 0.0F);
    const float largest = *std::max_element(all.scores.begin(), all.scores.end());
    const double scale = kLargestVote / std::max(static_cast<double>(largest), 1e-9);
    const auto whole = [&](double value) { return static_cast<float>(std::lround(scale * value)); };
    Weights table;
    auto score = all.scores.cbegin();
    for (size_t kind = 0; kind < kinds.size(); ++kind) {
      const std::string name = kind == 0 ? kVoteScores : window_scores(static_cast<int>(kind) + 1);
      FloatTensor& tensor = table[name] = classifier_.weights().at(name);
      const auto end = score + static_cast<ptrdiff_t>(tensor.values.size());
      std::transform(score, end, tensor.values.begin(), whole);
      score = end;
    }
    const auto bias = network_.values(VoteNetwork::kBias);
    const double low = *std::min_element(bias.begin(), bias.end());
    table[kVoteBias] = classifier_.weights().at(kVoteBias);
    std::transform(bias.begin(), bias.end(), table[kVoteBias].values.begin(),
                   [&](float value) { return whole(value - low); });
    return table;
  }

  std::unique_ptr<Engine> engine(const EngineOptions&) const override {
    throw std::logic_error("VoteLearner: its classifier is run by the cpu engine");
  }

 private:
  static constexpr float kLeastCap = 0.02F;

  double add_losses(const std::vector<int64_t>& labels, VoteForward& now) {
    for (auto& [name, tensor] : gradient_)
      std::fill(tensor.values.begin(), tensor.values.end(), 0.0F);
    std::vector<float> by_scores(now.scores.size());
    const VoteParameters at{now.scores, network_.values(VoteNetwork::kBias),
                            network_.values(VoteNetwork::kCaps)};
    const VoteParameters by{by_scores, gradient_.at(VoteNetwork::kBias).values,
                            gradient_.at(VoteNetwork::kCaps).values};
    const WorstCandidates worst = batch_.worst_candidates(now.scores);
    const auto texts = static_cast<double>(labels.size());
    double loss = 0;
    for (size_t i = 0; i < labels.size(); ++i)
      loss += certified_loss_.add(batch_.texts()[i], static_cast<size_t>(labels[i]), at, worst,
                                  static_cast<float>(1 / texts), by);
    network_.backward(now, by_scores, gradient_);
    return loss / texts;
  }

  // Adam; the network learns more slowly than the words' own numbers.
  void update(const std::string& name, std::vector<float>& values, double learning_rate) {
    constexpr float kFirst = 0.9F, kSecond = 0.999F;
    if (name.starts_with("network.")) learning_rate *= options_.network_rate;
    const auto steps = static_cast<double>(steps_);
    const auto rate = static_cast<float>(learning_rate / (1 - std::pow(kFirst, steps)));
    const auto scale = static_cast<float>(1 / std::sqrt(1 - std::pow(kSecond, steps)));
    const std::vector<float>& by = gradient_.at(name).values;
    std::vector<float>&m = first_.at(name).values, &v = second_.at(name).values;
    for (size_t i = 0; i < values.size(); ++i) {
      m[i] = kFirst * m[i] + (1 - kFirst) * by[i];
      v[i] = kSecond * v[i] + (1 - kSecond) * by[i] * by[i];
      values[i] -= rate * m[i] / (scale * std::sqrt(v[i]) + 1e-8F);
    }
  }

  const Classifier& classifier_;
  VoteOptions options_;
  std::vector<float> features_;
  VoteNetwork network_;
  VoteBatch batch_;
  CertifiedLoss certified_loss_;
  Weights gradient_, first_, second_;
  int64_t steps_ = 0;
};

}  // namespace

std::unique_ptr<ClassifierLearner> make_vote_learner(const Classifier& classifier,
                                                     const VoteOptions& options, uint64_t seed) {
  return std::make_unique<VoteLearner>(classifier, options, seed);
}

}  // namespace textcrs
