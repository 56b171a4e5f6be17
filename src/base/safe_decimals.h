// Numbers for people, rounded to the side that does not claim too much.
#pragma once

#include <string>

namespace textcrs {

// At most (or at least) the finite value, with up to `digits` significant digits.
std::string rounded_down(double value, int digits);
std::string rounded_up(double value, int digits);

// 100 (1 - alpha) rounded down to at least 6 decimals, so never 100: "99.9", "99.9999999". Alpha is
// taken as the decimal number that it was written as. Requires 0 < alpha < 1.
std::string confidence_percent(double alpha);

}  // namespace textcrs
