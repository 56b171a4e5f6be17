#pragma once

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// A lower bound of the top class's probability and an upper bound of every other class's.
struct Bounds {
  double pa = 0;
  double pb = 1;

  friend bool operator==(const Bounds&, const Bounds&) = default;
};

}  // namespace textcrs
