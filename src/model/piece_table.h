// The pieces of words, ready made.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/model/copy_batch.h"
#include "textcrs/text/vocabulary.h"
#include "textcrs/text/wordpiece.h"

namespace TEXTCRS_API textcrs {

// Pieces of the vocabulary's words are looked up when a word is first asked for and kept; those of
// a text's own words are made every time. Thread-safe.
class PieceTable {
 public:
  PieceTable(Vocabulary vocabulary, std::shared_ptr<const WordPiece> wordpiece);
  ~PieceTable();
  PieceTable(const PieceTable&) = delete;
  PieceTable& operator=(const PieceTable&) = delete;

  const WordPiece& wordpiece() const { return *wordpiece_; }
  // Appends at least one piece. kPad is [PAD], kUnk [UNK], kMask [MASK]. std::out_of_range for an
  // id that was never given.
  void append(WordId word, std::span<const std::string> own, std::vector<int32_t>& out) const;

 private:
  using Pieces = std::vector<int32_t>;
  const Pieces& of(WordId word) const;  // one of the vocabulary's

  Vocabulary vocabulary_;
  std::shared_ptr<const WordPiece> wordpiece_;
  mutable std::vector<std::atomic<const Pieces*>> pieces_;  // owned
};

// Copies as sequences of pieces: [CLS], the pieces of the first `slots` words, [SEP]. Only whole
// words are taken, as many as fit into `positions` pieces.
struct PieceSequences {
  std::vector<int32_t> pieces;  // of all sequences, one after the other
  std::vector<int32_t> starts;  // (copies + 1)
  int longest = 0;
};
PieceSequences make_sequences(const CopyView& copies, const PieceTable& table, int slots,
                              int positions);

// Puts the mean of rows of `table`, (pieces, zeros.size()), into zeros.
void add_mean(std::span<const float> table, std::span<const int32_t> pieces,
              std::span<float> zeros);

}  // namespace textcrs
