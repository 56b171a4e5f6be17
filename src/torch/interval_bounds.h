// Interval bounds of a network's features over the candidates of all words, differentiable: what
// src/engine/interval_model.h is for a model at rest, in float and without its care for rounding.
#pragma once

#include <torch/types.h>

#include "textcrs/text/synonyms.h"
#include "torch/network.h"

namespace textcrs {

struct FeatureBounds {
  at::Tensor low, high;  // (B, F), in the order of the copies
};

// Of a cnn or a bilstm (std::logic_error otherwise). The words' boxes are shrunk to `scale` of
// their size: 0 is the text as it is.
FeatureBounds feature_bounds(const Network& network, const SynonymTable& synonyms,
                             const CopyView& copies, double scale);

// (B, C): the most by which each class can be ahead of the text's label; 0 for the label itself.
// With `training`, under the dropout that Network::forward has in that step.
at::Tensor worst_logits(const Network& network, const FeatureBounds& bounds,
                        const at::Tensor& labels, const TrainingStep* training);

FeatureBounds cnn_bounds(const Network& network, const SynonymTable& synonyms,
                         const CopyView& copies, double scale);
FeatureBounds bilstm_bounds(const Network& network, const SynonymTable& synonyms,
                            const CopyView& copies, double scale);

}  // namespace textcrs
