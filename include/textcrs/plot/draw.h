// Charts as SVG, PDF and PNG, drawn by gnuplot (5.4 or later), which is run as a program.
//
// A figure has a white ground. Labels may hold anything: nothing in them is markup, and control
// characters are shown as \xNN. The same chart gives the same SVG, byte by byte, from the same
// gnuplot. Where several SVGs stand in one HTML file, each is an <img> of its own: their ids are
// the same.
#pragma once

#include <filesystem>
#include <string>

#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"
#include "textcrs/plot/chart.h"

namespace TEXTCRS_API textcrs {
namespace plot {

enum class ImageFormat { kSvg, kPdf, kPng };

// By the extension: .svg, .pdf, .png; a usage Error for any other.
ImageFormat format_of(const std::filesystem::path& file);

// A program for gnuplot, complete with the data, that writes the file `output`. A std::logic_error
// for a chart that chart.h does not allow.
std::string gnuplot_script(const Chart& chart, ImageFormat format, const std::string& output);

// The bytes of the image file. A failed Error that names the package where gnuplot is not
// installed, and where it fails; an interrupted one when `stop` asks for it.
std::string draw(const Chart& chart, ImageFormat format, StopToken stop = {});

// draw() into a file, atomically. With `keep_script` the program of gnuplot is put beside it as
// FILE.gp, for who wants to restyle it: `gnuplot FILE.gp` in that folder makes the image again.
void write_figure(const Chart& chart, const std::filesystem::path& file, bool keep_script = false,
                  StopToken stop = {});

}  // namespace plot
}  // namespace textcrs
