#include "train/interval_accuracy.h"

#include <numeric>

#include "engine/interval_model.h"
#include "textcrs/base/parallel.h"

namespace textcrs {

IntervalAccuracy interval_accuracy(const Classifier& classifier,
                                   const std::vector<EncodedText>& texts, int threads) {
  const IntervalModel model(classifier);
  std::vector<int> right(texts.size()), certain(texts.size());
  parallel_for(texts.size(), threads, [&](size_t i) {
    right[i] = model.prediction(texts[i].words) == texts[i].label;
    certain[i] = right[i] == 1 && model.is_certain(texts[i].words, texts[i].label);
  });
  const auto share = [&](const std::vector<int>& list) {
    return static_cast<double>(std::accumulate(list.begin(), list.end(), 0)) /
           static_cast<double>(list.size());
  };
  return {share(right), share(certain)};
}

}  // namespace textcrs
