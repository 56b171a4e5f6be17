// Interval bounds of the CNN of src/torch/cnn.cc. The convolutions are linear in each word, so a
// window's bounds are the sums of its words' own; the rectifier and the maximum are monotone.
#include <string>

#include "engine/cpu_model.h"
#include "engine/interval_network.h"
#include "engine/word_boxes.h"
#include "kernels/cnn.h"

namespace textcrs {
namespace {

std::string name_of(int width, const char* part) {
  return "conv" + std::to_string(width) + "." + part;
}

// (12 F, D): what a word adds to the F filters of each width, by its place in the window.
std::vector<float> weight_by_place(const Classifier& classifier) {
  const auto filters = static_cast<size_t>(classifier.config().hidden);
  const auto dimension = static_cast<size_t>(classifier.config().dimension);
  std::vector<float> all;
  for (const int width : kCnnWidths) {
    const std::vector<float>& weight = values_of(classifier, name_of(width, "weight"));
    for (size_t place = 0; place < static_cast<size_t>(width); ++place)
      for (size_t f = 0; f < filters; ++f)
        for (size_t d = 0; d < dimension; ++d)
          all.push_back(weight[(f * dimension + d) * static_cast<size_t>(width) + place]);
  }
  return all;
}

// The first word of a window brings the filters' bias.
std::vector<double> bias_by_place(const Classifier& classifier) {
  const auto filters = static_cast<size_t>(classifier.config().hidden);
  std::vector<double> all;
  for (const int width : kCnnWidths) {
    const std::vector<float>& bias = values_of(classifier, name_of(width, "bias"));
    all.insert(all.end(), bias.begin(), bias.end());
    all.resize(all.size() + static_cast<size_t>(width - 1) * filters, 0);
  }
  return all;
}

class IntervalCnn final : public IntervalNetwork {
 public:
  explicit IntervalCnn(const Classifier& classifier)
      : filters_(static_cast<size_t>(classifier.config().hidden)),
        words_(classifier, weight_by_place(classifier), bias_by_place(classifier)) {}

  std::vector<double> features(std::span<const WordId> words) const override {
    std::vector<const float*> rows;
    for (const WordId word : words) rows.push_back(words_.row(word));
    return maxima<float>(rows);
  }

  Box bounds(std::span<const WordId> words) const override {
    const size_t columns = words_.columns();
    std::vector<double> low(words.size() * columns), high(low.size());
    std::vector<const double*> lows, highs;
    for (size_t s = 0; s < words.size(); ++s) {
      words_.box(words[s], std::span(low).subspan(s * columns, columns),
                 std::span(high).subspan(s * columns, columns));
      lows.push_back(low.data() + s * columns);
      highs.push_back(high.data() + s * columns);
    }
    Box box{maxima<double>(lows), maxima<double>(highs)};
    for (size_t i = 0; i < box.low.size(); ++i) {
      const double slack = sum_slack(i);
      box.low[i] = std::max(0.0, box.low[i] - slack);
      box.high[i] += slack;
    }
    return box;
  }

 private:
  // By how much two sums of a window, a bound and a plain one, are off from the exact ones.
  double sum_slack(size_t feature) const {
    size_t column = 0;
    size_t w = 0;
    for (; feature >= (w + 1) * filters_; ++w)
      column += static_cast<size_t>(kCnnWidths[w]) * filters_;
    double magnitude = 0;
    for (int place = 0; place < kCnnWidths[w]; ++place)
      magnitude += words_.magnitudes()[column + static_cast<size_t>(place) * filters_ + feature -
                                       w * filters_];
    return 4 * gamma_of(8) * magnitude;
  }

  // A feature of every filter: max(0, its largest sum over a window). A text that is shorter than
  // the window has one, which ends with it.
  template <typename T>
  std::vector<double> maxima(const std::vector<const T*>& rows) const {
    std::vector<double> features(kCnnWidths.size() * filters_, 0.0);
    std::vector<double> sums(filters_);
    size_t column = 0;
    for (size_t w = 0; w < kCnnWidths.size(); ++w) {
      const auto width = static_cast<size_t>(kCnnWidths[w]);
      double* const best = features.data() + w * filters_;
      const size_t windows = rows.size() > width ? rows.size() - width + 1 : 1;
      for (size_t first = 0; first < windows; ++first) {
        std::fill(sums.begin(), sums.end(), 0.0);
        for (size_t place = 0; place < std::min(width, rows.size()); ++place) {
          const T* const row = rows[first + place] + column + place * filters_;
          for (size_t f = 0; f < filters_; ++f) sums[f] += double{row[f]};
        }
        for (size_t f = 0; f < filters_; ++f) best[f] = sums[f] > best[f] ? sums[f] : best[f];
      }
      column += width * filters_;
    }
    return features;
  }

  size_t filters_;
  WordBoxes words_;
};

}  // namespace

std::unique_ptr<IntervalNetwork> make_interval_cnn(const Classifier& classifier) {
  return std::make_unique<IntervalCnn>(classifier);
}

}  // namespace textcrs
