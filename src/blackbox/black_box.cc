#include "textcrs/blackbox/black_box.h"

#include <fmt/format.h>

#include <set>

#include "text/utf8.h"
#include "textcrs/base/error.h"

namespace textcrs {

void check_classes(const std::vector<std::string>& classes) {
  if (classes.size() < 2)
    throw usage_error(
        fmt::format("the classes of the black box: found {}, expected the names of at least two",
                    classes.empty() ? "none" : in_quotes(classes[0]) + " alone"));
  std::set<std::string_view> seen;
  for (const std::string& name : classes) {
    if (name.empty()) throw usage_error("the classes of the black box: found one without a name");
    if (const auto bad = find_bad_byte(name))
      throw usage_error(fmt::format("the classes of the black box: {}", bad->complaint));
    if (!seen.insert(name).second)
      throw usage_error(
          fmt::format("the classes of the black box: found {} twice", in_quotes(name)));
  }
}

}  // namespace textcrs
