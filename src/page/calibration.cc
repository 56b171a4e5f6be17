#include "page/calibration.h"

#include <algorithm>

namespace textcrs {

std::vector<CalibrationBin> calibration_of(const std::vector<Record>& records) {
  constexpr auto kBins = static_cast<double>(kCalibrationBins);
  std::vector<CalibrationBin> bins(kCalibrationBins);
  for (size_t i = 0; i < kCalibrationBins; ++i) {
    bins[i].from = static_cast<double>(i) / kBins;
    bins[i].to = static_cast<double>(i + 1) / kBins;
  }
  for (const Record& record : records) {
    if (!record.label) continue;
    const double pa = std::clamp(record.certification.bounds.pa, 0.0, 1.0);
    const auto above = [&](const CalibrationBin& bin) { return pa < bin.to; };
    auto bin = std::find_if(bins.begin(), bins.end(), above);
    if (bin == bins.end()) --bin;
    ++bin->texts;
    bin->right += record.prediction == *record.label;
    bin->mean_pa += pa;
  }
  std::erase_if(bins, [](const CalibrationBin& bin) { return bin.texts == 0; });
  for (CalibrationBin& bin : bins) bin.mean_pa /= static_cast<double>(bin.texts);
  return bins;
}

}  // namespace textcrs
