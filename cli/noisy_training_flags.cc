#include "noisy_training_flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "terminal.h"
#include "textcrs/base/error.h"
#include "textcrs/certified/fitting_noise.h"
#include "textcrs/train/teacher.h"

namespace textcrs::cli {
namespace {

std::optional<double> number_of(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

NoiseLevels parse_levels(const std::string& text) {
  const size_t dots = text.find("..");
  if (dots != std::string::npos) {
    const auto low = number_of(std::string_view(text).substr(0, dots));
    const auto high = number_of(std::string_view(text).substr(dots + 2));
    if (low && high) return {*low, *high};
  }
  throw usage_error(
      fmt::format("--vary-noise {}: expected LOW..HIGH, two numbers, as in 0.8..0.95", text));
}

}  // namespace

void NoisyTrainingFlags::add(CLI::App& command, TrainOptions& options) {
  command.add_option("--copies", options.copies, "Noisy copies of each text in a step")
      ->check(CLI::Range(1, kMostCopies));
  command
      .add_option("--consistency", options.loss.consistency,
                  "Weight of the copies' divergence from the text's mean prediction; with --copies "
                  "2 or more")
      ->check(CLI::NonNegativeNumber);
  command
      .add_option("--consistency-entropy", options.loss.consistency_entropy,
                  "Weight of that prediction's entropy")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--vary-noise", levels,
                     "Every step draws its copies at a level of its own, p or sigma of --noise, "
                     "uniform between the two; the model is for --noise itself");
  command.add_option("--distil", teacher,
                     "A trained model of the same classes, whose scores on the texts without noise "
                     "teach this one");
  command
      .add_option("--distil-weight", options.loss.teacher_share, "The teacher's share of the loss")
      ->check(CLI::Range(0.0, 1.0));
  command
      .add_option("--distil-temperature", options.loss.teacher_temperature,
                  "At which the two models' scores are compared")
      ->check(CLI::PositiveNumber);
  command
      .add_option("--average", options.average,
                  "Validate and keep an average of the weights over the steps, with this decay, "
                  "such as 0.999; 0: the weights themselves")
      ->check(CLI::Range(0.0, 0.999999));
}

void NoisyTrainingFlags::settle(const ModelConfig& model, TrainOptions& options) const {
  const NoisyLoss &loss = options.loss, usual;  // a saved configuration names every flag
  if (teacher.empty() && (loss.teacher_share != usual.teacher_share ||
                          loss.teacher_temperature != usual.teacher_temperature))
    throw usage_error("--distil-weight and --distil-temperature need --distil");
  if ((loss.consistency > 0 || loss.consistency_entropy > 0) && options.copies == 1)
    throw usage_error("--consistency is of several copies of a text: add --copies 2 or more");
  if (!levels.empty()) options.levels = parse_levels(levels);
  if (options.levels && model.noise.empty()) return;
  if (const auto complaint = training_complaint(model, options, !teacher.empty()))
    throw usage_error(*complaint);
}

void NoisyTrainingFlags::ask_teacher(const Dataset& data, PreparedClassifier& prepared,
                                     const TrainOptions& options) {
  if (teacher.empty()) return;
  const auto model = load_with_noise(teacher);
  fingerprint_ = model->fingerprint();
  accuracy_ = textcrs::ask_teacher(*model, data, prepared.texts, options.threads, stop_token());
  remark(fmt::format("the teacher {} answers {:.2f} % of the texts right, without noise", teacher,
                     100 * accuracy_));
}

void NoisyTrainingFlags::record(const TrainOptions& options,
                                nlohmann::ordered_json& training) const {
  const NoisyLoss& loss = options.loss;
  if (options.copies > 1) {
    training["copies"] = options.copies;
    training["consistency"] = loss.consistency;
    training["consistency_entropy"] = loss.consistency_entropy;
  }
  if (options.levels) training["noise_levels"] = {options.levels->low, options.levels->high};
  if (!teacher.empty())
    training["teacher"] = {{"folder", teacher},
                           {"model", fingerprint_},
                           {"accuracy", accuracy_},
                           {"weight", loss.teacher_share},
                           {"temperature", loss.teacher_temperature}};
  if (options.average > 0) training["average"] = options.average;
}

}  // namespace textcrs::cli
