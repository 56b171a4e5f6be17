#include "data/labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "data/ascii_case.h"
#include "text/text_file.h"
#include "text/utf8.h"
#include "textcrs/text/printable_name.h"

namespace textcrs {
namespace {

template <typename Number>
std::optional<Number> parse(std::string_view text) {
  Number number;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool all_numbers(const std::vector<std::string>& names) {
  return std::all_of(names.begin(), names.end(), [](const std::string& name) {
    const auto number = parse<double>(name);
    return number && *number == *number;
  });
}

std::vector<std::string> sorted_classes(const std::set<std::string, std::less<>>& distinct) {
  std::vector<std::string> classes(distinct.begin(), distinct.end());
  if (all_numbers(classes))
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

// Finds classes by name: the same one or else, if there is no other, the one that differs in the
// case of ASCII letters only.
class ClassNames {
 public:
  explicit ClassNames(const std::vector<std::string>& classes) : classes_(classes) {
    for (size_t i = 0; i < classes.size(); ++i) {
      same_.emplace(classes[i], i);
      alike_[lower_ascii(classes[i])].push_back(i);
    }
  }

  // Two classes that are alike are an error: what `fail` makes of the message.
  template <typename Fail>
  std::optional<int> find(std::string_view name, const Fail& fail) const {
    if (const auto same = same_.find(name); same != same_.end())
      return static_cast<int>(same->second);
    const auto alike = alike_.find(lower_ascii(name));
    if (alike == alike_.end()) return std::nullopt;
    const std::vector<size_t>& found = alike->second;
    if (found.size() > 1)
      throw fail(fmt::format("found two classes for {} ({} and {}), expected one", in_quotes(name),
                             in_quotes(classes_[found[0]]), in_quotes(classes_[found[1]])));
    return static_cast<int>(found[0]);
  }

 private:
  const std::vector<std::string>& classes_;
  std::map<std::string, size_t, std::less<>> same_;
  std::map<std::string, std::vector<size_t>, std::less<>> alike_;  // by names in lower case
};

// The classes by name, as far as they are names.
std::vector<std::optional<int>> named_classes(const std::vector<WrittenLabel>& labels,
                                              const std::vector<std::string>& classes,
                                              const LabelSource& source) {
  const ClassNames names(classes);
  std::vector<std::optional<int>> named;
  for (const WrittenLabel& label : labels)
    named.push_back(names.find(trim(label.value), [&](const std::string& found) {
      return bad_line(source.path, label.line, found);
    }));
  return named;
}

// The class that the label is the number of.
int numbered_class(const WrittenLabel& label, const std::vector<std::string>& classes,
                   const LabelSource& source) {
  const std::string_view value = trim(label.value);
  const auto number = parse<int>(value);
  if (number && *number >= 0 && *number < static_cast<int>(classes.size())) return *number;
  throw bad_line(source.path, label.line,
                 fmt::format("found the label {}, expected one of {} or a number from 0 to {}",
                             in_quotes(value), printable_names(classes), classes.size() - 1));
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
                                     : fmt::format("one of {}", printable_names(source.classes))));
  dataset.classes = source.classes.empty() ? distinct_labels(labels, source) : source.classes;
  const auto named = named_classes(labels, dataset.classes, source);
  const bool by_number = !labels.empty() && !all_numbers(dataset.classes) &&
                         std::none_of(named.begin(), named.end(),
                                      [](const auto& number) { return number.has_value(); });
  for (size_t i = 0; i < labels.size(); ++i) {
    if (!by_number && !named[i])
      throw bad_line(
          source.path, labels[i].line,
          fmt::format("found the label {}, expected one of {}", in_quotes(trim(labels[i].value)),
                      printable_names(dataset.classes)));
    dataset.examples[i].label =
        named[i] ? *named[i] : numbered_class(labels[i], dataset.classes, source);
  }
  if (by_number) dataset.description += "; labels are numbers of classes, from 0";
}

void adopt_classes(Dataset& dataset, const std::filesystem::path& path,
                   const std::vector<std::string>& classes) {
  if (classes.empty()) return;
  const ClassNames names(classes);
  std::vector<int> number;
  for (const std::string& name : dataset.classes) {
    const auto found = names.find(name, [&](const std::string& what) {
      return bad_input(fmt::format("{}: {}", path.string(), what));
    });
    if (!found)
      throw bad_input(fmt::format("{}: found the classes {}, expected them among {}", path.string(),
                                  printable_names(dataset.classes), printable_names(classes)));
    number.push_back(*found);
  }
  for (Example& example : dataset.examples)
    example.label = number.at(static_cast<size_t>(example.label));
  dataset.classes = classes;
}

}  // namespace textcrs
