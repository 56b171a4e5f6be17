#include "blackbox/chat_label.h"

#include <algorithm>

#include "text/sentence_characters.h"

namespace textcrs {
namespace {

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

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool starts_with(std::string_view text, std::string_view name) {
  return text.size() >= name.size() &&
         std::equal(name.begin(), name.end(), text.begin(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

// The text from its first letter or digit on; all of it if it has none.
std::string_view without_marks(std::string_view text) {
  for (const Character& character : read_characters(text))
    if (is_of_word(character)) return text.substr(character.begin);
  return text;
}

// Whether a word goes on at the start of the text: "ham" of "hamlet", "e" of "e-mail".
bool goes_on(std::string_view text) {
  const std::vector<Character> characters = read_characters(text);
  const auto joins = [&](size_t i) {
    return characters[i].kind == CharacterKind::kDash ||
           characters[i].kind == CharacterKind::kApostrophe || characters[i].code == '/';
  };
  size_t at = 0;
  while (at < characters.size() && characters[at].begin == characters[at].end) ++at;  // the start
  if (at == characters.size()) return false;
  if (is_of_word(characters[at])) return true;
  return joins(at) && at + 1 < characters.size() && is_of_word(characters[at + 1]);
}

}  // namespace

std::optional<int> class_said(std::string_view answer, const std::vector<std::string>& classes) {
  std::optional<int> best;
  size_t longest = 0;
  for (size_t c = 0; c < classes.size(); ++c) {
    const std::string& name = classes[c];
    for (const std::string_view text : {without_marks(answer), answer}) {
      if (name.size() <= longest || !starts_with(text, name) || goes_on(text.substr(name.size())))
        continue;
      best = static_cast<int>(c);
      longest = name.size();
    }
  }
  return best;
}

}  // namespace textcrs
