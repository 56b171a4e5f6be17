#include "attack/judge_prompt.h"

#include <algorithm>
#include <vector>

#include "blackbox/chat.h"
#include "blackbox/fingerprint_of.h"
#include "text/sentence_characters.h"

namespace textcrs {
namespace {

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
  for (const std::string_view place : {kOriginal, kEdited})
    check_place(prompt, place, "the judge's prompt");
}

std::string fill_judge_prompt(std::string_view prompt, std::string_view original,
                              std::string_view edited) {
  return fill_prompt(prompt, {{kOriginal, original}, {kEdited, edited}});
}

std::string judge_request(const JudgeOptions& options, std::string_view original,
                          std::string_view edited) {
  return chat_request({options.model, options.parameters},
                      fill_judge_prompt(options.prompt, original, edited));
}

std::string judge_key(std::string_view url, const JudgeOptions& options, std::string_view original,
                      std::string_view edited) {
  return digest_of({url, options.model, options.prompt, original, edited, options.parameters});
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
