#include "textcrs/noise/parameters.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <set>

#include "textcrs/base/error.h"
#include "textcrs/text/word_lists.h"

namespace textcrs {
namespace {

constexpr int kLongest = 1'000'000;  // block or group
constexpr int kMostPieces = 1'000'000;
constexpr double kMostKept = 1e6;                               // words
constexpr double kSlowestGrowth = 1.01, kFastestGrowth = 1e6;   // of bins of lengths
constexpr double kLowestRate = 0.001, kHighestRate = 0.999999;  // of adapt

// Of a Gaussian that is drawn in float32.

bool same_words(const StopWords& a, const StopWords& b) {
  return std::set(a.words.begin(), a.words.end()) == std::set(b.words.begin(), b.words.end());
}

}  // namespace

double sampled_probability(double p) { return std::ldexp(std::floor(std::ldexp(p, 64)), -64); }

DeletionParameters DeletionParameters::parse(const Spec& spec) {
  DeletionParameters parsed;
  parsed.universal = spec.name() == "universal";
  if (parsed.universal)
    spec.allow_only({"p", "stop"});
  else
    spec.allow_only({"p", "order", "stop"});
  parsed.p = spec.number_inside("p", 0, 1);
  parsed.shuffled =
      parsed.universal || spec.choice_or("order", "kept", {"kept", "shuffled"}) == "shuffled";
  const std::string list = spec.text_or("stop", "");
  if (spec.has("stop")) parsed.stop = stop_list_name(list);
  if (list != parsed.stop) parsed.stop_file = list;
  return parsed;
}

std::string DeletionParameters::spec() const {
  const std::string order = shuffled && !universal ? ",order=shuffled" : "";
  return (universal ? "universal:p=" : "delete:p=") + shortest(p) + order +
         (stop.empty() ? "" : ",stop=" + stop);
}

const Vocabulary* DeletionParameters::stop_words_of(const Vocabulary* vocabulary) const {
  if (stop.empty()) return nullptr;
  const std::string found = vocabulary == nullptr ? "" : vocabulary->stop_words().name;
  if (found != stop)
    throw usage_error(fmt::format("{} needs the stop words of the list '{}', and {}", spec(), stop,
                                  found.empty()
                                      ? "there are none here: a model is trained with them"
                                      : fmt::format("the model has those of '{}'", found)));
  if (!stop_file.empty() && !same_words(find_stop_words(stop_file), vocabulary->stop_words()))
    throw usage_error(
        fmt::format("{}: the model has other stop words under the name '{}'", stop_file, stop));
  return vocabulary;
}

StopWords find_stop_words_of(const Spec& spec) {
  const bool deletes = spec.name() == "delete" || spec.name() == "universal";
  return deletes && spec.has("stop") ? find_stop_words(spec.text_or("stop", "")) : StopWords();
}

AdaptParameters AdaptParameters::parse(const Spec& spec) {
  spec.allow_only({"keep", "least", "most", "growth", "order"});
  AdaptParameters parsed;
  spec.positive("keep");
  parsed.keep = spec.number("keep", 0, kMostKept);
  if (spec.has("least")) parsed.least = spec.number("least", kLowestRate, kHighestRate);
  if (spec.has("most")) parsed.most = spec.number("most", kLowestRate, kHighestRate);
  if (spec.has("growth")) parsed.growth = spec.number("growth", kSlowestGrowth, kFastestGrowth);
  if (parsed.least > parsed.most)
    spec.fail(fmt::format("least is {}, expected at most most, {}", shortest(parsed.least),
                          shortest(parsed.most)));
  parsed.shuffled = spec.choice_or("order", "kept", {"kept", "shuffled"}) == "shuffled";
  return parsed;
}

std::string AdaptParameters::spec() const {
  constexpr AdaptParameters kDefault;
  std::string text = "adapt:keep=" + shortest(keep);
  if (least != kDefault.least) text += ",least=" + shortest(least);
  if (most != kDefault.most) text += ",most=" + shortest(most);
  if (growth != kDefault.growth) text += ",growth=" + shortest(growth);
  return text + (shuffled ? ",order=shuffled" : "");
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

GaussianParameters GaussianParameters::parse(const Spec& spec) {
  spec.allow_only({"sigma"});
  spec.positive("sigma");
  return {.sigma = spec.number("sigma", std::numeric_limits<float>::min(),
                               std::numeric_limits<float>::max()),
          .in_place = spec.name() == "gaussian"};
}

std::string GaussianParameters::spec() const {
  return (in_place ? "gaussian:sigma=" : "insert:sigma=") + shortest(sigma);
}

HashParameters HashParameters::parse(const Spec& spec) {
  spec.allow_only({"buckets", "functions"});
  return {spec.integer("buckets", 1, kMostPieces), spec.integer("functions", 1, kMostPieces)};
}

std::string HashParameters::spec() const {
  return fmt::format("hash:buckets={},functions={}", buckets, functions);
}

}  // namespace textcrs
