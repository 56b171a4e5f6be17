// What programs, endpoints and language models answer. The first byte chooses: 0 a line of a
// program, 1 a chat completion, 2 what a language model said, 3 a file of kept answers.
#include <nlohmann/json.hpp>
#include <optional>

#include "blackbox/answers.h"
#include "blackbox/chat.h"
#include "blackbox/chat_label.h"
#include "blackbox/kept_answers.h"
#include "fuzz.h"

namespace {

using namespace textcrs;

const ClassNames kClasses = {"negative", "positive", "1", "true", "spam", "spam and ham"};

void check_class(int which) {
  fuzz::require(which >= 0 && static_cast<size_t>(which) < kClasses.size(), "a class is one");
}

void check_line(std::string_view line) {
  constexpr uint64_t kId = 7;
  const auto which = fuzz::accepted([&] { return class_of_line(line, kId, kClasses); });
  if (!which) return;
  check_class(*which);
  const std::string& name = kClasses[static_cast<size_t>(*which)];
  const nlohmann::json answer = {{"id", kId}, {"label", name}};
  fuzz::require(class_of_line(name, kId, kClasses) == *which &&
                    class_of_line(answer.dump(), kId, kClasses) == *which,
                "a class's name is its answer");
}

void check_said(std::string_view said) {
  const std::optional<int> which = class_said(said, kClasses);
  if (!which) return;
  check_class(*which);
  fuzz::require(class_said(kClasses[static_cast<size_t>(*which)], kClasses) == which,
                "a class's name says it");
}

void check_completion(std::string_view body) {
  const auto content = fuzz::accepted([&] { return chat_content(body); });
  if (!content) return;
  check_said(*content);
  const nlohmann::json again = {{"choices", {{{"message", {{"content", *content}}}}}}};
  fuzz::require(chat_content(again.dump()) == *content, "what was said is read back");
}

void check_kept(std::string_view file) {
  const auto path = fuzz::file_with(file, "answers.jsonl");
  const std::string key = "0123456789abcdef0123456789abcdef";
  const auto first = fuzz::accepted([&] {
    KeptAnswers kept(path);
    return kept.add(key, "Yes.\n");
  });
  if (!first) return;
  const KeptAnswers again(path);
  fuzz::require(again.find(key) != nullptr && *again.find(key) == *first,
                "an answer is kept, and the first one stays");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::Choice input(fuzz::text_of(data, size), 4);
  switch (input.which) {
    case 0:
      check_line(input.rest);
      break;
    case 1:
      check_completion(input.rest);
      break;
    case 2:
      check_said(input.rest);
      break;
    default:
      check_kept(input.rest);
  }
  return 0;
}
