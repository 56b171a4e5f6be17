// Whether two classifiers that answered the same texts differ by more than chance.
#pragma once

#include <cstddef>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// McNemar's test, exact and two-sided, from the texts that only one of the two got right: the
// probability that as many fair coins fall at least as unevenly. 1 without such texts.
double mcnemar_exact(size_t only_first, size_t only_second);

}  // namespace textcrs
