// Which steps tables, figures and the report are made of.
#pragma once

#include <string>
#include <vector>

#include "textcrs/suite/manifest.h"
#include "textcrs/suite/suite_file.h"

namespace textcrs {

// Those that are done: of the suite as it is now, and of earlier plans (other data, other parts)
// the steps whose names it does not have.
std::vector<SuiteStep> done_steps(const SuiteManifest& manifest);

// Whether all lists of a selection that are not empty have the step's tag. Without a list of
// variants only steps that are none, or, with `variants`, all.
bool is_shown(const SuiteStep& step, const SuiteSelection& show, bool variants);

// Adds a part to what a step is called: "BiLSTM", then "BiLSTM, deletion". A part that begins with
// all that is there, as "votes, trained for 1 edit" of the model "votes", says it already.
void add_part(std::string& words, const std::string& part);

}  // namespace textcrs
