// The part of gnuplot's program that draws one panel.
#pragma once

#include <string>

#include "plot/layout.h"
#include "textcrs/plot/chart.h"

namespace textcrs::plot {

// Its data, in blocks that are named by the panel's number.
std::string panel_data(const Panel& panel, size_t number);

// Its axes, its legend and its curves; the state of gnuplot is afterwards what it was, but for what
// every panel sets.
std::string panel_script(const Panel& panel, const PanelLayout& place, const Layout& layout,
                         size_t number);

}  // namespace textcrs::plot
