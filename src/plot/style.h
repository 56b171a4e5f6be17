// The one style of all figures: colours of Okabe and Ito, which the colour-blind tell apart, and a
// marker of its own for each, filled where a curve is proved and open where it is not.
#pragma once

#include <array>
#include <cstddef>

#include "textcrs/plot/chart.h"

namespace textcrs::plot {

struct Look {
  const char* colour;
  int marker, open_marker;  // gnuplot's point types
  int pattern;              // its fill pattern of bars
};

constexpr int kSolid = 3;
constexpr std::array<Look, kStyles> kLooks = {{{"#0072b2", 7, 6, kSolid},
                                               {"#d55e00", 5, 4, 4},
                                               {"#009e73", 9, 8, 2},
                                               {"#cc79a7", 13, 12, 5},
                                               {"#000000", 11, 10, 0},
                                               {"#e69f00", 1, 1, 6},
                                               {"#56b4e9", 2, 2, 1},
                                               {"#777777", 15, 14, 7}}};

// Crosses have no ground that could be filled: they are larger.
inline double size_of(int marker) { return marker <= 2 ? 1.0 : 0.7; }

inline const Look& look_of(const Series& series) { return kLooks[series.style % kStyles]; }

// Points of 1/72 inch.
constexpr double kLetter = 9;       // the size of all letters
constexpr double kLine = 12;        // from a line of text to the next
constexpr double kMarkerReach = 3;  // half a marker's width

constexpr const char* kGrid = "#dddddd";
constexpr const char* kInk = "#222222";

}  // namespace textcrs::plot
