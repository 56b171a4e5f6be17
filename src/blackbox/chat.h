// What is posted to an OpenAI-compatible chat endpoint, and what comes back. Every prompt is a
// template with places in braces.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// With /chat/completions at the end of the path, in front of a query.
std::string completions_url(std::string url);

// What a request holds beside its model and messages: the members of a JSON object, in one line. A
// usage Error that begins with `name` for what is none, and for members that the request has of its
// own or whose answer would be another one ("stream", "n").
std::string checked_parameters(std::string_view parameters, const std::string& name);

// The JSON of a request with one message, of the user; a bad_input Error for what is not UTF-8.
struct ChatModel {
  std::string name;
  std::string parameters;  // checked
};
std::string chat_request(const ChatModel& model, const std::string& content);

// The content of the first choice of a chat completion; a bad_input Error for anything else.
std::string chat_content(std::string_view body);

// A usage Error that begins with `name` unless the prompt has the place once.
void check_place(std::string_view prompt, std::string_view place, const std::string& name);

// The prompt with texts in their places ({"{text}", "a text"}); what they hold themselves is left
// as it is.
using PromptTexts = std::vector<std::pair<std::string_view, std::string_view>>;
std::string fill_prompt(std::string_view prompt, const PromptTexts& texts);

}  // namespace textcrs
