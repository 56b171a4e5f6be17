#include "train/masking.h"

#include <algorithm>
#include <stdexcept>

#include "textcrs/base/lanes.h"
#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

constexpr double kChosen = 0.15, kMasked = 0.8, kReplaced = 0.1;

bool is_special(int32_t piece, const WordPiece& wordpiece) {
  return piece == wordpiece.pad() || piece == wordpiece.unk() || piece == wordpiece.cls() ||
         piece == wordpiece.sep() || piece == wordpiece.mask();
}

// The words that may be chosen, as indices into sequence.words.
std::vector<size_t> known_words(const PieceSequence& sequence, const WordPiece& wordpiece) {
  std::vector<size_t> known;
  for (size_t w = 0; w < sequence.words.size(); ++w)
    if (!is_special(sequence.pieces[static_cast<size_t>(sequence.words[w])], wordpiece))
      known.push_back(w);
  return known;
}

std::vector<size_t> choose(const std::vector<size_t>& known, Stream& stream) {
  std::vector<size_t> chosen;
  for (const size_t word : known)
    if (stream.bernoulli(kChosen)) chosen.push_back(word);
  if (chosen.empty()) chosen.push_back(known[stream.below(static_cast<uint32_t>(known.size()))]);
  return chosen;
}

int32_t disguise(int32_t piece, const WordPiece& wordpiece, Stream& stream) {
  const double drawn = stream.uniform();
  if (drawn < kMasked) return wordpiece.mask();
  if (drawn >= kMasked + kReplaced) return piece;
  int32_t other;
  do other = static_cast<int32_t>(stream.below(static_cast<uint32_t>(wordpiece.size())));
  while (is_special(other, wordpiece));
  return other;
}

}  // namespace

std::vector<PieceSequence> cut_text(uint32_t text, const std::vector<std::string>& words,
                                    const WordPiece& wordpiece, int length) {
  if (length < 3) throw std::logic_error("cut_text: length is below 3");
  const size_t most = static_cast<size_t>(length) - 1;  // before [SEP]
  const PieceSequence empty{text, 0, {wordpiece.cls()}, {}};
  std::vector<PieceSequence> sequences;
  PieceSequence now = empty;
  const auto finish = [&] {
    now.pieces.push_back(wordpiece.sep());
    now.part = static_cast<uint32_t>(sequences.size());
    if (!known_words(now, wordpiece).empty()) sequences.push_back(std::move(now));
    now = empty;
  };
  std::vector<int32_t> pieces;
  for (const std::string& word : words) {
    pieces.clear();
    wordpiece.append_pieces(word, pieces);
    if (pieces.empty() || pieces.size() + 1 > most) continue;
    if (now.pieces.size() + pieces.size() > most) finish();
    now.words.push_back(static_cast<int32_t>(now.pieces.size()));
    now.pieces.insert(now.pieces.end(), pieces.begin(), pieces.end());
  }
  finish();
  return sequences;
}

MaskedBatch mask_words(const std::vector<PieceSequence>& sequences,
                       const std::vector<size_t>& indices, const WordPiece& wordpiece,
                       uint64_t seed, uint32_t epoch) {
  MaskedBatch batch;
  MaskedRows& rows = batch.rows;
  rows.starts.push_back(0);
  for (const size_t index : indices) {
    const PieceSequence& sequence = sequences[index];
    const size_t start = rows.pieces.size();
    rows.pieces.insert(rows.pieces.end(), sequence.pieces.begin(), sequence.pieces.end());
    Stream stream(seed, sequence.text, epoch, lane::kMaskedPieces + sequence.part);
    for (const size_t word : choose(known_words(sequence, wordpiece), stream)) {
      const auto begin = static_cast<size_t>(sequence.words[word]);
      const size_t end = word + 1 < sequence.words.size()
                             ? static_cast<size_t>(sequence.words[word + 1])
                             : sequence.pieces.size() - 1;
      for (size_t i = begin; i < end; ++i) {
        rows.pieces[start + i] = disguise(sequence.pieces[i], wordpiece, stream);
        rows.places.push_back(static_cast<int64_t>(start + i));
        batch.targets.push_back(sequence.pieces[i]);
      }
    }
    rows.starts.push_back(static_cast<int32_t>(rows.pieces.size()));
    rows.longest = std::max(rows.longest, static_cast<int>(sequence.pieces.size()));
  }
  return batch;
}

}  // namespace textcrs
