#include "model/masked_rows.h"

#include <algorithm>

namespace textcrs {

std::vector<int32_t> pieces_that_are_words(const WordPiece& wordpiece) {
  std::vector<int32_t> list, pieces;
  for (int32_t id = 0; id < wordpiece.size(); ++id) {
    const std::vector<std::string> words = wordpiece.words(wordpiece.piece(id));
    if (words.size() != 1 || words[0] != wordpiece.piece(id)) continue;
    pieces.clear();
    wordpiece.append_pieces(words[0], pieces);
    if (pieces.size() == 1 && pieces[0] == id) list.push_back(id);
  }
  return list;
}

MaskedPieces rows_around(const std::vector<std::string>& words, size_t place,
                         const WordPiece& wordpiece, int longest) {
  const auto pieces_of = [&](size_t word) {
    std::vector<int32_t> pieces;
    wordpiece.append_pieces(words[word], pieces);
    return pieces;
  };
  std::vector<int32_t> left, right;  // `left` from its end
  size_t before = place, after = place, room = static_cast<size_t>(longest) - 3;
  while (before > 0 || after < words.size()) {
    const bool to_left = before > 0 && (after == words.size() || left.size() <= right.size());
    const std::vector<int32_t> pieces = pieces_of(to_left ? before - 1 : after);
    if (pieces.size() > room) {
      (to_left ? before : after) = to_left ? 0 : words.size();
      continue;
    }
    room -= pieces.size();
    if (to_left) {
      left.insert(left.end(), pieces.rbegin(), pieces.rend());
      --before;
    } else {
      right.insert(right.end(), pieces.begin(), pieces.end());
      ++after;
    }
  }
  MaskedPieces around;
  around.pieces.push_back(wordpiece.cls());
  around.pieces.insert(around.pieces.end(), left.rbegin(), left.rend());
  around.place = around.pieces.size();
  around.pieces.push_back(wordpiece.mask());
  around.pieces.insert(around.pieces.end(), right.begin(), right.end());
  around.pieces.push_back(wordpiece.sep());
  return around;
}

std::vector<WordGuess> best_guesses(std::span<const double> probabilities,
                                    std::vector<int32_t> guessable, const WordPiece& wordpiece,
                                    int count) {
  const auto of = [&](int32_t piece) { return probabilities[static_cast<size_t>(piece)]; };
  const auto end = guessable.begin() +
                   static_cast<ptrdiff_t>(std::min(guessable.size(), static_cast<size_t>(count)));
  std::partial_sort(guessable.begin(), end, guessable.end(),
                    [&](int32_t a, int32_t b) { return of(a) != of(b) ? of(a) > of(b) : a < b; });
  std::vector<WordGuess> guesses;
  for (auto piece = guessable.begin(); piece != end; ++piece)
    guesses.push_back({wordpiece.piece(*piece), of(*piece)});
  return guesses;
}

}  // namespace textcrs
