#include "suite/toml_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/base/nearest_name.h"
#include "textcrs/base/spec.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostBytes = size_t{64} << 10;
// Of a line: a dotted key is as deep as it has dots, and what is deep is destroyed by recursion.
// Those in quotes count, too: what is quoted only a parser knows.
constexpr std::ptrdiff_t kMostDots = 32;

void check_depth(const fs::path& file, std::string_view content) {
  int number = 1;
  for (size_t at = 0; at < content.size(); ++number) {
    const size_t end = std::min(content.find('\n', at), content.size());
    const std::string_view line = content.substr(at, end - at);
    if (const auto dots = std::count(line.begin(), line.end(), '.'); dots > kMostDots)
      throw bad_input(
          fmt::format("{}:{}: found {} dots in a line, expected at most {}; break a long list",
                      file.string(), number, dots, kMostDots));
    at = end + 1;
  }
}

// The entries in the order of the file.
std::vector<std::pair<std::string, const toml::node*>> in_order(const toml::table& table) {
  std::vector<std::pair<std::string, const toml::node*>> entries;
  for (const auto& [key, node] : table) entries.emplace_back(std::string(key.str()), &node);
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return a.second->source().begin < b.second->source().begin;
  });
  return entries;
}

// A flag's value as it stands on a command line; none for what is no value.
std::optional<std::string> value_of(const toml::node& node) {
  if (const auto text = node.value_exact<std::string>()) return text;
  if (const auto whole = node.value_exact<int64_t>()) return std::to_string(*whole);
  if (const auto number = node.value_exact<double>()) return shortest(*number);
  return std::nullopt;
}

std::string type_in_words(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "a list";
    case toml::node_type::string:
      return "a text";
    case toml::node_type::integer:
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "true or false";
    default:
      return "a date or time";
  }
}

}  // namespace

int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

toml::table parse_toml(const fs::path& file) {
  std::error_code problem;
  if (!fs::is_regular_file(file, problem))
    throw bad_input(fmt::format("{}: there is no such file", file.string()));
  const auto refuse_size = [&](size_t size) {
    throw bad_input(
        fmt::format("{}: found {} bytes, expected at most {}", file.string(), size, kMostBytes));
  };
  if (const auto size = fs::file_size(file, problem); !problem && size > kMostBytes)
    refuse_size(size);
  const std::string content = read_file(file);
  if (content.size() > kMostBytes) refuse_size(content.size());  // it grew
  check_depth(file, content);
  try {
    return toml::parse(content);
  } catch (const toml::parse_error& error) {
    throw bad_input(
        fmt::format("{}:{}: {}", file.string(), error.source().begin.line, error.description()));
  }
}

TomlTable::TomlTable(const toml::table& table, fs::path file, std::string what)
    : table_(table), file_(std::move(file)), what_(std::move(what)) {}

int TomlTable::line() const { return line_of(table_); }

void TomlTable::fail(int line, const std::string& problem) const {
  throw bad_input(fmt::format("{}:{}: {}", file_.string(), line, problem));
}

void TomlTable::wrong_type(const std::string& key, const toml::node& node,
                           const std::string& expected) const {
  fail(line_of(node), fmt::format("{}: found {} for '{}', expected {}", what_, type_in_words(node),
                                  key, expected));
}

const toml::node* TomlTable::find(const std::string& key) {
  known_.insert(key);
  return table_.get(key);
}

std::string TomlTable::text(const std::string& key, const std::string& fallback) {
  const toml::node* const node = find(key);
  if (node == nullptr) return fallback;
  const auto text = node->value_exact<std::string>();
  if (!text) wrong_type(key, *node, "a text");
  return *text;
}

std::string TomlTable::required_text(const std::string& key) {
  const std::string value = text(key);
  if (value.empty()) fail(line(), fmt::format("{}: found no '{}'", what_, key));
  return value;
}

std::optional<uint64_t> TomlTable::whole(const std::string& key) {
  const toml::node* const node = find(key);
  if (node == nullptr) return std::nullopt;
  const auto number = node->value_exact<int64_t>();
  if (!number || *number < 0) wrong_type(key, *node, "a whole number");
  return static_cast<uint64_t>(*number);
}

std::optional<double> TomlTable::number(const std::string& key) {
  const toml::node* const node = find(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_number()) wrong_type(key, *node, "a number");
  return node->value<double>();
}

bool TomlTable::flag(const std::string& key, bool fallback) {
  const toml::node* const node = find(key);
  if (node == nullptr) return fallback;
  const auto value = node->value_exact<bool>();
  if (!value) wrong_type(key, *node, "true or false");
  return *value;
}

