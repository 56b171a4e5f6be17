// Every kind of figure becomes a whole image in every format. With TEXTCRS_FIGURES=FOLDER they are
// left there, to be looked at.
#include <gtest/gtest.h>

#include <cstdlib>

#include "plot/example_charts.h"
#include "plot/gnuplot.h"
#include "text/temporary_folder.h"
#include "textcrs/base/files.h"
#include "textcrs/plot/draw.h"

namespace textcrs::plot {
namespace {

namespace fs = std::filesystem;

using EveryFigure = WithGnuplot;

TEST_F(EveryFigure, IsDrawnInEveryFormat) {
  const TemporaryFolder temporary;
  const char* const asked = std::getenv("TEXTCRS_FIGURES");
  const fs::path folder = asked != nullptr ? fs::path(asked) : temporary.path();
  for (const ExampleChart& example : Examples().all()) {
    SCOPED_TRACE(example.name);
    for (const auto& [extension, begin, end] :
         {std::tuple(".svg", "<?xml", "</svg>"), std::tuple(".pdf", "%PDF-", "%%EOF"),
          std::tuple(".png", "\x89PNG\r\n\x1a\n", "IEND\xae\x42\x60\x82")}) {
      const fs::path file = folder / (example.name + extension);
      write_figure(example.chart, file);
      std::string bytes = read_file(file);
      EXPECT_TRUE(bytes.starts_with(begin)) << extension;
      while (bytes.ends_with('\n')) bytes.pop_back();
      EXPECT_TRUE(bytes.ends_with(end)) << extension;
      EXPECT_GT(bytes.size(), 2000u) << extension;
    }
  }
}

}  // namespace
}  // namespace textcrs::plot
