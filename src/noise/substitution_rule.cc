#include <fmt/format.h>

#include <map>

#include "textcrs/noise/substitution_kernel.h"

namespace textcrs {
namespace {

constexpr int kDefaultReach = 2;
constexpr int kLargestSize = 1'000'000, kLargestReach = 100;

const std::map<std::string, KernelShape>& shapes() {
  static const std::map<std::string, KernelShape> names = {
      {"uniform", KernelShape::kUniform},
      {"staircase", KernelShape::kStaircase},
      {"cluster", KernelShape::kCluster},
      {"graph", KernelShape::kGraph},
  };
  return names;
}

double default_eps(const SubstitutionRule& rule) {
  return rule.shape == KernelShape::kStaircase ? 5.0 / rule.size : 1.0;
}

bool needs_size(KernelShape shape) {
  return shape == KernelShape::kStaircase || shape == KernelShape::kCluster;
}

}  // namespace

SubstitutionRule SubstitutionRule::parse(const Spec& spec) {
  SubstitutionRule rule;
  rule.shape = shapes().at(spec.choice("kernel", {"uniform", "staircase", "cluster", "graph"}));
  if (rule.shape == KernelShape::kGraph)
    spec.allow_only({"kernel", "size", "eps", "reach"});
  else if (rule.shape == KernelShape::kStaircase)
    spec.allow_only({"kernel", "size", "eps"});
  else
    spec.allow_only({"kernel", "size"});
  if (needs_size(rule.shape) || spec.has("size")) rule.size = spec.integer("size", 1, kLargestSize);
  if (rule.shape == KernelShape::kStaircase || rule.shape == KernelShape::kGraph)
    rule.eps = spec.has("eps") ? spec.positive("eps") : default_eps(rule);
  if (rule.shape == KernelShape::kGraph)
    rule.reach = spec.integer_or("reach", kDefaultReach, 1, kLargestReach);
  return rule;
}

std::string SubstitutionRule::spec() const {
  std::string text = "substitute:kernel=";
  for (const auto& [name, named] : shapes())
    if (named == shape) text += name;
  if (size > 0) text += fmt::format(",size={}", size);
  const bool has_eps = shape == KernelShape::kStaircase || shape == KernelShape::kGraph;
  if (has_eps && eps != default_eps(*this)) text += ",eps=" + shortest(eps);
  if (shape == KernelShape::kGraph && reach != kDefaultReach)
    text += fmt::format(",reach={}", reach);
  return text;
}

}  // namespace textcrs
