#pragma once

#include "textcrs/certify/bounds.h"

namespace textcrs {

// A usage Error unless 0 <= pb <= pa <= 1 (not NaN).
void check_bounds(Bounds bounds);

}  // namespace textcrs
