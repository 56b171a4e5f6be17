#pragma once

#include "textcrs/certify/bounds.h"

namespace textcrs {

// How far the mean of a Gaussian may move (docs/certificates.md, B5 and B14): sigma/2 (Phi^-1(pA) -
// Phi^-1(pB)) from below, strictly, so a change of just this size is certified too. kUnlimited for
// pA = 1 or pB = 0: then h is almost surely constant.
double gaussian_radius(double sigma, Bounds bounds);

}  // namespace textcrs
