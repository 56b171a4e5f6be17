#include "piece_table.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace textcrs {

PieceTable::PieceTable(Vocabulary vocabulary, std::shared_ptr<const WordPiece> wordpiece)
    : vocabulary_(std::move(vocabulary)), wordpiece_(std::move(wordpiece)) {
  pieces_[kPad] = new Pieces{wordpiece_->pad()};
  pieces_[kUnk] = new Pieces{wordpiece_->unk()};
  pieces_[kMask] = new Pieces{wordpiece_->mask()};
}

PieceTable::~PieceTable() {
  pieces_.for_each([](const std::atomic<const Pieces*>& slot) { delete slot.load(); });
}

std::span<const int32_t> PieceTable::of(WordId word) const {
  if (word < 0 || word >= vocabulary_.size())
    throw std::out_of_range("PieceTable: no word has the id " + std::to_string(word));
  std::atomic<const Pieces*>& slot = pieces_[static_cast<size_t>(word)];
  const Pieces* ready = slot.load(std::memory_order_acquire);
  if (ready != nullptr) return *ready;
  auto made = std::make_unique<Pieces>();
  wordpiece_->append_pieces(vocabulary_.word(word), *made);
  if (slot.compare_exchange_strong(ready, made.get(), std::memory_order_acq_rel))
    ready = made.release();
  return *ready;
}

PieceSequences make_sequences(std::span<const std::vector<WordId>> copies, const PieceTable& table,
                              int slots, int positions) {
  PieceSequences sequences;
  sequences.starts.reserve(copies.size() + 1);
  sequences.starts.push_back(0);
  const size_t most = static_cast<size_t>(positions) - 1;  // before [SEP]
  for (const std::vector<WordId>& copy : copies) {
    const size_t start = sequences.pieces.size();
    sequences.pieces.push_back(table.wordpiece().cls());
    for (size_t w = 0; w < std::min(copy.size(), static_cast<size_t>(slots)); ++w) {
      const auto pieces = table.of(copy[w]);
      if (sequences.pieces.size() - start + pieces.size() > most) break;
      sequences.pieces.insert(sequences.pieces.end(), pieces.begin(), pieces.end());
    }
    sequences.pieces.push_back(table.wordpiece().sep());
    sequences.longest =
        std::max(sequences.longest, static_cast<int>(sequences.pieces.size() - start));
    sequences.starts.push_back(static_cast<int32_t>(sequences.pieces.size()));
  }
  return sequences;
}

}  // namespace textcrs
