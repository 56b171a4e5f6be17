#include "page/run_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/safe_decimals.h"
#include "report/percent.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/spec.h"
#include "textcrs/noise/noise.h"
#include "textcrs/report/warnings.h"
#include "textcrs/text/printable_name.h"

namespace textcrs {
namespace {

std::string counted_texts(size_t texts) {
  return thousands(texts) + (texts == 1 ? " text" : " texts");
}

// "words", "sentences"; nothing for what counts neither.
const char* things_of(const std::string& unit) {
  return unit == kUnitSentences ? "sentences" : "words";
}

const char* participle(Operation operation) {
  switch (operation) {
    case Operation::kSubstitution:
      return "replaced";
    case Operation::kReordering:
      return "moved";
    case Operation::kInsertion:
      return "inserted";
    case Operation::kDeletion:
      return "deleted";
    case Operation::kEdit:
      break;
  }
  return "edited";
}

bool counts_units(const StepCurve& curve) {
  return curve.unit == kUnitWords || curve.unit == kUnitSentences;
}

std::string model_in_words(const RunView& view) {
  const Description& d = view.description;
  const std::string architecture =
      d.architecture.empty() ? "model" : printable_name(d.architecture) + " model";
  if (d.noise == kNoNoise) return fmt::format("a {} without noise", architecture);
  if (!d.fallback.empty()) return fmt::format("a cascade ({})", printable_name(d.architecture));
  if (d.noise == d.architecture) return fmt::format("a {}", architecture);
  if (!d.is_smoothed()) return fmt::format("a {} ({})", architecture, printable_line(d.noise));
  return fmt::format("a {} under the noise {}", architecture, printable_line(d.noise));
}

std::string sampling_in_words(const RunView& view) {
  const Description& d = view.description;
  if (d.noise == kNoNoise) return "Nothing is certified: the model was trained without noise.";
  if (!d.is_smoothed()) return "No noise and no sampling: what is certified is exact.";
  if (!d.samples) return "All noisy copies were counted: what is certified is exact.";
  return fmt::format("{} noisy copies per text; each certificate holds with {} % confidence.",
                     thousands(d.certifier.estimation_samples),
                     confidence_percent(d.certifier.alpha));
}

void add_accuracy(const RunView& view, std::vector<std::string>& said) {
  const Summary& s = view.summary;
  if (!view.labelled) {
    said.push_back(
        fmt::format("No text has a label: shares are of all texts, right or wrong. "
                    "{} of {} are answered.",
                    thousands(s.texts - s.abstained), counted_texts(s.texts)));
    return;
  }
  std::string accuracy =
      fmt::format("{} of the texts are answered right", percent(s.answered_accuracy.value()));
  if (s.labelled < s.texts) accuracy += fmt::format(" (of {} with a label)", thousands(s.labelled));
  accuracy += s.abstained == 0 ? ", none is abstained on."
                               : fmt::format(", {} {} abstained on.", thousands(s.abstained),
                                             s.abstained == 1 ? "is" : "are");
  said.push_back(accuracy);
}

// "81.5 % are right and stay so whatever one edit is made, 57.8 % whatever five are."
void add_certified(const RunView& view, std::vector<std::string>& said) {
  const StepCurve* curve = view.headline_curve();
  if (curve == nullptr) return;
  const char* who = view.labelled ? "are right and provably stay so" : "provably keep their answer";
  if (!counts_units(*curve)) {
    const double median = curve->median();
    if (median > 0)
      said.push_back(
          fmt::format("Half of the texts {} with {}.", who, edits_up_to(*curve, median)));
    return;
  }
  std::vector<std::string> parts;
  for (const double radius : {1.0, 5.0, 10.0})
    if (curve->texts_at(radius) > 0)
      parts.push_back(fmt::format("{}{} with {}", percent(curve->share_at(radius)),
                                  parts.empty() ? std::string(" ") + who : "",
                                  edits_up_to(*curve, radius)));
  if (parts.empty())
    said.push_back(fmt::format("No text is certified against {}.", edits_up_to(*curve, 1)));
  else
    said.push_back(fmt::format("{}.", fmt::join(parts, ", ")));
}

void add_order(const RunView& view, std::vector<std::string>& said) {
  for (const StepCurve& curve : view.sound)
    if (curve.operation == Operation::kReordering && curve.texts_at(kUnlimited) > 0 &&
        view.headline != Operation::kReordering)
      said.push_back(fmt::format("Any order of the {} is harmless for {} of the texts.",
                                 view.summary.unit + "s", percent(curve.share_at(kUnlimited))));
}

}  // namespace

std::string thousands(uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string grouped;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) grouped += ',';
    grouped += digits[i];
  }
  return grouped;
}

