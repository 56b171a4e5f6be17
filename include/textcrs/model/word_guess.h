#pragma once

#include <string>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// A word that a masked language model proposes for a place.
struct WordGuess {
  std::string word;
  double probability;  // among all pieces, those that are no words included
};

}  // namespace textcrs
