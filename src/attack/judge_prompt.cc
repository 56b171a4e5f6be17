#include "attack/judge_prompt.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "text/json.h"
#include "text/json_value.h"
#include "text/sentence_characters.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kOriginal = "{original}", kEdited = "{edited}";

bool is_of_word(const Character& character) {
  switch (character.kind) {
    case CharacterKind::kLower:
    case CharacterKind::kUpper:
    case CharacterKind::kLetter:
    case CharacterKind::kDigit:
      return true;
    default:
      return false;
  }
}

bool is_space(const Character& character) {
  return character.kind == CharacterKind::kSpace || character.kind == CharacterKind::kBreak;
}

}  // namespace

void check_judge_prompt(std::string_view prompt) {
  for (const std::string_view place : {kOriginal, kEdited}) {
    const size_t first = prompt.find(place);
    if (first == prompt.npos)
      throw usage_error(fmt::format("the judge's prompt: found no {}, expected it once", place));
    if (prompt.find(place, first + 1) != prompt.npos)
      throw usage_error(
          fmt::format("the judge's prompt: found {} more than once, expected it once", place));
  }
}

std::string fill_judge_prompt(std::string_view prompt, std::string_view original,
                              std::string_view edited) {
  std::string filled;
  while (!prompt.empty()) {
    const size_t to_original = prompt.find(kOriginal), to_edited = prompt.find(kEdited);
    const size_t place = std::min({to_original, to_edited, prompt.size()});
    filled += prompt.substr(0, place);
    prompt.remove_prefix(place);
    if (prompt.empty()) break;
    filled += to_original < to_edited ? original : edited;
    prompt.remove_prefix((to_original < to_edited ? kOriginal : kEdited).size());
  }
  return filled;
}

std::string judge_request(const JudgeOptions& options, std::string_view original,
                          std::string_view edited) {
  ordered_json message = {{"role", "user"},
                          {"content", fill_judge_prompt(options.prompt, original, edited)}};
  const ordered_json request = {{"model", options.model},
                                {"messages", ordered_json::array({std::move(message)})},
                                {"temperature", options.temperature},
                                {"max_tokens", options.most_tokens}};
  try {
    return request.dump();
  } catch (const ordered_json::type_error&) {
    throw bad_input("a question to the judge: found bytes that are not UTF-8, expected text");
  }
}

std::string judge_content(std::string_view body) {
  const std::string name = "the answer";
  const auto json = parse_json<ordered_json>(body, name);
  const JsonValue answer(json, name);
  const std::optional<JsonValue> error = answer.find("error");
  if (error && !error->json().is_null())
    throw bad_input(
        fmt::format("{}: found the error {}, expected choices", name, error->json().dump()));
  const std::vector<JsonValue> choices = answer.at("choices").list();
  if (choices.empty()) throw bad_input(fmt::format("{}: found no choice, expected one", name));
  return choices[0].at("message").at("content").text();
}

Verdict parse_verdict(std::string_view answer) {
  const std::vector<Character> characters = read_characters(answer);
  const auto begin = std::find_if(characters.begin(), characters.end(), is_of_word);
  auto end = std::find_if(begin, characters.end(), is_space);
  while (end != begin && !is_of_word(end[-1])) --end;
  std::string word;
  for (auto at = begin; at != end; ++at) {
    if (at->code > 0x7f) return Verdict::kUnclear;
    const char c = static_cast<char>(at->code);
    word += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return word == "yes" ? Verdict::kSame : word == "no" ? Verdict::kDifferent : Verdict::kUnclear;
}

}  // namespace textcrs
