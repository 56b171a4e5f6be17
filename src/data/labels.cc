#include "data/labels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "data/ascii_case.h"
#include "text/text_file.h"
#include "text/utf8.h"

namespace textcrs {
namespace {

template <typename Number>
std::optional<Number> parse(std::string_view text) {
  Number number;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::vector<std::string> sorted_classes(const std::set<std::string, std::less<>>& distinct) {
  std::vector<std::string> classes(distinct.begin(), distinct.end());
  const bool numbers = std::all_of(classes.begin(), classes.end(), [](const std::string& name) {
    const auto number = parse<double>(name);
    return number && *number == *number;
  });
  if (numbers)
    std::stable_sort(classes.begin(), classes.end(), [](const auto& a, const auto& b) {
      return *parse<double>(a) < *parse<double>(b);
    });
  return classes;
}

std::vector<std::string> distinct_labels(const std::vector<WrittenLabel>& labels,
                                         const LabelSource& source) {
  std::set<std::string, std::less<>> distinct;
  for (const auto& [value, line] : labels) {
    distinct.emplace(trim(value));
    if (distinct.size() > kMostClasses)
      throw bad_line(source.path, line,
                     fmt::format("found more than {} distinct labels in {}, expected classes",
                                 kMostClasses, source.where));
  }
  return sorted_classes(distinct);
}

}  // namespace

void assign_labels(Dataset& dataset, const std::vector<WrittenLabel>& labels,
                   const LabelSource& source) {
  for (const auto& [value, line] : labels)
    if (is_blank(value))
      throw bad_line(source.path, line,
                     fmt::format("found an empty label, expected {}",
                                 source.classes.empty()
                                     ? std::string("a class")
                                     : fmt::format("one of {}", fmt::join(source.classes, ", "))));
  const bool given = !source.classes.empty();
  dataset.classes = given ? source.classes : distinct_labels(labels, source);
  std::map<std::string, int, std::less<>> number_of;
  for (size_t i = 0; i < dataset.classes.size(); ++i)
    number_of.emplace(given ? lower_ascii(dataset.classes[i]) : dataset.classes[i],
                      static_cast<int>(i));
  bool by_number = false;
  for (size_t i = 0; i < labels.size(); ++i) {
    const std::string_view value = trim(labels[i].value);
    const auto found = number_of.find(given ? lower_ascii(value) : std::string(value));
    if (found != number_of.end()) {
      dataset.examples[i].label = found->second;
      continue;
    }
    const auto number = parse<int>(value);
    if (!number || *number < 0 || *number >= static_cast<int>(dataset.classes.size()))
      throw bad_line(source.path, labels[i].line,
                     fmt::format("found the label {}, expected one of {} or a number from 0 to {}",
                                 in_quotes(value), fmt::join(dataset.classes, ", "),
                                 dataset.classes.size() - 1));
    dataset.examples[i].label = *number;
    by_number = true;
  }
  if (by_number) dataset.description += "; labels are numbers of classes, from 0";
}

void adopt_classes(Dataset& dataset, const std::filesystem::path& path,
                   const std::vector<std::string>& classes) {
  if (classes.empty()) return;
  std::vector<int> number;
  for (const std::string& name : dataset.classes) {
    const auto found = std::find_if(classes.begin(), classes.end(), [&](const auto& other) {
      return lower_ascii(other) == lower_ascii(name);
    });
    if (found == classes.end())
      throw bad_input(fmt::format("{}: found the classes {}, expected them among {}", path.string(),
                                  fmt::join(dataset.classes, ", "), fmt::join(classes, ", ")));
    number.push_back(static_cast<int>(found - classes.begin()));
  }
  for (Example& example : dataset.examples)
    example.label = number.at(static_cast<size_t>(example.label));
  dataset.classes = classes;
}

}  // namespace textcrs
