// What a request to a chat endpoint has beside its model and message, unless its user says
// otherwise.
#pragma once

namespace textcrs {

inline constexpr const char* kChatParameters = R"({"temperature": 0, "max_tokens": 16})";

}  // namespace textcrs
