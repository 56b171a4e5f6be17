#include "model/piece_table.h"

#include <algorithm>

namespace textcrs {

PieceTable::PieceTable(Vocabulary vocabulary, std::shared_ptr<const WordPiece> wordpiece)
    : vocabulary_(std::move(vocabulary)),
      wordpiece_(std::move(wordpiece)),
      pieces_(static_cast<size_t>(vocabulary_.size())) {
  pieces_[kPad] = new Pieces{wordpiece_->pad()};
  pieces_[kUnk] = new Pieces{wordpiece_->unk()};
  pieces_[kMask] = new Pieces{wordpiece_->mask()};
}

PieceTable::~PieceTable() {
  for (const auto& pieces : pieces_) delete pieces.load();
}

const PieceTable::Pieces& PieceTable::of(WordId word) const {
  std::atomic<const Pieces*>& slot = pieces_[static_cast<size_t>(word)];
  const Pieces* ready = slot.load(std::memory_order_acquire);
  if (ready != nullptr) return *ready;
  auto made = std::make_unique<Pieces>();
  wordpiece_->append_pieces(vocabulary_.word(word), *made);
  if (slot.compare_exchange_strong(ready, made.get(), std::memory_order_acq_rel))
    ready = made.release();
  return *ready;
}

void PieceTable::append(WordId word, std::span<const std::string> own,
                        std::vector<int32_t>& out) const {
  if (word >= 0 && word < vocabulary_.size()) {
    const Pieces& pieces = of(word);
    out.insert(out.end(), pieces.begin(), pieces.end());
  } else {
    wordpiece_->append_pieces(vocabulary_.word(word, own), out);
  }
}

PieceSequences make_sequences(const CopyView& copies, const PieceTable& table, int slots,
                              int positions) {
  PieceSequences sequences;
  std::vector<int32_t>& pieces = sequences.pieces;
  sequences.starts.reserve(copies.size() + 1);
  sequences.starts.push_back(0);
  const size_t most = static_cast<size_t>(positions) - 1;  // before [SEP]
  for (size_t c = 0; c < copies.size(); ++c) {
    const std::vector<WordId>& copy = copies.copies[c];
    const size_t start = pieces.size();
    pieces.push_back(table.wordpiece().cls());
    for (size_t w = 0; w < std::min(copy.size(), static_cast<size_t>(slots)); ++w) {
      const size_t before = pieces.size();
      table.append(copy[w], copies.own_of(c), pieces);
      if (pieces.size() - start <= most) continue;
      pieces.resize(before);
      break;
    }
    pieces.push_back(table.wordpiece().sep());
    sequences.longest = std::max(sequences.longest, static_cast<int>(pieces.size() - start));
    sequences.starts.push_back(static_cast<int32_t>(pieces.size()));
  }
  return sequences;
}

void add_mean(std::span<const float> table, std::span<const int32_t> pieces,
              std::span<float> zeros) {
  for (const int32_t piece : pieces)
    for (size_t d = 0; d < zeros.size(); ++d)
      zeros[d] += table[static_cast<size_t>(piece) * zeros.size() + d];
  for (float& x : zeros) x /= static_cast<float>(pieces.size());
}

}  // namespace textcrs
