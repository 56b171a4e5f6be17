#pragma once

#include <cstdint>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// Samples are drawn and run in tiles of so many, cut at multiples of it: engines whose last bits
// depend on a batch fix their batches by it, and the certifier looks at the votes only where a tile
// ends.
constexpr uint32_t kSampleTile = 128;

}  // namespace textcrs
