#include "textcrs/noise/parameters.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace textcrs {
namespace {

constexpr int kLongest = 1'000'000;  // block or group
constexpr int kMostPieces = 1'000'000;

}  // namespace

double sampled_probability(double p) { return std::ldexp(std::floor(std::ldexp(p, 64)), -64); }

DeletionParameters DeletionParameters::parse(const Spec& spec) {
  DeletionParameters parsed;
  parsed.universal = spec.name() == "universal";
  if (parsed.universal)
    spec.allow_only({"p"});
  else
    spec.allow_only({"p", "order"});
  parsed.p = spec.number_inside("p", 0, 1);
  parsed.shuffled =
      parsed.universal || spec.choice_or("order", "kept", {"kept", "shuffled"}) == "shuffled";
  return parsed;
}

std::string DeletionParameters::spec() const {
  if (universal) return "universal:p=" + shortest(p);
  return "delete:p=" + shortest(p) + (shuffled ? ",order=shuffled" : "");
}

MaskParameters MaskParameters::parse(const Spec& spec) {
  spec.allow_only({"p"});
  return {spec.number_inside("p", 0, 1)};
}

std::string MaskParameters::spec() const { return "mask:p=" + shortest(p); }

ReorderParameters ReorderParameters::parse(const Spec& spec) {
  spec.allow_only({"full", "block", "groups", "order"});
  if (spec.has("full") + spec.has("block") + spec.has("groups") != 1)
    spec.fail("expected exactly one of: full, block=L, groups=L");
  if (spec.has("order") && !spec.has("block")) spec.fail("'order' goes with block=L only");
  if (spec.flag("full")) return {Kind::kFull, 0};
  if (spec.has("groups")) return {Kind::kGroups, spec.integer("groups", 1, kLongest)};
  const int length = spec.integer("block", 1, kLongest);
  const bool sorted = spec.choice_or("order", "shuffled", {"shuffled", "sorted"}) == "sorted";
  return {sorted ? Kind::kSorted : Kind::kBlock, length};
}

std::string ReorderParameters::spec() const {
  switch (kind) {
    case Kind::kFull:
      break;
    case Kind::kBlock:
      return fmt::format("reorder:block={}", length);
    case Kind::kSorted:
      return fmt::format("reorder:block={},order=sorted", length);
    case Kind::kGroups:
      return fmt::format("reorder:groups={}", length);
  }
  return "reorder:full";
}

InsertParameters InsertParameters::parse(const Spec& spec) {
  spec.allow_only({"sigma"});
  spec.positive("sigma");
  return {
      spec.number("sigma", std::numeric_limits<float>::min(), std::numeric_limits<float>::max())};
}

std::string InsertParameters::spec() const { return "insert:sigma=" + shortest(sigma); }

HashParameters HashParameters::parse(const Spec& spec) {
  spec.allow_only({"buckets", "functions"});
  return {spec.integer("buckets", 1, kMostPieces), spec.integer("functions", 1, kMostPieces)};
}

std::string HashParameters::spec() const {
  return fmt::format("hash:buckets={},functions={}", buckets, functions);
}

}  // namespace textcrs
