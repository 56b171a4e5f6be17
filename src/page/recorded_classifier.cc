#include "page/recorded_classifier.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "report/run_file.h"
#include "text/json.h"
#include "textcrs/base/error.h"
#include "textcrs/base/reachable.h"

namespace textcrs {
namespace {

using nlohmann::ordered_json;

std::vector<std::string> classes_in_summary(const std::filesystem::path& file) {
  std::vector<std::string> classes;
  if (!is_there(file)) return classes;
  const auto summary = read_json_file<ordered_json>(file);
  if (!summary.is_object() || !summary.contains("answers")) return classes;
  for (const auto& [name, texts] : summary["answers"].items()) classes.push_back(name);
  return classes;
}

// The texts of a class whose votes are the most in a place.
struct Place {
  size_t texts = 0;
  std::string name;
  size_t place = 0;
};

// Most texts first, then by name and place.
std::vector<Place> count_places(const RunFolder& run, size_t classes) {
  std::map<std::pair<std::string_view, size_t>, size_t> counts;
  for (const Record& record : run.records) {
    const Votes& votes = record.certification.counts;
    if (record.certification.abstained || votes.empty() || votes.size() != classes) continue;
    const auto most = std::max_element(votes.begin(), votes.end());
    ++counts[{record.prediction, static_cast<size_t>(most - votes.begin())}];
  }
  std::vector<Place> places;
  for (const auto& [key, texts] : counts)
    places.push_back({texts, std::string(key.first), key.second});
  std::stable_sort(places.begin(), places.end(),
                   [](const Place& a, const Place& b) { return a.texts > b.texts; });
  return places;
}

std::vector<std::string> classes_in_records(const RunFolder& run) {
  const size_t classes = run.records.front().certification.counts.size();
  std::set<std::string> left;  // those without a place
  for (const Record& record : run.records) {
    left.insert(record.prediction);
    if (record.label) left.insert(*record.label);
  }
  std::vector<std::string> names(std::max(classes, left.size()));
  for (const Place& place : count_places(run, classes))
    if (names[place.place].empty() && left.erase(place.name) > 0) names[place.place] = place.name;
  for (size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty()) continue;
    // By name; then those that no text has.
    names[i] = left.empty() ? fmt::format("class {}", i + 1) : *left.begin();
    if (!left.empty()) left.erase(left.begin());
  }
  return names;
}

uint32_t whole(const RunFolder& run, const char* name) {
  const double value = run.number(name).value_or(0);
  return value >= 0 && value < 4294967296.0 ? static_cast<uint32_t>(value) : 0;
}

[[noreturn]] void not_without_a_model() {
  throw std::logic_error("RecordedClassifier: there is no model");
}

}  // namespace

std::vector<std::string> classes_of(const RunFolder& run) {
  std::vector<std::string> classes = classes_in_summary(run.folder / kSummaryFile);
  return classes.empty() ? classes_in_records(run) : classes;
}

Description description_of(const RunFolder& run) {
  Description description;
  description.noise = run.setting("noise");
  description.trained_noise = run.setting("trained_noise");
  description.engine = run.setting("engine");
  description.device = run.setting("device");
  description.model = run.setting("model");
  description.architecture = run.setting("architecture");
  description.fallback = run.setting("fallback");
  description.unit = run.records.front().unit;
  const std::optional<double> alpha = run.number("alpha");
  description.samples = alpha.has_value();
  if (const std::string caveats = run.setting("caveats"); !caveats.empty())
    description.caveats.push_back(caveats);
  if (!alpha) return description;
  if (!(*alpha > 0 && *alpha < 1))
    throw bad_input(fmt::format("{}: found the alpha {}, expected one between 0 and 1",
                                (run.folder / kRunFile).string(), *alpha));
  CertifierOptions& options = description.certifier;
  options.alpha = *alpha;
  options.estimation_samples = whole(run, "samples");
  options.selection_samples = whole(run, "selection_samples");
  if (const std::string bounds = run.setting("bounds"); !bounds.empty())
    options.bounds = by_settings_of(run, [&] { return parse_bounds_method(bounds); });
  options.stop.automatic = run.setting("stop") == "auto";
  if (!run.setting("stop_at_radius").empty())
    options.stop.at_radius = run.number("stop_at_radius").value_or(kUnlimited);
  return description;
}

std::vector<Operation> RecordedClassifier::operations() const { not_without_a_model(); }

std::vector<std::string> RecordedClassifier::words(std::string_view) const {
  not_without_a_model();
}

Certification RecordedClassifier::certify(const std::vector<std::string>&, uint32_t,
                                          StopToken) const {
  not_without_a_model();
}

Coverage RecordedClassifier::covers(const std::vector<std::string>&, const Certification&,
                                    const std::vector<std::string>&) const {
  not_without_a_model();
}

}  // namespace textcrs
