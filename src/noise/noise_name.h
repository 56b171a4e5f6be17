#pragma once

#include "textcrs/base/spec.h"

namespace textcrs {

// A usage Error that names the known noises, and the nearest one, unless the spec names one of
// them.
void check_noise_name(const Spec& spec);

}  // namespace textcrs
