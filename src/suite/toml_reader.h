// Tables of TOML whose keys are asked for one by one; what nobody asked for is an error.
#pragma once

// Of lists and tables within each other. With the bound on dots in a line (parse_toml) it bounds
// how deep a file gets, and so the stack that is used to take it apart.
#define TOML_MAX_NESTED_VALUES 8
#include <toml++/toml.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "textcrs/suite/suite_file.h"

namespace textcrs {

// A bad_input Error "FILE:LINE: .." for a file that is not there, has more than 64 KiB, a line with
// more than 32 dots (each may be a level of tables) or more than TOML_MAX_NESTED_VALUES levels of
// values, or is no TOML.
toml::table parse_toml(const std::filesystem::path& file);

class TomlTable {
 public:
  // `what` names it in messages: "[[method]]".
  TomlTable(const toml::table& table, std::filesystem::path file, std::string what);

  int line() const;
  bool has(const std::string& key) const { return table_.contains(key); }
  std::string text(const std::string& key, const std::string& fallback = "");
  std::string required_text(const std::string& key);
  std::optional<uint64_t> whole(const std::string& key);
  std::optional<double> number(const std::string& key);
  bool flag(const std::string& key, bool fallback);
  std::vector<std::string> texts(const std::string& key);  // a text stands for a list of one
  std::vector<double> numbers(const std::string& key);
  const toml::array* list(const std::string& key);         // of anything; nullptr if there is none
  std::optional<TomlTable> table(const std::string& key);  // [key]
  std::vector<TomlTable> tables(const std::string& key);   // [[key]]
  std::vector<SuiteLevel> levels(const std::string& key);
  SuiteFlags flags(const std::string& key);
  FlagsByVerb flags_by_verb();  // of all verbs that a suite runs

  // After all that is known was asked for: a bad_input Error for the first other key.
  void expect_no_more() const;

  [[noreturn]] void fail(int line, const std::string& problem) const;

 private:
  const toml::node* find(const std::string& key);
  [[noreturn]] void wrong_type(const std::string& key, const toml::node& node,
                               const std::string& expected) const;

  const toml::table& table_;
  std::filesystem::path file_;
  std::string what_;
  std::set<std::string> known_;
};

int line_of(const toml::node& node);

}  // namespace textcrs
