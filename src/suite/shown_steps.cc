#include "suite/shown_steps.h"

#include <algorithm>

namespace textcrs {
namespace {

bool agrees(const std::vector<std::string>& list, const std::string& value) {
  return list.empty() || std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

std::vector<SuiteStep> done_steps(const SuiteManifest& manifest) {
  std::vector<SuiteStep> steps;
  for (const SuiteStep& step : manifest.steps)
    if (step.state == StepState::kDone) steps.push_back(step);
  for (const SuiteStep& step : manifest.past) {
    const bool there = manifest.find(step.name) != nullptr ||
                       std::any_of(steps.begin(), steps.end(),
                                   [&](const SuiteStep& other) { return other.name == step.name; });
    if (step.state == StepState::kDone && !there) steps.push_back(step);
  }
  return steps;
}

bool is_shown(const SuiteStep& step, const SuiteSelection& show, bool variants) {
  const bool variant_shown = !show.variants.empty() ? agrees(show.variants, step.tag("variant"))
                             : step.tag("variant").empty() ? true
                                                           : variants;
  return variant_shown && agrees(show.data, step.tag("data")) &&
         agrees(show.models, step.tag("model")) && agrees(show.methods, step.tag("method")) &&
         agrees(show.levels, step.tag("level")) && agrees(show.attacks, step.tag("attack"));
}

void add_part(std::string& words, const std::string& part) {
  if (part.empty() || part == words) return;
  if (words.empty() || part.starts_with(words + ",") || part.starts_with(words + " "))
    words = part;
  else
    words += ", " + part;
}

}  // namespace textcrs
