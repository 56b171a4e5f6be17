// The program of gnuplot that draws a chart.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plot/layout.h"
#include "plot/panel_script.h"
#include "plot/style.h"
#include "plot/text_box.h"
#include "textcrs/plot/draw.h"

namespace textcrs::plot {
namespace {

constexpr double kPerInch = 72;
constexpr double kSvgPixels = 96, kPngPixels = 240;  // per inch

// Lengths and letters are the same in print, whatever the terminal's units are.
std::string terminal(const Layout& layout, ImageFormat format) {
  const double width = layout.width / kPerInch, height = layout.height / kPerInch;
  switch (format) {
    case ImageFormat::kSvg:
      return fmt::format(
          "svg size {:.0f},{:.0f} noenhanced font 'sans,{:g}' linewidth 1 background '#ffffff'",
          width * kSvgPixels, height * kSvgPixels, kLetter * kSvgPixels / kPerInch);
    case ImageFormat::kPdf:
      return fmt::format(
          "pdfcairo size {:.3f}in,{:.3f}in noenhanced font 'sans,{:g}' fontscale 0.75 linewidth "
          "1.5 pointscale 1 background '#ffffff'",
          width, height, kLetter);
    case ImageFormat::kPng:
      return fmt::format(
          "pngcairo size {:.0f},{:.0f} noenhanced font 'sans,{:g}' fontscale {:g} linewidth {:g} "
          "pointscale {:g} background '#ffffff'",
          width * kPngPixels, height * kPngPixels, kLetter, kPngPixels / kSvgPixels,
          kPngPixels / kSvgPixels, kPngPixels / kSvgPixels);
  }
  return "";
}

}  // namespace

std::string gnuplot_script(const Chart& chart, ImageFormat format, const std::string& output) {
  const Layout layout = lay_out(chart);
  std::string script = fmt::format(
      "# gnuplot 5.4\n"
      "set encoding utf8\n"
      "set terminal {}\n"
      "set output {}\n",
      terminal(layout, format), gnuplot_string(output));
  for (size_t i = 0; i < chart.panels.size(); ++i) script += panel_data(chart.panels[i], i);
  script += fmt::format(
      "set multiplot\n"
      "unset key\n"
      "unset colorbox\n"
      "set border 3 lc rgb '{}' lw 0.75\n"
      "set grid back lt 1 lw 0.5 lc rgb '{}'\n"
      "set tics nomirror scale 0.4 textcolor rgb '{}'\n"
      "set palette defined (0 '#ffffff', 25 '#c6dbef', 50 '#6baed6', 75 '#2171b5', 100 "
      "'#08306b')\n",
      kInk, kGrid, kInk);
  double y = layout.height - kLine / 2 - 3;
  std::string title;
  for (size_t i = 0; i < layout.title.size(); ++i, y -= kLine)
    title += fmt::format("set label {} at screen 0.5,{:.5f} center front\n",
                         gnuplot_string(layout.title[i]), y / layout.height);
  for (size_t i = 0; i < chart.panels.size(); ++i) {
    script += i == 0 ? title : "";
    script += panel_script(chart.panels[i], layout.panels[i], layout, i);
  }
  return script + "unset multiplot\nset output\n";
}

}  // namespace textcrs::plot
