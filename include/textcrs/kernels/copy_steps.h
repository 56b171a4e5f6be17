// The steps by which a noisy copy of a list of words is drawn: first some of the words are picked
// or replaced, then what was picked is put in order. Plain data that host and device share.
#pragma once

#include <cstdint>

namespace textcrs {

enum class CopyPick : int32_t {
  kAll,         // every word; nothing is drawn
  kUnlessCoin,  // one flip per word: those where the coin comes up are left out
  kMaskByCoin,  // one flip per word: those where the coin comes up become the mask
  kSubstitute,  // one draw per word from its alias table; a word without a table stays, undrawn
  kBucket,      // a hash function and a bucket are drawn: the words it puts there
};

enum class CopyOrder : int32_t {
  kKept,          // as in the list
  kShuffled,      // a uniform shuffle
  kBlocks,        // an offset is drawn, then each block is shuffled, left to right
  kSortedBlocks,  // an offset is drawn; each block in the order of the list (with kAll only)
  kGroups,        // the places are shuffled and cut into groups, whose words are shuffled
};

// A coin comes up when a uniform 64-bit number is below high 2^32 + low. Its low half is drawn only
// when the high half alone can not decide.
struct CoinThreshold {
  uint32_t high = 0, low = 0;
};

// A column of an alias table: `word` with the probability `share`, else `other`. All columns of a
// table are equally likely.
struct AliasColumn {
  double share;
  int32_t word, other;
};

// columns [first, first + count)
struct ColumnRange {
  uint32_t first = 0, count = 0;
};

}  // namespace textcrs
