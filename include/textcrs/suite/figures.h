// The figures of a suite, drawn of what is done.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"
#include "textcrs/plot/chart.h"
#include "textcrs/suite/manifest.h"
#include "textcrs/suite/suite_file.h"

namespace TEXTCRS_API textcrs {

struct MadeFigure {
  std::string name;  // of its files: "radius-deletion.bilstm"
  plot::Chart chart;
  std::vector<std::string> steps;  // names of those that it shows
};

struct UndrawnFigure {
  std::string name, reason;
  std::string panel;  // the title of the data set that is missing in it; "": all is
};

struct SuiteFigures {
  std::vector<MadeFigure> made;
  std::vector<UndrawnFigure> undrawn;  // nothing to show: no step is done, nothing is certified
};

// A figure of kind radius, samples, toolkit or attacks is one per model, with panels per data set;
// frontier and speed one per data set; edits one for all, with a panel per data set; distances and
// values one of their sources.
SuiteFigures make_figures(const Suite& suite, const SuiteManifest& manifest,
                          const std::filesystem::path& out, int threads, StopToken stop = {});

// Writes OUT/figures/NAME.svg, .pdf, .png and .gp (textcrs/plot/draw.h), and removes such files of
// figures that the suite does not have any more. `drawn` is told each name before it is drawn; may
// be empty.
void write_figures(const SuiteFigures& figures, const std::filesystem::path& out,
                   const std::function<void(const std::string&)>& drawn = {}, StopToken stop = {});

}  // namespace textcrs
