#include "blackbox/answers.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/json.h"
#include "text/json_value.h"
#include "text/utf8.h"
#include "textcrs/base/error.h"
#include "textcrs/text/printable_name.h"

namespace textcrs {
namespace {

using nlohmann::ordered_json;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const size_t first = text.find_first_not_of(kBlanks);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

int best(const std::vector<double>& scores) {
  return static_cast<int>(std::max_element(scores.begin(), scores.end()) - scores.begin());
}

int class_of_object(const ordered_json& json, uint64_t id, const ClassNames& classes) {
  const JsonValue answer(json, "");
  if (const auto given = answer.find("id"); given && given->json() != ordered_json(id))
    throw bad_input(fmt::format(
        "found the answer to the text {}, expected that to {}: answers come in the order of the "
        "texts, one for each",
        given->json().dump(), id));
  if (const auto label = answer.find("label")) return class_of_label(label->json(), classes);
  if (const auto scores = answer.find("scores")) return class_of_scores(scores->json(), classes);
  throw bad_input("found an object without 'label' and 'scores', expected one of them");
}

}  // namespace

int class_named(std::string_view label, const ClassNames& classes) {
  const auto found = std::find(classes.begin(), classes.end(), label);
  if (found == classes.end())
    throw bad_input(fmt::format("found the label {}, expected one of: {}", in_quotes(label),
                                printable_names(classes)));
  return static_cast<int>(found - classes.begin());
}

int class_of_label(const ordered_json& label, const ClassNames& classes) {
  if (label.is_string()) return class_named(label.get<std::string>(), classes);
  if (label.is_number() || label.is_boolean()) return class_named(label.dump(), classes);
  throw bad_input(fmt::format("found {} for a label, expected a name", shown(label)));
}

int class_of_scores(const ordered_json& json, const ClassNames& classes) {
  const JsonValue scores(json, "scores");
  std::vector<double> numbers;
  if (json.is_object()) {
    for (const std::string& name : classes) {
      const auto one = scores.find(name);
      if (!one)
        throw bad_input(
            fmt::format("found no score of {}, expected one of every class", in_quotes(name)));
      numbers.push_back(one->number());
    }
    for (const auto& [name, value] : scores.members()) class_named(name, classes);
  } else {
    for (const JsonValue value : scores.list()) numbers.push_back(value.number());
    if (numbers.size() != classes.size())
      throw bad_input(fmt::format("found {} scores, expected one of each of {} classes",
                                  numbers.size(), classes.size()));
  }
  return best(numbers);
}

int class_of_line(std::string_view line, uint64_t id, const ClassNames& classes) {
  if (const auto bad = find_bad_byte(line)) throw bad_input(bad->complaint);
  const std::string_view answer = trimmed(line);
  if (answer.empty()) throw bad_input("found an empty line, expected a label or scores");
  const char first = answer.front();
  if (first != '{' && first != '[' && first != '"') return class_named(answer, classes);
  const auto json = parse_json<ordered_json>(answer, "");
  if (json.is_object()) return class_of_object(json, id, classes);
  return json.is_array() ? class_of_scores(json, classes) : class_of_label(json, classes);
}

}  // namespace textcrs
