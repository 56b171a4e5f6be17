#include "engine/word_boxes.h"

#include "engine/cpu_model.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

const std::vector<float>& vectors_of(const Classifier& classifier) {
  return values_of(classifier, classifier.config().kind().embedding);
}

// (columns, D) as (D, columns): sums of neighbouring columns then go side by side.
std::vector<float> transposed(const std::vector<float>& weight, size_t columns, size_t dimension) {
  std::vector<float> turned(weight.size());
  for (size_t c = 0; c < columns; ++c)
    for (size_t d = 0; d < dimension; ++d) turned[d * columns + c] = weight[c * dimension + d];
  return turned;
}

}  // namespace

WordBoxes::WordBoxes(const Classifier& classifier, const std::vector<float>& weight,
                     std::vector<double> bias)
    : classifier_(classifier),
      dimension_(static_cast<size_t>(classifier.config().dimension)),
      weight_(transposed(weight, bias.size(), dimension_)),
      bias_(std::move(bias)),
      rows_(classifier.vocabulary().size(), bias_.size(),
            [this](WordId word, float* row) { make_row(word, row); }) {
  double largest = 0;  // coordinate of a word vector
  for (const float x : vectors_of(classifier)) {
    if (!std::isfinite(x)) throw bad_input("the word vectors are not finite");
    largest = std::max(largest, std::abs(double{x}));
  }
  for (const double b : bias_) magnitudes_.push_back(std::abs(b));
  for (size_t d = 0; d < dimension_; ++d)
    for (size_t c = 0; c < columns(); ++c)
      magnitudes_[c] += std::abs(double{weight_[d * columns() + c]}) * largest;
  for (double& magnitude : magnitudes_) {
    magnitude *= 1.01;  // more than all rounding, that of the rows included
    if (!(magnitude <= kLargestMagnitude))
      throw bad_input("the weights of the first layer are too large for interval bounds");
  }
}

void WordBoxes::make_row(WordId word, float* row) const {
  const float* const vector =
      vectors_of(classifier_).data() + static_cast<size_t>(word) * dimension_;
  std::vector<double> sums = bias_;
  for (size_t d = 0; d < dimension_; ++d) {
    const double x = vector[d];
    const float* const weight = weight_.data() + d * columns();
    for (size_t c = 0; c < columns(); ++c) sums[c] += double{weight[c]} * x;
  }
  for (size_t c = 0; c < columns(); ++c) row[c] = static_cast<float>(sums[c]);
}

void WordBoxes::box(WordId word, std::span<double> low, std::span<double> high) const {
  const float* const own = row(word);
  std::vector<float> least(own, own + columns()), most = least;
  for (const WordId candidate : classifier_.synonyms().of(word)) {
    const float* const other = row(candidate);
    for (size_t c = 0; c < columns(); ++c) {
      least[c] = other[c] < least[c] ? other[c] : least[c];
      most[c] = other[c] > most[c] ? other[c] : most[c];
    }
  }
  // From a row to the exact y: half a unit of a float's last place, and the error of its sum.
  constexpr double kFloat = std::numeric_limits<float>::epsilon();
  const double sum = 2 * gamma_of(dimension_ + 4);
  for (size_t c = 0; c < columns(); ++c) {
    const double slack = sum * magnitudes_[c] + std::numeric_limits<float>::min();
    low[c] = least[c] - std::abs(double{least[c]}) * kFloat - slack;
    high[c] = most[c] + std::abs(double{most[c]}) * kFloat + slack;
  }
}

}  // namespace textcrs
