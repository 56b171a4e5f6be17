// Figures that show certified accuracy at a few radii: which ones, and what they are called.
#pragma once

#include <string>
#include <vector>

#include "textcrs/plot/run_figures.h"

namespace textcrs::plot {

// The one that was asked for; else edits of any kind, or the first that all runs speak of. A usage
// Error where several were asked for or the runs prove nothing about it.
Operation operation_shown(const std::vector<NamedRun>& runs, const RunFigureOptions& options);

// Per text what the run proves about the operation, -1 where nothing.
std::vector<double> sound_radii(const RunFolder& run, Operation operation);

// Those that were asked for; else round ones, three at most, that the runs reach.
std::vector<double> radii_shown(const std::vector<NamedRun>& runs, Operation operation,
                                const RunFigureOptions& options);

// "2 words deleted", "l2 change 0.1"
std::string radius_in_words(double radius, Operation operation, const RunFolder& run);

}  // namespace textcrs::plot
