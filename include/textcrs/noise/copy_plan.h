// What Noise::sample() does to one text, as numbers, for devices that draw copies by themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/kernels/copy_steps.h"
#include "textcrs/text/vocabulary.h"

namespace TEXTCRS_API textcrs {

// The same draws from the same stream give the same copy, bit by bit. A member that belongs to
// another pick or order is empty, or 0.
struct CopyPlan {
  // What copies are made of: the text; for insert, the model's slots; for kBucket and
  // kSortedBlocks, the text's words in the fixed order that their copies have.
  std::vector<WordId> words = {};

  CopyPick pick = CopyPick::kAll;
  CoinThreshold coin = {};                // kUnlessCoin, kMaskByCoin
  WordId mask = 0;                        // kMaskByCoin
  std::vector<AliasColumn> columns = {};  // kSubstitute: the alias tables of all words
  std::vector<ColumnRange> tables = {};   // kSubstitute: of each word; empty if it stays
  // kBucket: t below `functions` is drawn first, then b below `buckets`; a word is picked if
  // word_bucket(its hash, t, buckets) is b.
  uint32_t functions = 0, buckets = 0;
  std::vector<uint64_t> hashes = {};  // spelling_hash of each word

  CopyOrder order = CopyOrder::kKept;
  uint32_t length = 0;                // L of the blocks and groups
  std::vector<uint32_t> places = {};  // kSortedBlocks: where in the text each word stands

  // The entries that drawing a copy may write; the copy is the first of them.
  size_t capacity() const { return order == CopyOrder::kGroups ? 2 * words.size() : words.size(); }
};

}  // namespace textcrs
