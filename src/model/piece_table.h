// The pieces of every word, ready made.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/growing_array.h"
#include "textcrs/text/vocabulary.h"
#include "textcrs/text/wordpiece.h"

namespace textcrs {

// Pieces are looked up when a word is first asked for and kept. Thread-safe.
class PieceTable {
 public:
  PieceTable(Vocabulary vocabulary, std::shared_ptr<const WordPiece> wordpiece);
  ~PieceTable();
  PieceTable(const PieceTable&) = delete;
  PieceTable& operator=(const PieceTable&) = delete;

  const WordPiece& wordpiece() const { return *wordpiece_; }
  // Not empty. kPad is [PAD], kUnk [UNK], kMask [MASK]. std::out_of_range for an id that was never
  // given.
  std::span<const int32_t> of(WordId word) const;

 private:
  using Pieces = std::vector<int32_t>;

  Vocabulary vocabulary_;
  std::shared_ptr<const WordPiece> wordpiece_;
  GrowingArray<std::atomic<const Pieces*>> pieces_;  // owned
};

// Copies as sequences of pieces: [CLS], the pieces of the first `slots` words, [SEP]. Only whole
// words are taken, as many as fit into `positions` pieces.
struct PieceSequences {
  std::vector<int32_t> pieces;  // of all sequences, one after the other
  std::vector<int32_t> starts;  // (copies + 1)
  int longest = 0;
};
PieceSequences make_sequences(std::span<const std::vector<WordId>> copies, const PieceTable& table,
                              int slots, int positions);

}  // namespace textcrs
