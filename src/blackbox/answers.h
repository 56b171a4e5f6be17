// Answers of black boxes, read as classes. Every function throws a bad_input Error "found ..,
// expected .." for what is none.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace textcrs {

using ClassNames = std::vector<std::string>;

// The class of this name.
int class_named(std::string_view label, const ClassNames& classes);

// A label: a string, or a number or truth value that is a class's name as JSON writes it.
int class_of_label(const nlohmann::ordered_json& label, const ClassNames& classes);

// The class with the highest score, of equals the first one: numbers in the order of the classes,
// or by name, every class once.
int class_of_scores(const nlohmann::ordered_json& scores, const ClassNames& classes);

// One line of a program's answers, without its end: a label as it is, or in JSON a label, a list
// of scores, or an object with "label" or "scores" and perhaps the "id" of the text, which must be
// `id`. Other members are not read. Blanks around a label are not part of it.
int class_of_line(std::string_view line, uint64_t id, const ClassNames& classes);

}  // namespace textcrs
