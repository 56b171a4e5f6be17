// Spec strings: `name:key=value,key=value`, the way every registered thing is named on the command
// line, in config files and in results. A key may also stand alone as a flag (`reorder:full`).
// Parsing and printing round-trip.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

class Spec {
 public:
  // Throws a usage Error on a malformed string ("delete:p=", "delete:p=1,p=2", "delete:", "").
  static Spec parse(std::string_view text);

  const std::string& name() const { return name_; }
  bool has(std::string_view key) const;  // with a value or as a flag

  // Whether the key stands alone; a usage Error if it has a value. A flag where one of the
  // functions below wants a value ("delete:p") is a usage Error there.
  bool flag(std::string_view key) const;

  // The value of a key, checked; a missing key without a fallback, a malformed number or a number
  // outside [low, high] is a usage Error that names the whole spec string.
  double number(std::string_view key, double low, double high) const;
  double number_inside(std::string_view key, double low, double high) const;  // ends excluded
  double positive(std::string_view key) const;
  int integer(std::string_view key, int low, int high) const;
  int integer_or(std::string_view key, int fallback, int low, int high) const;
  std::string choice(std::string_view key, const std::vector<std::string>& choices) const;
  std::string choice_or(std::string_view key, std::string_view fallback,
                        const std::vector<std::string>& choices) const;

  std::string text_or(std::string_view key, std::string_view fallback) const;

  // Throws a usage Error if the spec holds a key that is not in `known`.
  void allow_only(const std::vector<std::string>& known) const;

  // Throws a usage Error that names the whole spec string.
  [[noreturn]] void fail(const std::string& why) const;

 private:
  const std::string& value(std::string_view key) const;  // fails for a missing key and for a flag

  std::string text_;
  std::string name_;
  std::map<std::string, std::string, std::less<>> values_;  // a flag's value is empty
};

// The shortest decimal form that reads back as the same double: 0.3, 1e-05, 16.
std::string shortest(double value);

}  // namespace textcrs
