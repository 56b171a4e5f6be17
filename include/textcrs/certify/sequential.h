// Stopping early without spending more than alpha: docs/certificates.md, C.
//
// The bounds are computed at looks whose sizes are fixed before the first sample; each look has its
// own share of alpha. The data decide only at which look to stop.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/certify/confidence.h"

namespace TEXTCRS_API textcrs {

// When to stop before all samples are drawn; by default never. The rule watches one guarantee: the
// operation named, else the edit where the certificate is about it, else the first that is not
// reordering (often free), else reordering.
struct StopRule {
  // Stop once the radius is reached or out of reach. 0: once anything at all is certified.
  std::optional<double> at_radius;
  // Stop once more samples would not raise the radius by a step: any step of a radius that counts
  // words or displacements, 1 % of a continuous one.
  bool automatic = false;
  std::optional<Operation> operation;

  bool stops() const { return at_radius.has_value() || automatic; }
};

enum class StopReason {
  kAllDrawn,     // all N samples were drawn
  kReached,      // the radius asked for is certified
  kSettled,      // certified, and more samples would not raise the radius
  kUnreachable,  // not even if all remaining samples voted for the class
  kUnlikely,     // not even if the class had its upper confidence bound as probability
};
std::string_view to_string(StopReason reason);  // all_drawn, reached, settled, ...
std::string_view in_words(StopReason reason);   // "the radius is certified", ...

struct Look {
  uint32_t size = 0;  // estimation samples drawn so far
  double alpha = 0;   // its share; the shares add up to at most alpha
};

// Sizes grow by 4/3 and 3/2 in turn up to `samples`. The looks but the last end where the sample
// index is a multiple of kSampleTile; `first` is the index of the first estimation sample. Half of
// alpha goes to the last look, the other half to the others alike.
std::vector<Look> plan_looks(uint32_t first, uint32_t samples, double alpha);

// The operation a rule watches. Throws a usage Error if the certificate is not about `asked`.
Operation watched_operation(const Certificate& certificate, std::optional<Operation> asked);

// Decides for one text. `text` was made by `certificate` and must outlive it. Throws as
// watched_operation() does.
class Stopping {
 public:
  Stopping(const StopRule& rule, const Certificate& certificate, const TextCertificate& text,
           BoundsMethod method, std::vector<Look> looks);

  // Whether to stop at a look that is not the last, given the votes so far, the class they are
  // about and the bounds so far. kUnlikely and kSettled are judged at the look's alpha; a wrong
  // judgement costs radius, never soundness.
  std::optional<StopReason> decide(size_t look, const std::vector<int64_t>& counts, size_t top,
                                   Bounds bounds) const;

 private:
  double radius(Bounds bounds) const;  // -1 if nothing is certified
  bool worthwhile(double best, double now) const;
  Bounds best_case(size_t look, const std::vector<int64_t>& counts, size_t top) const;
  Bounds likely_case(size_t look, const std::vector<int64_t>& counts, size_t top) const;

  StopRule rule_;
  const TextCertificate& text_;
  BoundsMethod method_;
  std::vector<Look> looks_;
  Operation operation_;
};

}  // namespace textcrs
