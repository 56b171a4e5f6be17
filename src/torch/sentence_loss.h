// The certified loss of texts whose sentences vote (docs/certificates.md, B12).
#pragma once

#include <torch/types.h>

#include <span>

namespace textcrs {

// The votes of a sentence are the softmax p of its logits. With A the label of a text, D_B the sum
// of the leads p_A - p_B of its sentences and r edits, the least lead that is left is
//   M_B = D_B - (the sum of the r largest leads, as far as they are positive) - r,
// and the loss is t ln(1 + the sum over B of exp(-M_B / t)), t = `temperature`: 0 for a text that
// is certified with ease. Returns the sum over the texts.
//
// `logits` (S, C) of the sentences of all texts, one text after the other; `sentences` has how many
// each text has, of which there is one at least; `labels` (T), on the device of the logits.
at::Tensor sentence_loss(const at::Tensor& logits, std::span<const size_t> sentences,
                         const at::Tensor& labels, int edits, double temperature);

}  // namespace textcrs
