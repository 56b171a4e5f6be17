#include "report/run_settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "textcrs/base/hash.h"
#include "textcrs/report/warnings.h"

namespace textcrs {
namespace {

std::string fingerprint(const Dataset& dataset) {
  uint64_t hash = kHashStart;
  for (const Example& example : dataset.examples) {
    hash = fnv1a(fmt::format("{} {} {} ", example.id, example.label, example.text.size()), hash);
    hash = fnv1a(example.text, hash);
    if (example.key) hash = fnv1a(fmt::format(" {} {}", example.key->size(), *example.key), hash);
  }
  return fmt::format("{:016x}", hash);
}

decltype(Setting::value) radius_value(const std::optional<double>& radius) {
  if (!radius) return std::monostate();
  if (std::isinf(*radius)) return std::string("unlimited");
  return *radius;
}

void add_sampling(const CertifierOptions& options, std::vector<Setting>& settings) {
  const StopRule& stop = options.stop;
  settings.push_back({"samples", uint64_t{options.estimation_samples}});
  settings.push_back({"selection_samples", uint64_t{options.selection_samples}});
  settings.push_back({"alpha", options.alpha});
  settings.push_back({"bounds", std::string(to_string(options.bounds))});
  settings.push_back({"stop", std::string(stop.automatic ? "auto" : "never")});
  settings.push_back({"stop_at_radius", radius_value(stop.at_radius)});
  settings.push_back(
      {"stop_operation", stop.operation ? std::string(to_string(*stop.operation)) : ""});
}

}  // namespace

std::vector<Setting> classifier_settings(const Description& classifier,
                                         const std::vector<Setting>& more) {
  std::vector<Setting> settings = {{"model", classifier.model}, {"noise", classifier.noise}};
  if (!classifier.fallback.empty()) settings.push_back({"fallback", classifier.fallback});
  if (!classifier.trained_noise.empty())
    settings.push_back({"trained_noise", classifier.trained_noise});
  settings.insert(settings.end(), more.begin(), more.end());
  if (classifier.samples) add_sampling(classifier.certifier, settings);
  settings.insert(settings.end(), classifier.settings.begin(), classifier.settings.end());
  settings.push_back({"device", classifier.device});
  settings.push_back({"engine", classifier.engine});
  if (!classifier.architecture.empty())
    settings.push_back({"architecture", classifier.architecture});
  if (!classifier.synonyms.empty()) settings.push_back({"synonyms", classifier.synonyms});
  if (const auto caveats = all_caveats(classifier); !caveats.empty())
    settings.push_back({"caveats", fmt::format("{}", fmt::join(caveats, "; "))});
  return settings;
}

std::string data_setting(const Dataset& dataset) {
  return fmt::format("{} {}", dataset.name, fingerprint(dataset));
}

std::vector<Setting> run_settings(const Description& classifier, const Dataset& dataset,
                                  const std::vector<Setting>& more) {
  std::vector<Setting> settings = classifier_settings(classifier, more);
  settings.push_back({"data", data_setting(dataset)});
  return settings;
}

std::optional<uint64_t> planned_samples(const Description& classifier) {
  const CertifierOptions& options = classifier.certifier;
  if (!options.stop.stops()) return std::nullopt;
  return uint64_t{options.selection_samples} + options.estimation_samples;
}

bool stopped_by_rule(const Description& classifier, const Certification& certification) {
  return classifier.certifier.stop.stops() && certification.samples > 0 && !certification.exact;
}

}  // namespace textcrs
