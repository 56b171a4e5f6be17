// What a file of texts is, by its name and its content.
#pragma once

#include <string>

#include "data/source_file.h"

namespace textcrs {

// The name of a registered format; the rules are in docs/formats.md.
std::string sniff_format(const SourceFile& source);

}  // namespace textcrs
