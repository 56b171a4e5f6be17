#include "textcrs/plot/draw.h"

#include <fmt/format.h>

#include <string_view>

#include "base/temporary.h"
#include "data/child_process.h"
#include "plot/svg_text.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"

namespace textcrs::plot {
namespace {

namespace fs = std::filesystem;

std::string run_gnuplot(const std::string& script, const std::string& image, StopToken stop) {
  const Temporary folder(fs::temp_directory_path() / "textcrs-figure", Temporary::Kind::kFolder);
  write_file_atomically(folder.path() / "figure.gp", script);
  // "-d": without the settings of who runs it.
  const ChildResult result =
      run_program({"gnuplot", "-d", "figure.gp"}, folder.path(), "/dev/null", stop);
  if (!result.found)
    throw failed(
        "gnuplot was not found on PATH, and it draws the figures; Debian's package is gnuplot-nox");
  if (!result.succeeded()) throw failed(describe_failure("gnuplot", result));
  std::string bytes;
  try {
    bytes = read_file(folder.path() / image);
  } catch (const Error&) {
    throw failed(
        fmt::format("gnuplot made no {}; the terminals svg, pdfcairo and pngcairo are in "
                    "Debian's package gnuplot-nox",
                    image));
  }
  return bytes;
}

std::string image_name(ImageFormat format) {
  switch (format) {
    case ImageFormat::kSvg:
      return "figure.svg";
    case ImageFormat::kPdf:
      return "figure.pdf";
    case ImageFormat::kPng:
      return "figure.png";
  }
  return "figure";
}

}  // namespace

ImageFormat format_of(const fs::path& file) {
  const std::string extension = file.extension().string();
  if (extension == ".svg") return ImageFormat::kSvg;
  if (extension == ".pdf") return ImageFormat::kPdf;
  if (extension == ".png") return ImageFormat::kPng;
  throw usage_error(
      fmt::format("{}: expected a name that ends in .svg, .pdf or .png: the format "
                  "of the figure",
                  file.string()));
}

std::string draw(const Chart& chart, ImageFormat format, StopToken stop) {
  const std::string image = image_name(format);
  std::string bytes = run_gnuplot(gnuplot_script(chart, format, image), image, stop);
  if (format != ImageFormat::kSvg) return bytes;
  return with_own_titles(std::move(bytes),
                         chart.title.empty() ? chart.panels.front().title : chart.title);
}

void write_figure(const Chart& chart, const fs::path& file, bool keep_script, StopToken stop) {
  const ImageFormat format = format_of(file);
  write_file_atomically(file, draw(chart, format, stop));
  if (!keep_script) return;
  write_file_atomically(fs::path(file).replace_extension(".gp"),
                        gnuplot_script(chart, format, file.filename().string()));
}

}  // namespace textcrs::plot
