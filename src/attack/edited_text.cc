#include "textcrs/attack/edited_text.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace textcrs {
namespace {

void check_place(const WordEdit& edit, size_t words) {
  const bool inserts = edit.kind == WordEdit::Kind::kInsert;
  const bool swaps = edit.kind == WordEdit::Kind::kSwap;
  if (edit.place > words || (!inserts && edit.place == words) || (swaps && edit.other >= words))
    throw std::logic_error("WordEdit: the text has no such place");
}

template <typename List, typename Value>
void insert_at(List& list, size_t place, Value value) {
  list.insert(list.begin() + static_cast<ptrdiff_t>(place), std::move(value));
}

template <typename List>
void erase_at(List& list, size_t place) {
  list.erase(list.begin() + static_cast<ptrdiff_t>(place));
}

}  // namespace

EditedText::EditedText(std::vector<std::string> original)
    : words(std::move(original)),
      origins(words.size()),
      edited(words.size(), false),
      original_size(words.size()) {
  for (size_t i = 0; i < words.size(); ++i) origins[i] = i;
}

std::optional<size_t> EditedText::place_of(size_t origin) const {
  const auto found = std::find(origins.begin(), origins.end(), origin);
  if (found == origins.end()) return std::nullopt;
  return static_cast<size_t>(found - origins.begin());
}

std::vector<std::string> words_after(const WordEdit& edit, std::vector<std::string> words) {
  check_place(edit, words.size());
  switch (edit.kind) {
    case WordEdit::Kind::kReplace:
      words[edit.place] = edit.word;
      break;
    case WordEdit::Kind::kInsert:
      insert_at(words, edit.place, edit.word);
      break;
    case WordEdit::Kind::kDelete:
      erase_at(words, edit.place);
      break;
    case WordEdit::Kind::kSwap:
      std::swap(words[edit.place], words[edit.other]);
      break;
  }
  return words;
}

EditedText applied(const WordEdit& edit, EditedText text) {
  text.words = words_after(edit, std::move(text.words));
  ++text.edits;
  switch (edit.kind) {
    case WordEdit::Kind::kReplace:
      text.edited[edit.place] = true;
      break;
    case WordEdit::Kind::kInsert:
      insert_at(text.origins, edit.place, std::optional<size_t>());
      insert_at(text.edited, edit.place, true);
      break;
    case WordEdit::Kind::kDelete:
      erase_at(text.origins, edit.place);
      erase_at(text.edited, edit.place);
      break;
    case WordEdit::Kind::kSwap:
      std::swap(text.origins[edit.place], text.origins[edit.other]);
      text.edited[edit.place] = text.edited[edit.other] = true;
      ++text.edits;
      break;
  }
  return text;
}

}  // namespace textcrs
