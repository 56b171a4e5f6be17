#include "blackbox/chat.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "text/json.h"
#include "text/json_value.h"
#include "textcrs/base/error.h"

namespace textcrs {

using nlohmann::ordered_json;

std::string completions_url(std::string url) {
  size_t end = std::min(url.find_first_of("?#"), url.size());
  while (end > 0 && url[end - 1] == '/') url.erase(--end, 1);
  return url.insert(end, "/chat/completions");
}

std::string checked_parameters(std::string_view parameters, const std::string& name) {
  ordered_json json;
  try {
    json = parse_json<ordered_json>(parameters, name);
  } catch (const Error& error) {
    throw usage_error(error.what());
  }
  if (!json.is_object())
    throw usage_error(
        fmt::format("{}: expected a JSON object, such as {{\"temperature\": 0}}", name));
  for (const char* const member : {"model", "messages", "stream", "n"})
    if (json.contains(member))
      throw usage_error(fmt::format("{}: found \"{}\", which is not for you to set", name, member));
  return json.dump();
}

std::string chat_request(const ChatModel& model, const std::string& content) {
  ordered_json message = {{"role", "user"}, {"content", content}};
  ordered_json request = {{"model", model.name},
                          {"messages", ordered_json::array({std::move(message)})}};
  request.update(parse_json<ordered_json>(model.parameters, "the parameters"));
  try {
    return request.dump();
  } catch (const ordered_json::type_error&) {
    throw bad_input("a question to a chat endpoint: found bytes that are not UTF-8, expected text");
  }
}

std::string chat_content(std::string_view body) {
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

void check_place(std::string_view prompt, std::string_view place, const std::string& name) {
  const size_t first = prompt.find(place);
  if (first == prompt.npos)
    throw usage_error(fmt::format("{}: found no {}, expected it once", name, place));
  if (prompt.find(place, first + 1) != prompt.npos)
    throw usage_error(fmt::format("{}: found {} more than once, expected it once", name, place));
}

std::string fill_prompt(std::string_view prompt, const PromptTexts& texts) {
  std::string filled;
  while (!prompt.empty()) {
    const std::pair<std::string_view, std::string_view>* next = nullptr;
    size_t place = prompt.size();
    for (const auto& one : texts)
      if (const size_t at = prompt.find(one.first); at < place) {
        place = at;
        next = &one;
      }
    filled += prompt.substr(0, place);
    prompt.remove_prefix(place);
    if (next == nullptr) break;
    filled += next->second;
    prompt.remove_prefix(next->first.size());
  }
  return filled;
}

}  // namespace textcrs