std::vector<std::string> TomlTable::texts(const std::string& key) {
  const toml::node* const node = find(key);
  if (node == nullptr) return {};
  if (const auto one = node->value_exact<std::string>()) return {*one};
  const toml::array* const list = node->as_array();
  if (list == nullptr) wrong_type(key, *node, "a list of texts");
  std::vector<std::string> values;
  for (const toml::node& entry : *list) {
    const auto text = entry.value_exact<std::string>();
    if (!text) wrong_type(key, entry, "a list of texts");
    values.push_back(*text);
  }
  return values;
}

std::vector<double> TomlTable::numbers(const std::string& key) {
  const toml::node* const node = find(key);
  if (node == nullptr) return {};
  const toml::array* const list = node->as_array();
  if (list == nullptr) wrong_type(key, *node, "a list of numbers");
  std::vector<double> values;
  for (const toml::node& entry : *list) {
    if (!entry.is_number()) wrong_type(key, entry, "a list of numbers");
    values.push_back(*entry.value<double>());
  }
  return values;
}

const toml::array* TomlTable::list(const std::string& key) {
  const toml::node* const node = find(key);
  if (node == nullptr) return nullptr;
  if (node->as_array() == nullptr) wrong_type(key, *node, "a list");
  return node->as_array();
}

std::optional<TomlTable> TomlTable::table(const std::string& key) {
  const toml::node* const node = find(key);
  if (node == nullptr) return std::nullopt;
  const std::string what = fmt::format("[{}]", key);
  if (node->as_table() == nullptr) wrong_type(key, *node, what);
  return TomlTable(*node->as_table(), file_, what);
}

std::vector<TomlTable> TomlTable::tables(const std::string& key) {
  const toml::node* const node = find(key);
  if (node == nullptr) return {};
  const std::string what = fmt::format("[[{}]]", key);
  const toml::array* const list = node->as_array();
  if (list == nullptr) wrong_type(key, *node, what);
  std::vector<TomlTable> tables;
  for (const toml::node& entry : *list) {
    const toml::table* const table = entry.as_table();
    if (table == nullptr) wrong_type(key, entry, what);
    tables.emplace_back(*table, file_, what);
  }
  return tables;
}

std::vector<SuiteLevel> TomlTable::levels(const std::string& key) {
  const toml::node* const node = find(key);
  if (node == nullptr) return {};
  const toml::table* const table = node->as_table();
  if (table == nullptr) wrong_type(key, *node, "a table of noises: { low = \"..\", .. }");
  std::vector<SuiteLevel> levels;
  for (const auto& [name, entry] : in_order(*table)) {
    const auto noise = entry->value_exact<std::string>();
    if (!noise) wrong_type(name, *entry, "a noise");
    levels.push_back({name, *noise, line_of(*entry)});
  }
  return levels;
}

SuiteFlags TomlTable::flags(const std::string& key) {
  const toml::node* const node = find(key);
  if (node == nullptr) return {};
  const toml::table* const table = node->as_table();
  if (table == nullptr) wrong_type(key, *node, "a table of flags");
  SuiteFlags flags;
  for (const auto& [name, entry] : in_order(*table)) {
    SuiteFlag flag{name, {}, line_of(*entry)};
    if (const toml::array* const list = entry->as_array()) {
      for (const toml::node& one : *list) {
        const auto value = value_of(one);
        if (!value) wrong_type(name, one, "texts or numbers");
        flag.values.push_back(*value);
      }
      if (flag.values.empty()) wrong_type(name, *entry, "at least one value");
    } else if (const auto on = entry->value_exact<bool>()) {
      if (!*on) flag.values = {"false"};
    } else if (const auto value = value_of(*entry)) {
      flag.values = {*value};
    } else {
      wrong_type(name, *entry, "a text, a number, true, false or a list");
    }
    flags.push_back(std::move(flag));
  }
  return flags;
}

FlagsByVerb TomlTable::flags_by_verb() {
  FlagsByVerb by_verb;
  for (const char* verb : {"train", "pretrain", "evaluate", "certify", "attack", "judge"})
    if (SuiteFlags found = flags(verb); !found.empty()) by_verb[verb] = std::move(found);
  return by_verb;
}

void TomlTable::expect_no_more() const {
  for (const auto& [key, node] : in_order(table_))
    if (!known_.contains(key))
      fail(line_of(*node), fmt::format("{}: found the key '{}', which it does not have{}", what_,
                                       key, did_you_mean(key, {known_.begin(), known_.end()})));
}

}  // namespace textcrs
