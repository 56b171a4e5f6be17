#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/json_parts.h"
#include "report/percent.h"
#include "textcrs/base/counted.h"
#include "textcrs/report/summary.h"
#include "textcrs/text/printable_name.h"

namespace textcrs {

using nlohmann::ordered_json;

namespace {

ordered_json points_to_json(const std::vector<CurvePoint>& points, const char* name) {
  ordered_json list = ordered_json::array();
  for (const CurvePoint& point : points)
    list.push_back({{"radius", radius_to_json(point.radius)}, {name, point.share}});
  return list;
}

void add_curves(const std::vector<Curve>& curves, const char* name, ordered_json& json) {
  for (const auto& [operation, points] : curves)
    json[std::string(to_string(operation))] = points_to_json(points, name);
}

// Two lines: the radii and the percentages.
std::string lines_of(const std::vector<CurvePoint>& points, std::string_view name,
                     std::string_view what) {
  std::string head = fmt::format("{:<13} {:<8}", name, what),
              row = fmt::format("{:<13} %       ", "");
  for (const CurvePoint& point : points) {
    head +=
        fmt::format("{:>8}", std::isinf(point.radius) ? "any" : fmt::format("{}", point.radius));
    row += fmt::format("{:>8.1f}", percent_from_below(point.share));
  }
  return fmt::format("{}\n{}\n", head, row);
}

void add_both(const std::vector<Curve>& sound, const std::vector<Curve>& paper, const char* name,
              ordered_json& json) {
  if (!sound.empty()) add_curves(sound, name, json["sound"]);
  if (paper.empty()) return;
  add_proved(CertificateMode::kPaper, json["paper"]);
  add_curves(paper, name, json["paper"]);
}

}  // namespace

std::string to_json(const Summary& summary) {
  ordered_json json = {
      {"texts", summary.texts}, {"labelled", summary.labelled}, {"abstained", summary.abstained}};
  if (summary.by_fallback > 0) json["by_fallback"] = summary.by_fallback;
  json["samples"] = summary.samples;
  json["seconds"] = summary.seconds;
  if (summary.unit != "word") json["unit"] = summary.unit;
  if (summary.accuracy) json["accuracy"] = *summary.accuracy;
  if (summary.answered_accuracy) json["answered_accuracy"] = *summary.answered_accuracy;
  if (!summary.free_edits.empty()) json["free_edits"] = summary.free_edits;
  if (!summary.synonyms.empty()) {
    ordered_json& list = json["synonyms"] = {{"table", summary.synonyms}};
    list["edits"] = points_to_json(summary.beside_synonyms,
                                   summary.accuracy ? "certified_accuracy" : "certified_share");
  }
  add_both(summary.sound, summary.paper, "certified_accuracy", json);
  if (summary.saved) {
    json["samples_saved"] = summary.saved->samples;
    ordered_json& stops = json["stops"] = ordered_json::object();
    for (const auto& [reason, texts] : summary.saved->stops)
      stops[std::string(to_string(reason))] = texts;
  }
  for (const auto& [name, texts] : summary.answers) json["answers"][name] = texts;
  if (!summary.sound_share.empty() || !summary.paper_share.empty())
    add_both(summary.sound_share, summary.paper_share, "certified_share", json["certified_share"]);
  if (summary.classes) add_classes(*summary.classes, json);
  for (const auto& [warning, texts] : summary.warnings) json["warnings"][warning] = texts;
  if (!summary.caveats.empty()) json["caveats"] = summary.caveats;
  return json.dump(2) + "\n";
}

std::string accuracy_in_words(const Summary& summary) {
  return fmt::format(
      "smoothed accuracy {:.1f} % if an abstention counts by its guess, {:.1f} % if it counts as "
      "wrong; abstained {}",
      100 * summary.accuracy.value(), 100 * summary.answered_accuracy.value(), summary.abstained);
}

std::string fallback_in_words(const Summary& summary) {
  return fmt::format(
      "{} of {} answered by the fallback: the votes were not clear, nothing is certified",
      summary.by_fallback, counted(summary.texts, "text"));
}

std::string answers_in_words(const Summary& summary) {
  auto answers = summary.answers;
  std::stable_sort(answers.begin(), answers.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  const size_t shown = std::min(answers.size(), kMostClassesShown);
  std::string text = "answers:";
  for (size_t i = 0; i < shown; ++i)
    text += fmt::format("{} {} {}", i == 0 ? "" : ",", answers[i].second,
                        printable_name(answers[i].first));
  if (shown < answers.size()) text += ", ..";
  return text + fmt::format("; abstained {}", summary.abstained);
}

std::string table(const std::vector<Curve>& curves) {
  std::string text;
  for (const auto& [operation, points] : curves)
    text += lines_of(points, to_string(operation), "radius");
  return text;
}

std::string synonyms_table(const Summary& summary) {
  return summary.synonyms.empty() ? "" : lines_of(summary.beside_synonyms, "synonyms", "edits");
}

std::string savings_in_words(const Summary& summary) {
  const uint64_t saved = summary.saved.value().samples;
  const auto all = static_cast<double>(std::max<uint64_t>(summary.samples + saved, 1));
  std::string text =
      fmt::format("samples: {} used ({:.1f} %), {} saved; why each text stopped:", summary.samples,
                  100 * static_cast<double>(summary.samples) / all, saved);
  for (const auto& [reason, texts] : summary.saved->stops)
    text += fmt::format("\n  {:<12}{:>7}  {}", to_string(reason), texts, in_words(reason));
  return text;
}

std::string warnings_in_words(const Summary& summary) {
  std::string text;
  for (const auto& [warning, texts] : summary.warnings)
    text += fmt::format("warning: {} of {}: {}\n", texts, counted(summary.texts, "text"), warning);
  return text;
}

}  // namespace textcrs
