// What a model reads as one: what its certificates count.
#pragma once

#include <string_view>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

enum class Units {
  kWords,      // the network reads the whole text
  kSentences,  // it reads one sentence (textcrs/text/sentences.h); the votes of a text's sentences
               // are added up (docs/certificates.md, B12)
};

std::string_view to_string(Units units);   // "words", "sentences"
Units parse_units(std::string_view name);  // a usage Error that names the known ones

}  // namespace textcrs
