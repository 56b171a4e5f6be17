#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// Edits of a text that change its answer, one more than are certified: the radius is the true one.
struct Witness {
  std::string answer;  // the class it becomes
  // Words that go, with their places from 0, ascending; words that come, in the place of lost ones
  // as long as there are such, then behind the text.
  std::vector<std::pair<size_t, std::string>> lost;
  std::vector<std::string> gained;

  // The edited text.
  std::vector<std::string> applied_to(const std::vector<std::string>& words) const;

  bool operator==(const Witness&) const = default;
};

}  // namespace textcrs
