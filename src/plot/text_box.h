// Texts in figures: how much room they take, and how gnuplot is told them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace textcrs::plot {

// About the width in a sans-serif face of kLetter points, rather too much than too little.
double text_width(std::string_view text);

// Lines no wider than `room` where there are places to break: behind spaces, but for those beside
// an equals sign, commas, slashes and colons, or else anywhere.
std::vector<std::string> wrapped(std::string_view text, double room);

// A string of gnuplot that stands for just this text, in one line.
std::string gnuplot_string(std::string_view text);
// The same where gnuplot takes '%' for a format: the labels of ticks.
std::string gnuplot_tick(std::string_view text);

}  // namespace textcrs::plot
