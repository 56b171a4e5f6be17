// An HTTP endpoint as a black box: one that labels lists of texts, or a language model behind an
// OpenAI-compatible chat endpoint that is asked about one text at a time (docs/black-box.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/blackbox/black_box.h"
#include "textcrs/blackbox/chat_parameters.h"
#include "textcrs/http/client.h"

namespace TEXTCRS_API textcrs {

struct ChatOptions {
  std::string model;  // its name there; empty: the endpoint is none for chats
  // With {text} once where the text goes, and {classes} for their names, separated by commas;
  // empty: default_chat_prompt().
  std::string prompt;
  // What a request has beside its model and message: a JSON object.
  std::string parameters = kChatParameters;
  // The class of an answer that names none; empty: such an answer is asked for again, and a failed
  // Error in the end.
  std::string unclear;
};

struct EndpointOptions {
  std::string url;  // of a chat: "http://localhost:8080/v1", /chat/completions is appended
  std::string key;  // may be empty; is never written anywhere
  std::vector<std::string> classes;
  std::string version;      // what its user calls this state of it; may be empty
  size_t batch = 64;        // texts of a request; of a chat it is 1
  int at_once = 1;          // requests at a time
  int64_t budget = 10'000;  // requests in all, repeated ones included
  std::string kept;         // where answers are kept, for the message when it is spent
  HttpOptions http;
  ChatOptions chat;
};

std::string_view default_chat_prompt();

// POST {"texts": ["..", ..]} is answered with {"labels": [..]} or {"scores": [..]}, one for each
// text: names of classes, and lists of scores or objects of them by name. A chat is asked with the
// prompt. Throws as HttpClient does, and a usage Error for classes that are none, a prompt without
// its place and numbers out of range; a failed Error if the budget is spent, and for an answer that
// is none after all attempts.
std::unique_ptr<BlackBox> make_endpoint_box(const EndpointOptions& options);

}  // namespace textcrs
