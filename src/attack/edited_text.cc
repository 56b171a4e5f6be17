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

std::vector<std::string> words_after(const WordEdit& edit, const std::vector<std::string>& words) {
  check_place(edit, words.size());
  std::vector<std::string> after = words;
  switch (edit.kind) {
    case WordEdit::Kind::kReplace:
      after[edit.place] = edit.word;
      break;
    case WordEdit::Kind::kInsert:
      insert_at(after, edit.place, edit.word);
      break;
    case WordEdit::Kind::kDelete:
      erase_at(after, edit.place);
      break;
    case WordEdit::Kind::kSwap:
      std::swap(after[edit.place], after[edit.other]);
      break;
  }
  return after;
}

EditedText applied(const WordEdit& edit, const EditedText& text) {
  EditedText after;
  after.words = words_after(edit, text.words);
  after.origins = text.origins;
  after.edited = text.edited;
  after.edits = text.edits + 1;
  after.original_size = text.original_size;
  switch (edit.kind) {
    case WordEdit::Kind::kReplace:
      after.edited[edit.place] = true;
      break;
    case WordEdit::Kind::kInsert:
      insert_at(after.origins, edit.place, std::optional<size_t>());
      insert_at(after.edited, edit.place, true);
      break;
    case WordEdit::Kind::kDelete:
      erase_at(after.origins, edit.place);
      erase_at(after.edited, edit.place);
      break;
    case WordEdit::Kind::kSwap:
      std::swap(after.origins[edit.place], after.origins[edit.other]);
      after.edited[edit.place] = after.edited[edit.other] = true;
      ++after.edits;
      break;
  }
  return after;
}

}  // namespace textcrs
