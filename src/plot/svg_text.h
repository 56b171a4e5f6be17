// What an SVG of gnuplot's says of itself.
#pragma once

#include <string>

namespace textcrs::plot {

// With `title` as the document's title, which readers of screens read and browsers show, instead of
// gnuplot's name, and without the titles of its curves, "gnuplot_plot_1".
std::string with_own_titles(std::string svg, const std::string& title);

}  // namespace textcrs::plot
