// How help pages are set.
#pragma once

#include <memory>

namespace CLI {
class FormatterBase;
}

namespace textcrs::cli {

// "--threads N    All cores if 0 (0 to 4096; default: 0)", cut into lines of 100 columns.
std::shared_ptr<CLI::FormatterBase> help_format();

}  // namespace textcrs::cli
