#include "torch/noisy_loss.h"

#include <cmath>

namespace textcrs {
namespace {

at::Tensor log_predictions(const at::Tensor& scores) {
  return at::log_softmax(scores.to(at::kDouble), -1);
}

// The sum over all but the last dimension of KL(p || q), given their logarithms.
at::Tensor divergence(const at::Tensor& log_p, const at::Tensor& log_q) {
  return (log_p.exp() * (log_p - log_q)).sum();
}

// Of log predictions (T, K, C): those of each text's mean prediction (T, 1, C).
at::Tensor log_mean(const at::Tensor& log_p) {
  return log_p.logsumexp(1, true) - std::log(static_cast<double>(log_p.size(1)));
}

at::Tensor disagreement(const at::Tensor& by_text, const NoisyLoss& weights) {
  const at::Tensor log_p = log_predictions(by_text), mean = log_mean(log_p);
  const at::Tensor apart = divergence(mean, log_p) / static_cast<double>(log_p.size(1));
  const at::Tensor entropy = -(mean.exp() * mean).sum();
  return weights.consistency * apart + weights.consistency_entropy * entropy;
}

}  // namespace

at::Tensor noisy_loss(const at::Tensor& logits, const at::Tensor& labels, int64_t copies_per_text,
                      const at::Tensor& teacher, const NoisyLoss& weights) {
  if (copies_per_text == 1 && !teacher.defined())
    return at::cross_entropy_loss(logits, labels, {}, at::Reduction::Sum);
  const auto copies = static_cast<double>(copies_per_text);
  at::Tensor loss = at::cross_entropy_loss(logits, labels.repeat_interleave(copies_per_text), {},
                                           at::Reduction::Sum) /
                    copies;
  const at::Tensor by_text = logits.view({-1, copies_per_text, logits.size(1)});
  if (teacher.defined()) {
    const double share = weights.teacher_share, heat = weights.teacher_temperature;
    const at::Tensor apart =
        divergence(log_predictions(teacher.unsqueeze(1) / heat), log_predictions(by_text / heat));
    loss = (1 - share) * loss + share * heat * heat / copies * apart;
  }
  if (copies_per_text > 1 && (weights.consistency > 0 || weights.consistency_entropy > 0))
    loss = loss + disagreement(by_text, weights);
  return loss;
}

}  // namespace textcrs
