#include <fmt/format.h>

#include "textcrs/train/trainer.h"
#include "train/noise_level.h"

namespace textcrs {
namespace {

std::optional<std::string> range_complaint(const TrainOptions& options) {
  const NoisyLoss& loss = options.loss;
  if (options.copies < 1 || options.copies > kMostCopies)
    return fmt::format("{} noisy copies of each text, expected 1 to {}", options.copies,
                       kMostCopies);
  if (!(loss.consistency >= 0 && loss.consistency_entropy >= 0))
    return "the weights of consistency and of its entropy must not be negative";
  if (!(loss.teacher_share >= 0 && loss.teacher_share <= 1 && loss.teacher_temperature > 0))
    return "the teacher's share must be 0 to 1, and the temperature above 0";
  if (!(options.average >= 0 && options.average < 1))
    return "the decay of the average of the weights must be 0 or more, and below 1";
  return std::nullopt;
}

// Why a loss of its own, that of votes, can not take several copies or a teacher.
std::optional<std::string> votes_complaint(const ModelConfig& model, const TrainOptions& options,
                                           bool taught) {
  if (!model.kind().casts_votes && model.units != Units::kSentences) return std::nullopt;
  if (options.copies == 1 && !taught) return std::nullopt;
  const std::string who = model.units == Units::kSentences
                              ? "sentences that vote"
                              : fmt::format("a {} model", model.architecture);
  return fmt::format("{} can not be trained with {}", who,
                     taught ? "a teacher (distillation)" : "several noisy copies of each text");
}

}  // namespace

std::optional<std::string> training_complaint(const ModelConfig& model, const TrainOptions& options,
                                              bool taught) {
  if (auto complaint = range_complaint(options)) return complaint;
  if (auto complaint = votes_complaint(model, options, taught)) return complaint;
  if (model.intervals && options.copies > 1)
    return "several copies of each text are for noise, and interval bounds have none";
  if ((options.loss.consistency > 0 || options.loss.consistency_entropy > 0) && options.copies == 1)
    return "consistency needs 2 noisy copies of each text or more";
  if (options.levels) return levels_complaint(model.noise, *options.levels);
  return std::nullopt;
}

}  // namespace textcrs
