#include "attack/goals.h"

#include <algorithm>

namespace textcrs {
namespace {

class FlipGoal final : public Goal {
 public:
  double nearness(std::span<const double> shares, int label) const override {
    return 1 - shares[static_cast<size_t>(label)];
  }
  bool reached(std::span<const double> shares, int label) const override {
    return std::max_element(shares.begin(), shares.end()) - shares.begin() != label;
  }
};

}  // namespace

std::unique_ptr<const Goal> make_flip_goal() { return std::make_unique<FlipGoal>(); }

}  // namespace textcrs
