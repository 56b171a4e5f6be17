#include "textcrs/certify/sequential.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "textcrs/base/error.h"
#include "textcrs/base/sample_tile.h"

namespace textcrs {
namespace {

constexpr double kLeastRise = 1.01;  // of a continuous radius

}  // namespace

std::string_view to_string(StopReason reason) {
  switch (reason) {
    case StopReason::kReached:
      return "reached";
    case StopReason::kSettled:
      return "settled";
    case StopReason::kUnreachable:
      return "unreachable";
    case StopReason::kUnlikely:
      return "unlikely";
    case StopReason::kAllDrawn:
      break;
  }
  return "all_drawn";
}

std::string_view in_words(StopReason reason) {
  switch (reason) {
    case StopReason::kReached:
      return "the radius is certified";
    case StopReason::kSettled:
      return "something is certified, and more samples would not raise the radius";
    case StopReason::kUnreachable:
      return "not certified, and out of reach even if all further samples voted for the class";
    case StopReason::kUnlikely:
      return "not certified, and by the votes so far too unlikely to be";
    case StopReason::kAllDrawn:
      break;
  }
  return "no early stop: all samples were drawn";
}

std::vector<Look> plan_looks(uint32_t first, uint32_t samples, double alpha) {
  std::vector<Look> looks;
  const uint64_t shift =
      (kSampleTile - first % kSampleTile) % kSampleTile;  // to the end of the first tile
  // A look shortly before the last would cost alpha and save little.
  const uint64_t latest = samples / 5 * uint64_t{4};
  for (uint64_t tiles = 1;; tiles *= 2) {
    for (const uint64_t count : {2 * tiles, 3 * tiles}) {
      const uint64_t size = shift + kSampleTile * (count / 2);
      if (size > latest) break;
      if (looks.empty() || size > looks.back().size)
        looks.push_back({static_cast<uint32_t>(size), 0});
    }
    if (shift + kSampleTile * tiles > latest) break;
  }
  // K - 1 shares of alpha / (2 K) and one of alpha / 2: below alpha even when they are rounded.
  const double share = alpha / 2 / static_cast<double>(looks.size() + 1);
  for (Look& look : looks) look.alpha = share;
  looks.push_back({samples, looks.empty() ? alpha : alpha / 2});
  return looks;
}

Operation watched_operation(const Certificate& certificate, std::optional<Operation> asked) {
  const std::vector<Operation> all = certificate.operations();
  const auto has = [&](Operation operation) { return std::ranges::count(all, operation) > 0; };
  if (!asked && has(Operation::kEdit)) return Operation::kEdit;
  if (!asked) {
    const auto first = std::ranges::find_if(
        all, [](Operation operation) { return operation != Operation::kReordering; });
    return first != all.end() ? *first : Operation::kReordering;
  }
  if (has(*asked)) return *asked;
  std::vector<std::string_view> known;
  for (const Operation operation : all) known.push_back(to_string(operation));
  throw usage_error(fmt::format("stop operation is '{}', but the certificate of {} is about {}",
                                to_string(*asked), certificate.noise(), fmt::join(known, ", ")));
}

Stopping::Stopping(const StopRule& rule, const Certificate& certificate,
                   const TextCertificate& text, BoundsMethod method, std::vector<Look> looks)
    : rule_(rule),
      text_(text),
      method_(method),
      looks_(std::move(looks)),
      operation_(watched_operation(certificate, rule.operation)) {}

std::optional<StopReason> Stopping::decide(size_t look, const std::vector<int64_t>& counts,
                                           size_t top, Bounds bounds) const {
  if (look + 1 >= looks_.size()) return std::nullopt;
  const double now = radius(bounds);
  if (rule_.at_radius && now >= *rule_.at_radius) return StopReason::kReached;
  // Certificates are monotone: a higher pA and a lower pB never lower a radius. What earlier looks
  // proved stays proved, so the cases ahead start from the bounds so far.
  const auto ahead = [&](Bounds at_the_end) {
    return radius({std::max(bounds.pa, at_the_end.pa), std::min(bounds.pb, at_the_end.pb)});
  };
  if (!worthwhile(ahead(best_case(look, counts, top)), now))
    return rule_.at_radius || now < 0 ? StopReason::kUnreachable : StopReason::kSettled;
  if (!worthwhile(ahead(likely_case(look, counts, top)), now))
    return rule_.at_radius || now < 0 ? StopReason::kUnlikely : StopReason::kSettled;
  return std::nullopt;
}

double Stopping::radius(Bounds bounds) const {
  if (bounds.pa <= bounds.pb) return -1;
  return text_.certify(bounds).radius(operation_);
}

bool Stopping::worthwhile(double best, double now) const {
  if (rule_.at_radius) return best >= *rule_.at_radius;
  const bool whole = best == std::floor(best) && now == std::floor(now);
  return best > (whole ? now : kLeastRise * now);
}

// All remaining votes go to the class. No other future has better bounds at any look: a success
// more raises the lower bound, a trial more lowers the upper bounds of the others, and the last
// look has the largest alpha.
Bounds Stopping::best_case(size_t look, const std::vector<int64_t>& counts, size_t top) const {
  const Look& last = looks_.back();
  std::vector<int64_t> all = counts;
  all[top] += last.size - looks_[look].size;
  return class_bounds(all, top, last.size, last.alpha, method_);
}

// The bounds at the last look if the class then has the share of its upper confidence bound, and
// the others that of their lower ones.
Bounds Stopping::likely_case(size_t look, const std::vector<int64_t>& counts, size_t top) const {
  const Look &here = looks_[look], &last = looks_.back();
  const int64_t remaining = last.size - here.size;
  std::vector<int64_t> likely(counts.size());
  for (size_t c = 0; c < counts.size(); ++c) {
    if (c == top) {
      const double share = clopper_pearson_upper(counts[c], here.size, here.alpha);
      likely[c] =
          std::min(counts[c] + remaining, static_cast<int64_t>(std::ceil(share * last.size)));
    } else {
      const double share = clopper_pearson_lower(counts[c], here.size, here.alpha);
      likely[c] = std::max(counts[c], static_cast<int64_t>(share * last.size));
    }
  }
  return class_bounds(likely, top, last.size, last.alpha, method_);
}

}  // namespace textcrs
