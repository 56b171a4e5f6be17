// What a run comes to, in sentences.
#pragma once

#include <string>
#include <vector>

#include "page/run_view.h"

namespace textcrs {

std::string thousands(uint64_t number);   // "10,000"
std::string percent(double share);        // "81.5 %", rounded down
std::string shown_radius(double radius);  // "3", "0.25", "any", "nothing" (below 0)

// "any one edit", "up to 5 words deleted", "words moved by up to 8 places in all"
std::string edits_up_to(const StepCurve& curve, double radius);

// What a radius of the operation counts: "edits", "words deleted", "places moved in all".
std::string counted_in(Operation operation, const std::string& unit);

// What was run: texts, model, noise, samples.
std::string how_it_was_run(const RunView& view);

// What came out, a sentence each, the most important first.
std::vector<std::string> findings(const RunView& view);

// What a reader must know: caveats, warnings, a run that goes on.
std::vector<std::string> remarks(const RunView& view);

}  // namespace textcrs
