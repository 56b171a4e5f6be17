#include "attack/goals.h"

#include <algorithm>

namespace textcrs {
namespace {

class FlipGoal final : public Goal {
 public:
  double nearness(std::span<const double> shares, int label) const override {
    // Added up, or an answer that is all but certain would be as near as any other: 1 - 1e-20 is 1.
    double others = 0;
    for (size_t c = 0; c < shares.size(); ++c)
      if (static_cast<int>(c) != label) others += shares[c];
    return others;
  }
  bool reached(std::span<const double> shares, int label) const override {
    return std::max_element(shares.begin(), shares.end()) - shares.begin() != label;
  }
};

}  // namespace

std::unique_ptr<const Goal> make_flip_goal() { return std::make_unique<FlipGoal>(); }

}  // namespace textcrs
