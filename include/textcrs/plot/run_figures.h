// Charts of certification runs. Certified accuracy is a share of the labelled texts, or, where no
// text has a label, of all texts that are answered; its intervals are those of Clopper and Pearson
// at 95 % for the texts as a sample.
//
// Every function wants named runs (run_labels.h). A usage Error for no run, for names that are used
// twice, for runs of different texts unless `anyway`, and where there is nothing to show: nothing
// is certified.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/plot/chart.h"
#include "textcrs/report/comparison.h"

namespace TEXTCRS_API textcrs {
namespace plot {

struct RunFigureOptions {
  std::optional<std::string> title = {};   // none: the data; empty: no title
  std::vector<Operation> operations = {};  // empty: those that the runs have
  std::vector<double> radii = {};          // samples, toolkit: above 0; empty: chosen by the runs
  bool anyway = false;                     // runs may be about different texts
};

// Certified accuracy against the radius: a panel per operation and unit of the radius, a curve per
// run that states one. What is proved is solid, with a band; what the paper's formula says is
// dashed, and not drawn again where it is the same curve.
Chart radius_chart(const std::vector<NamedRun>& runs, const RunFigureOptions& options = {});

// All methods in one plot: what each proves against one threat (report/threat.h), counted in words.
// The threat is the one of `operations`, at most one; none: edits of any kind. Runs that prove
// nothing against it are left out, and a usage Error says why if all are.
Chart edits_chart(const std::vector<NamedRun>& runs, const RunFigureOptions& options = {});

// Certified accuracy over (words inserted, words deleted) at once, a heat map per run, from the
// frontiers of the records; of runs without any from the radius in edits of any kind. A
// substitution is both, an insertion and a deletion.
Chart frontier_chart(const std::vector<NamedRun>& runs, const RunFigureOptions& options = {});

// The impact of N: accuracy and certified accuracy at some radii against the samples per text, of
// runs that differ in them; a panel per group of runs that differ in nothing else.
Chart samples_chart(const std::vector<NamedRun>& runs, const RunFigureOptions& options = {});

// The ablation of the training toolkit: accuracy and certified accuracy at some l2 radii per
// variant, a run's name, and level of the noise. Here runs may share a name if their noise differs.
Chart toolkit_chart(const std::vector<NamedRun>& runs, const RunFigureOptions& options = {});

// Seconds per text and passes per second against the length of the text: medians of texts of
// similar length, with their quartiles. Here runs may be about different texts.
Chart speed_chart(const std::vector<NamedRun>& runs, const RunFigureOptions& options = {});

}  // namespace plot
}  // namespace textcrs
