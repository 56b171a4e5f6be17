// What the builders of figures ask of their runs.
#pragma once

#include <string>
#include <vector>

#include "textcrs/plot/run_figures.h"

namespace textcrs::plot {

// A usage Error for no run, for names that are missing or used twice, and for different texts
// unless `anyway`.
void check_runs(const std::vector<NamedRun>& runs, bool anyway);

// The title that was asked for; else "100 texts of imdb (test), N = 2000, alpha = 0.001": what all
// runs have in common.
std::string title_of(const std::vector<NamedRun>& runs, const RunFigureOptions& options);

std::string noise_kind(const RunFolder& run);  // "insert" of insert:sigma=0.1

// "substitution", .., "edits of any kind"
std::string operation_words(Operation operation);
// "words substituted", .., "words edited in any way": what a radius in words counts.
std::string words_edited(Operation operation);

}  // namespace textcrs::plot