std::string percent(double share) { return fmt::format("{:.1f} %", percent_from_below(share)); }

std::string shown_radius(double radius) {
  if (std::isinf(radius)) return "any";
  if (radius < 0) return "nothing";
  return rounded_down(radius, 4);
}

std::string edits_up_to(const StepCurve& curve, double radius) {
  const std::string number = shown_radius(radius);
  if (curve.operation == Operation::kReordering && curve.unit == kUnitDisplacement)
    return std::isinf(radius) ? "words in any order"
                              : fmt::format("words moved by up to {} places in all", number);
  if (!counts_units(curve))
    return fmt::format("words {} that move the text by up to {} ({})", participle(curve.operation),
                       number, curve.unit);
  const std::string things = things_of(curve.unit);
  if (curve.operation == Operation::kEdit) {
    const std::string of = things == "words" ? "" : " of sentences";
    if (std::isinf(radius)) return "any edits" + of;
    return radius == 1 ? "any one edit" + of : fmt::format("any {} edits{}", number, of);
  }
  if (std::isinf(radius)) return fmt::format("any {} {}", things, participle(curve.operation));
  if (radius == 1)
    return fmt::format("any one {} {}", things.substr(0, things.size() - 1),
                       participle(curve.operation));
  return fmt::format("any {} {} {}", number, things, participle(curve.operation));
}

std::string counted_in(Operation operation, const std::string& unit) {
  if (unit == kUnitDisplacement) return "places moved in all";
  if (unit != kUnitWords && unit != kUnitSentences) return unit;
  if (operation == Operation::kEdit) return unit == kUnitWords ? "edits" : "edits of sentences";
  return fmt::format("{} {}", things_of(unit), participle(operation));
}

std::string how_it_was_run(const RunView& view) {
  const std::string split = view.run.setting("split");
  return fmt::format("{} of {}{}, answered by {}. {}", counted_texts(view.summary.texts),
                     printable_line(view.run.data_name()),
                     split.empty() ? "" : fmt::format(" ({})", printable_name(split)),
                     model_in_words(view), sampling_in_words(view));
}

std::vector<std::string> findings(const RunView& view) {
  std::vector<std::string> said;
  add_accuracy(view, said);
  add_certified(view, said);
  add_order(view, said);
  for (const std::string& free : view.summary.free_edits)
    said.push_back(fmt::format("Free beside every radius: {}.", free));
  if (!view.summary.synonyms.empty() && !view.summary.beside_synonyms.empty())
    said.push_back(
        fmt::format("{} stay so where every word may at once become any of its candidates ({}).",
                    percent(view.summary.beside_synonyms.front().share), view.summary.synonyms));
  if (!view.description.fallback.empty()) said.push_back(fallback_in_words(view.summary) + ".");
  if (view.summary.saved) {
    const uint64_t saved = view.summary.saved->samples;
    said.push_back(fmt::format("Stopping early saved {} of {} noisy copies.", thousands(saved),
                               thousands(saved + view.summary.samples)));
  }
  return said;
}

std::vector<std::string> remarks(const RunView& view) {
  std::vector<std::string> said;
  if (!view.run.complete)
    said.push_back("The run was not complete when this was written: more texts will follow.");
  if (const auto other =
          other_noise_in_words(view.description.noise, view.description.trained_noise);
      !other.empty())
    said.push_back("The " + other + ".");
  for (const auto& [warning, texts] : view.summary.warnings)
    said.push_back(
        fmt::format("{} of {}: {}.", thousands(texts), counted_texts(view.summary.texts), warning));
  for (const std::string& caveat : view.summary.caveats) said.push_back(caveat + ".");
  if (!view.paper.empty())
    said.push_back(
        "The run also has radii by the paper's formulas. They are not proved, and stand "
        "apart from what is.");
  return said;
}

}  // namespace textcrs
