#include "data/column_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "data/ascii_case.h"
#include "text/text_file.h"
#include "text/utf8.h"
#include "textcrs/base/error.h"
#include "textcrs/base/nearest_name.h"

namespace textcrs {
namespace {

std::string in_words(const std::vector<std::string>& names) {
  constexpr size_t kNamed = 20;
  std::vector<std::string> quoted;
  for (size_t i = 0; i < std::min(names.size(), kNamed); ++i)
    quoted.push_back(in_quotes(trim(names[i])));
  return fmt::format("{}{}", fmt::join(quoted, ", "), names.size() > kNamed ? ", .." : "");
}

template <typename Same>
std::vector<size_t> places(const std::vector<std::string>& names, const Same& same) {
  std::vector<size_t> found;
  for (size_t i = 0; i < names.size(); ++i)
    if (same(trim(names[i]))) found.push_back(i);
  return found;
}

// The same name, or else those that differ in the case of ASCII letters only.
std::vector<size_t> places_of(std::string_view wanted, const std::vector<std::string>& names) {
  const auto same = places(names, [&](std::string_view name) { return name == wanted; });
  if (!same.empty()) return same;
  return places(names, [lower = lower_ascii(wanted)](std::string_view name) {
    return lower_ascii(name) == lower;
  });
}

}  // namespace

std::vector<std::string> text_column_names(const ReadOptions& options) {
  std::vector<std::string> names;
  const std::string_view all = options.text_column;
  for (size_t at = 0; at <= all.size();) {
    const size_t end = std::min(all.find('+', at), all.size());
    if (end == at)
      throw usage_error(
          fmt::format("text column \"{}\": found an empty name, expected names joined "
                      "by '+'",
                      all));
    names.emplace_back(all.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

bool text_is_asked_for(const ReadOptions& options) {
  return options.text_column != ReadOptions().text_column;
}

bool label_is_asked_for(const ReadOptions& options) {
  return !options.label_column.empty() && options.label_column != ReadOptions().label_column;
}

bool id_is_asked_for(const ReadOptions& options) {
  return !options.id_column.empty() && options.id_column != ReadOptions().id_column;
}

std::optional<size_t> find_column(const std::vector<std::string>& names,
                                  const WantedColumn& wanted) {
  const std::vector<size_t> found = places_of(wanted.name, names);
  if (found.size() > 1)
    throw bad_line(wanted.path, wanted.line,
                   fmt::format("found two {}s for {} ({} and {}), expected one", wanted.kind,
                               in_quotes(wanted.name), in_quotes(trim(names[found[0]])),
                               in_quotes(trim(names[found[1]]))));
  return found.empty() ? std::nullopt : std::optional(found[0]);
}

std::optional<size_t> find_unasked_column(const std::vector<std::string>& names,
                                          std::string_view name) {
  if (name.empty()) return std::nullopt;
  const std::vector<size_t> found = places_of(name, names);
  return found.size() == 1 ? std::optional(found[0]) : std::nullopt;
}

size_t require_column(const std::vector<std::string>& names, const WantedColumn& wanted) {
  if (const auto column = find_column(names, wanted)) return *column;
  throw missing_column(names, wanted);
}

MissingColumn missing_column(const std::vector<std::string>& names, const WantedColumn& wanted) {
  std::vector<std::string> trimmed;
  for (const std::string& name : names) trimmed.emplace_back(trim(name));
  return {wanted.role, wanted.may_lack_header,
          fmt::format("{}:{}: found the {}s {}, expected one named {}{}", wanted.path.string(),
                      wanted.line, wanted.kind, in_words(names), in_quotes(wanted.name),
                      did_you_mean(wanted.name, trimmed))};
}

std::optional<std::string> key_of(std::string cell) {
  if (cell.empty()) return std::nullopt;
  return cell;
}

std::optional<size_t> column_number(std::string_view name) {
  size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || number == 0) return std::nullopt;
  return number;
}

}  // namespace textcrs
