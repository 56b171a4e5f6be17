// The loss of noisy copies of texts: how wrong they are, how much they disagree, and how far they
// are from a teacher.
#pragma once

#include <torch/types.h>

#include "textcrs/torch/learner.h"

namespace textcrs {

// With K copies per text, p_k the prediction for copy k, q the mean of the p_k, y the label, t the
// teacher's scores for the text and s_k those of copy k, the loss of a text is
//   (1 - S) mean_k -ln p_k(y)  +  S T^2 mean_k KL(softmax(t / T) || softmax(s_k / T))
//   + C mean_k KL(q || p_k)  +  E H(q),
// S = teacher_share (0 without a teacher) and T = teacher_temperature (Hinton et al. 2015),
// C = consistency and E = consistency_entropy (Jeong and Shin 2020). Returns the sum over the
// texts; of one copy per text and without a teacher that is the cross entropy, bit by bit.
//
// `logits` (texts * K, classes), the copies of a text next to each other; `labels` (texts);
// `teacher` (texts, classes), undefined: none. All on one device.
at::Tensor noisy_loss(const at::Tensor& logits, const at::Tensor& labels, int64_t copies_per_text,
                      const at::Tensor& teacher, const NoisyLoss& weights);

}  // namespace textcrs
