#include "textcrs/certify/confidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

#include "textcrs/base/error.h"

namespace textcrs {
namespace {

// What the computed tail may be off by, relative: Boost.Math evaluates the incomplete beta function
// in extended precision; its error grows with the trials but stays far below this at 10^9.
constexpr double kTailError = 1e-9;

void check(int64_t successes, int64_t trials, double alpha) {
  if (trials < 1 || trials > 1'000'000'000)
    throw usage_error(fmt::format("{} trials, expected 1 to 10^9", trials));
  if (successes < 0 || successes > trials)
    throw usage_error(fmt::format("{} successes, expected 0 to {} trials", successes, trials));
  if (!(alpha > 0 && alpha < 1))
    throw usage_error(fmt::format("alpha is {}, expected strictly between 0 and 1", alpha));
}

// Moves `start` in steps that double, from a relative 2^-50 of `scale`, until safe(bound).
template <typename Safe>
double move_until(double start, double scale, double direction, const Safe& safe) {
  double bound = start;
  for (double step = 0x1p-50 * scale; bound > 0 && bound < 1 && !safe(bound); step *= 2)
    bound = start + direction * step;
  return std::clamp(bound, 0.0, 1.0);
}

}  // namespace

// The bound is the p at which P(Binomial(n, p) >= k) = I_p(k, n - k + 1) equals alpha. The quantile
// only proposes; the bound returned is one where this tail, raised by its error, is at most alpha.
// The tail rises with p, so for every true p below the bound a count of k or more has probability
// <= alpha.
double clopper_pearson_lower(int64_t successes, int64_t trials, double alpha) {
  check(successes, trials, alpha);
  if (successes == 0) return 0;
  const double a = static_cast<double>(successes), b = static_cast<double>(trials - successes + 1);
  const auto safe = [&](double p) {
    return boost::math::ibeta(a, b, p) * (1 + kTailError) <= alpha;
  };
  const double proposed = boost::math::ibeta_inv(a, b, alpha);
  return move_until(proposed, proposed, -1, safe);
}

// The mirror image: P(Binomial(n, p) <= k) = 1 - I_p(k + 1, n - k) is at most alpha from the bound
// on.
double clopper_pearson_upper(int64_t successes, int64_t trials, double alpha) {
  check(successes, trials, alpha);
  if (successes == trials) return 1;
  const double a = static_cast<double>(successes + 1), b = static_cast<double>(trials - successes);
  const auto safe = [&](double p) {
    return boost::math::ibetac(a, b, p) * (1 + kTailError) <= alpha;
  };
  const double proposed = boost::math::ibetac_inv(a, b, alpha);
  return move_until(proposed, proposed, 1, safe);
}

BoundsMethod parse_bounds_method(std::string_view name) {
  for (const BoundsMethod method :
       {BoundsMethod::kAuto, BoundsMethod::kComplement, BoundsMethod::kJoint})
    if (name == to_string(method)) return method;
  throw usage_error(fmt::format("bounds are '{}', expected auto, complement or joint", name));
}

std::string_view to_string(BoundsMethod method) {
  switch (method) {
    case BoundsMethod::kAuto:
      return "auto";
    case BoundsMethod::kComplement:
      return "complement";
    case BoundsMethod::kJoint:
      break;
  }
  return "joint";
}

BoundsMethod resolved(BoundsMethod method, size_t classes) {
  if (method != BoundsMethod::kAuto) return method;
  return classes > 2 ? BoundsMethod::kJoint : BoundsMethod::kComplement;
}

// The joint bound is a union bound over two events: pA misses with probability alpha / 2, and so
// does the upper bound of the true runner-up. The votes do not choose that class, and the largest
// of the upper bounds is at least its own. Where pA holds, no other class has more than 1 - pA.
Bounds class_bounds(std::span<const int64_t> counts, size_t top, int64_t trials, double alpha,
                    BoundsMethod method) {
  const bool joint = resolved(method, counts.size()) == BoundsMethod::kJoint;
  Bounds bounds;
  bounds.pa = clopper_pearson_lower(counts[top], trials, joint ? alpha / 2 : alpha);
  bounds.pb = 1 - bounds.pa;  // exact for pA >= 1/2; below, it is above pA and certifies nothing
  if (!joint || counts.size() < 2) return bounds;
  int64_t best = 0;  // the bound rises with the count
  for (size_t c = 0; c < counts.size(); ++c)
    if (c != top) best = std::max(best, counts[c]);
  bounds.pb = std::min(bounds.pb, clopper_pearson_upper(best, trials, alpha / 2));
  return bounds;
}

}  // namespace textcrs
