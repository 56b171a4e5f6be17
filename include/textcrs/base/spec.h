// Spec strings: `name:key=value,key=value`, the way every registered thing is named on the command
// line, in config files and in results. Parsing and printing round-trip.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace textcrs {

class Spec {
 public:
  // Throws a usage Error on a malformed string ("delete:p", "delete:p=1,p=2", "").
  static Spec parse(std::string_view text);

  const std::string& name() const { return name_; }
  bool has(std::string_view key) const;

  // The value of a key, checked; a missing key without a fallback, a malformed number or a number
  // outside [low, high] is a usage Error that names the whole spec string.
  double number(std::string_view key, double low, double high) const;
  double number_or(std::string_view key, double fallback, double low, double high) const;
  int integer(std::string_view key, int low, int high) const;
  int integer_or(std::string_view key, int fallback, int low, int high) const;
  std::string choice_or(std::string_view key, std::string_view fallback,
                        const std::vector<std::string>& choices) const;

  // Throws a usage Error if the spec holds a key that is not in `known`.
  void allow_only(const std::vector<std::string>& known) const;

 private:
  [[noreturn]] void fail(const std::string& why) const;

  std::string text_;
  std::string name_;
  std::map<std::string, std::string, std::less<>> values_;
};

// The shortest decimal form that reads back as the same double: 0.3, 1e-05, 16.
std::string shortest(double value);

}  // namespace textcrs
