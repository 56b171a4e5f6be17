// What a judge posts.
#pragma once

#include <string>
#include <string_view>

#include "textcrs/attack/judge.h"

namespace textcrs {

// A usage Error unless both places are in the prompt, each once.
void check_judge_prompt(std::string_view prompt);

// The prompt with the texts in their places; what they hold themselves is left as it is.
std::string fill_judge_prompt(std::string_view prompt, std::string_view original,
                              std::string_view edited);

// The JSON of a chat completion's request; a bad_input Error for what is not UTF-8.
std::string judge_request(const JudgeOptions& options, std::string_view original,
                          std::string_view edited);

// What keeps an answer: of all that it depends on. `url` holds no password.
std::string judge_key(std::string_view url, const JudgeOptions& options, std::string_view original,
                      std::string_view edited);

}  // namespace textcrs
