// What a training run is, so that none is resumed as another one.
#pragma once

#include <string>

#include "train/hold_out.h"

namespace textcrs {

// Everything that decides the weights, in one line: the model as the run begins with it, the texts
// and the options.
std::string describe_run(const Classifier& classifier, const Split& split,
                         const TrainOptions& options);

}  // namespace textcrs
