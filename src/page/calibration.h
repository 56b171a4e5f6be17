// How the votes that texts got, by their proved lower bound pA, go with being right.
#pragma once

#include <vector>

#include "textcrs/report/record.h"

namespace textcrs {

struct CalibrationBin {
  double from = 0, to = 0;  // pA in [from, to); the last also has pA = 1
  size_t texts = 0, right = 0;
  double mean_pa = 0;  // of the texts
};

constexpr size_t kCalibrationBins = 10;

// Of the labelled texts, an abstention by its guess; bins without a text are left out.
std::vector<CalibrationBin> calibration_of(const std::vector<Record>& records);

}  // namespace textcrs
