// A column that was asked for, or taken for granted, is not in the file.
#pragma once

#include <string>

#include "textcrs/base/api.h"
#include "textcrs/base/error.h"

namespace TEXTCRS_API textcrs {

// A bad_input Error. Its message names the file, the line, the columns there are and the nearest of
// them; a caller that has names of its own for the options of ReadOptions can add these.
class MissingColumn : public Error {
 public:
  enum class Role { kText, kLabel, kId };

  MissingColumn(Role role, bool may_lack_header, const std::string& message)
      : Error(ErrorKind::kBadInput, message), role_(role), may_lack_header_(may_lack_header) {}

  Role role() const { return role_; }
  // The first row was taken for the names of the columns, but may be a text.
  bool may_lack_header() const { return may_lack_header_; }

 private:
  Role role_;
  bool may_lack_header_;
};

}  // namespace textcrs
