#include "certify/noise_parameters.h"

#include <cmath>

namespace textcrs {
namespace {

// The noises flip a coin of probability floor(p 2^64) / 2^64: p itself from 2^-11 on.
double sampled_probability(const Spec& spec) {
  return std::ldexp(std::floor(std::ldexp(spec.number_inside("p", 0, 1), 64)), -64);
}

}  // namespace

DeletionParameters deletion_parameters(const Spec& spec) {
  const bool universal = spec.name() == "universal";
  spec.allow_only(universal ? std::vector<std::string>{"p"}
                            : std::vector<std::string>{"p", "order"});
  const bool shuffled =
      universal || spec.choice_or("order", "kept", {"kept", "shuffled"}) == "shuffled";
  return {sampled_probability(spec), shuffled};
}

double masking_probability(const Spec& spec) {
  spec.allow_only({"p"});
  return sampled_probability(spec);
}

ReorderParameters reorder_parameters(const Spec& spec) {
  using Kind = ReorderParameters::Kind;
  constexpr int kLongest = 1'000'000;
  spec.allow_only({"full", "block", "groups", "order"});
  if (spec.has("full") + spec.has("block") + spec.has("groups") != 1)
    spec.fail("expected exactly one of: full, block=L, groups=L");
  if (spec.has("order") && !spec.has("block")) spec.fail("'order' goes with block=L only");
  if (spec.flag("full")) return {Kind::kFull, 0};
  if (spec.has("groups")) return {Kind::kGroups, spec.integer("groups", 1, kLongest)};
  const bool sorted = spec.choice_or("order", "shuffled", {"shuffled", "sorted"}) == "sorted";
  return {sorted ? Kind::kSorted : Kind::kBlock, spec.integer("block", 1, kLongest)};
}

HashParameters hash_parameters(const Spec& spec) {
  spec.allow_only({"buckets", "functions"});
  return {spec.integer("buckets", 1, 1'000'000), spec.integer("functions", 1, 1'000'000)};
}

double insertion_sigma(const Spec& spec) {
  spec.allow_only({"sigma"});
  return spec.positive("sigma");
}

}  // namespace textcrs
