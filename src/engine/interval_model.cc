#include "engine/interval_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/cpu_model.h"
#include "engine/draw_copies.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

std::unique_ptr<IntervalNetwork> make_network(const Classifier& classifier) {
  const std::string& architecture = classifier.config().architecture;
  if (architecture == "cnn") return make_interval_cnn(classifier);
  if (architecture == "bilstm") return make_interval_bilstm(classifier);
  throw usage_error(
      fmt::format("a {} has no interval bounds, expected a cnn or a bilstm", architecture));
}

}  // namespace

IntervalModel::IntervalModel(const Classifier& classifier)
    : slots_(static_cast<size_t>(classifier.config().slots)),
      classes_(classifier.config().classes.size()),
      network_(make_network(classifier)) {
  weight_ = values_of(classifier, "head.weight");
  bias_ = values_of(classifier, "head.bias");
  for (const std::vector<float>* values : {&weight_, &bias_})
    for (const float value : *values)
      if (!(std::abs(value) <= kLargestMagnitude))
        throw bad_input("the weights of the head are too large for interval bounds");
}

std::vector<WordId> IntervalModel::in_slots(std::span<const WordId> words) const {
  if (words.empty()) return {kPad};
  const auto seen = words.first(std::min(words.size(), slots_));
  return {seen.begin(), seen.end()};
}

std::vector<double> IntervalModel::features(std::span<const WordId> words) const {
  return network_->features(in_slots(words));
}

Box IntervalModel::feature_bounds(std::span<const WordId> words) const {
  return network_->bounds(in_slots(words));
}

std::vector<double> IntervalModel::scores(std::span<const WordId> words) const {
  const std::vector<double> pooled = features(words);
  std::vector<double> scores;
  for (size_t c = 0; c < classes_; ++c) {
    double sum = bias_[c];
    for (size_t f = 0; f < pooled.size(); ++f)
      sum += double{weight_[c * pooled.size() + f]} * pooled[f];
    scores.push_back(sum);
  }
  return scores;
}

int IntervalModel::prediction(std::span<const WordId> words) const {
  return highest(scores(words), classes_, "interval bounds")[0];
}

// The lead is one linear form of the features, so what both classes gain from a feature cancels.
std::vector<double> IntervalModel::least_leads(std::span<const WordId> words, int top) const {
  const Box box = feature_bounds(words);
  const size_t count = box.low.size();
  const auto a = static_cast<size_t>(top);
  std::vector<double> leads(classes_, 0.0);
  for (size_t b = 0; b < classes_; ++b) {
    if (b == a) continue;
    double lead = double{bias_[a]} - double{bias_[b]};
    double sizes = std::abs(double{bias_[a]}) + std::abs(double{bias_[b]});
    for (size_t f = 0; f < count; ++f) {
      const double of_a = weight_[a * count + f], of_b = weight_[b * count + f];
      const double difference = of_a - of_b;
      lead += difference * (difference > 0 ? box.low[f] : box.high[f]);
      sizes +=
          (std::abs(of_a) + std::abs(of_b)) * std::max(std::abs(box.low[f]), std::abs(box.high[f]));
    }
    leads[b] = lead - (4 * gamma_of(count + 8) * sizes + std::numeric_limits<double>::min());
  }
  return leads;
}

bool IntervalModel::is_certain(std::span<const WordId> words, int top) const {
  const std::vector<double> leads = least_leads(words, top);
  for (size_t c = 0; c < leads.size(); ++c)
    if (c != static_cast<size_t>(top) && !(leads[c] > 0)) return false;
  return true;
}

}  // namespace textcrs
