#include "noise/deletion_rates.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace textcrs {
namespace {

constexpr int kLongestText = 1'000'000'000;  // longer ones are in its bin

}  // namespace

DeletionRates::DeletionRates(const AdaptParameters& parameters) {
  for (double first = 1; first < kLongestText;) {
    const auto grown = static_cast<int64_t>(first * parameters.growth);
    const double next = static_cast<double>(std::max(static_cast<int64_t>(first) + 1, grown));
    const double middle = (first + next - 1) / 2;
    const double p = std::clamp(1 - parameters.keep / middle, parameters.least, parameters.most);
    if (bins_.empty() || bins_.back().p != p)
      bins_.push_back({bins_.empty() ? 0 : static_cast<int>(first), p});
    first = next;
  }
}

size_t DeletionRates::bin_of(int words) const {
  const auto after =
      std::upper_bound(bins_.begin() + 1, bins_.end(), words,
                       [](int length, const Bin& bin) { return length < bin.first; });
  return static_cast<size_t>(after - bins_.begin()) - 1;
}

int DeletionRates::last_of(size_t bin) const {
  return bin + 1 < bins_.size() ? bins_[bin + 1].first - 1 : std::numeric_limits<int>::max();
}

}  // namespace textcrs
