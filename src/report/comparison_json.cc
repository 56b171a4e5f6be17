#include <nlohmann/json.hpp>

#include "report/json_parts.h"
#include "textcrs/report/comparison.h"

namespace textcrs {
namespace {

using nlohmann::ordered_json;

void add(const char* key, const std::string& text, ordered_json& json) {
  if (!text.empty()) json[key] = text;
}

void add(const char* key, const std::optional<double>& number, ordered_json& json) {
  if (number) json[key] = *number;
}

ordered_json test_to_json(const PairedTest& test) {
  return {{"only_this", test.only_this}, {"only_other", test.only_other}, {"p", test.p}};
}

ordered_json tests_to_json(const RunFigures::Tests& tests) {
  ordered_json json = ordered_json::object();
  if (tests.accuracy) json["accuracy"] = test_to_json(*tests.accuracy);
  if (tests.answered_accuracy) json["answered_accuracy"] = test_to_json(*tests.answered_accuracy);
  ordered_json& list = json["certified"] = ordered_json::array();
  for (const PairedTest& test : tests.certified) list.push_back(test_to_json(test));
  return json;
}

ordered_json run_to_json(const RunFigures& run) {
  ordered_json json = {{"name", run.name}};
  add("architecture", run.architecture, json);
  json["noise"] = run.noise;
  if (run.samples) json["samples"] = radius_to_json(*run.samples);
  add("alpha", run.alpha, json);
  json["complete"] = run.complete;
  json["abstained"] = run.abstained;
  add("accuracy", run.accuracy, json);
  add("answered_accuracy", run.answered_accuracy, json);
  json["certified"] = run.certified;
  add("why", run.why_nothing, json);
  add("how", run.how, json);
  json["median_seconds"] = run.median_seconds;
  json["mean_seconds"] = run.mean_seconds;
  add("wall_seconds", run.wall_seconds, json);
  add("caveats", run.caveats, json);
  if (run.tests) json["tests"] = tests_to_json(*run.tests);
  return json;
}

}  // namespace

std::string to_json(const Comparison& comparison) {
  ordered_json json = {{"threat", {{"operation", to_string(comparison.threat.operation)}}}};
  add("candidates", comparison.threat.candidates, json["threat"]);
  json["data"] = comparison.data;
  add("split", comparison.split, json);
  json["texts"] = comparison.texts;
  json["labelled"] = comparison.labelled;
  json["radii"] = ordered_json::array();
  for (const double radius : comparison.radii) json["radii"].push_back(radius_to_json(radius));
  json["against"] = comparison.against;
  json["runs"] = ordered_json::array();
  for (const RunFigures& run : comparison.runs) json["runs"].push_back(run_to_json(run));
  if (!comparison.notes.empty()) json["notes"] = comparison.notes;
  return json.dump();
}

}  // namespace textcrs
