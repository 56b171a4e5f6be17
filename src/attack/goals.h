// What an attack is after.
#pragma once

#include <memory>

#include "textcrs/attack/attack.h"

namespace textcrs {

// Any other answer than the label; near is a large share of the other classes.
std::unique_ptr<const Goal> make_flip_goal();

}  // namespace textcrs
