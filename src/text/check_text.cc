#include "textcrs/text/check_text.h"

#include <fmt/format.h>

#include "text/utf8.h"
#include "textcrs/base/error.h"

namespace textcrs {

void check_text(std::string_view text, std::string_view where) {
  if (const auto bad = find_bad_byte(text))
    throw bad_input(fmt::format("{}: {}", where, bad->complaint));
}

}  // namespace textcrs
