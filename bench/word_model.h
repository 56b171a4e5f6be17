// A model of words with random weights.
#pragma once

#include <algorithm>
#include <memory>
#include <string>

#include "textcrs/base/stream.h"
#include "textcrs/model/classifier.h"

namespace textcrs::bench {

// 150 units or filters, two classes.
inline std::unique_ptr<Classifier> random_word_model(const std::string& architecture,
                                                     const Vocabulary& vocabulary, int dimension) {
  ModelConfig config;
  config.architecture = architecture;
  config.dimension = dimension;
  config.hidden = 150;
  config.classes = {"negative", "positive"};
  Weights weights;
  for (const TensorSpec& spec : config.kind().tensors(config))
    weights[spec.name] = fresh_tensor(spec, /*seed=*/1);
  FloatTensor& vectors = weights[config.kind().embedding];
  vectors.shape = {vocabulary.size(), dimension};
  vectors.values.resize(static_cast<size_t>(elements_of(vectors.shape)));
  Stream(1, 0, 0).normals(vectors.values);
  for (float& value : vectors.values) value *= 0.4f;
  std::fill_n(vectors.values.begin(), dimension, 0.0f);  // PAD's
  return std::make_unique<Classifier>(config, vocabulary, SynonymTable(), std::move(weights));
}

}  // namespace textcrs::bench
