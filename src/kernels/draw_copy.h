// Drawing a noisy copy on a device: what Noise::sample() draws from the same stream, bit by bit.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/blocks.h"
#include "kernels/draws.h"
#include "kernels/host_device.h"
#include "kernels/philox.h"
#include "kernels/word_bucket.h"
#include "textcrs/kernels/copy_steps.h"

namespace textcrs {

// A CopyPlan (textcrs/noise/copy_plan.h has the meaning of each member) with its lists as pointers,
// to memory of whoever draws.
struct DrawPlan {
  const int32_t* words = nullptr;
  uint32_t size = 0;  // of words, tables, hashes and places, where they are not null

  CopyPick pick = CopyPick::kAll;
  CoinThreshold coin;
  int32_t mask = 0;
  const AliasColumn* columns = nullptr;
  const ColumnRange* tables = nullptr;
  uint32_t functions = 0, buckets = 0;
  const uint64_t* hashes = nullptr;

  CopyOrder order = CopyOrder::kKept;
  uint32_t length = 0;
  const uint32_t* places = nullptr;
};

// How many words are picked; they are the first entries of `out`.
template <typename Out>
TEXTCRS_HOST_DEVICE uint32_t pick_words(const DrawPlan& plan, PhiloxStream& stream, Out& out) {
  uint32_t picked = 0;
  switch (plan.pick) {
    case CopyPick::kAll:
      for (uint32_t i = 0; i < plan.size; ++i) out(i) = plan.words[i];
      return plan.size;
    case CopyPick::kUnlessCoin:
      for (uint32_t i = 0; i < plan.size; ++i)
        if (!flip(plan.coin, stream)) out(picked++) = plan.words[i];
      return picked;
    case CopyPick::kMaskByCoin:
      for (uint32_t i = 0; i < plan.size; ++i)
        out(i) = flip(plan.coin, stream) ? plan.mask : plan.words[i];
      return plan.size;
    case CopyPick::kSubstitute:
      for (uint32_t i = 0; i < plan.size; ++i) {
        const ColumnRange table = plan.tables[i];
        out(i) = table.count == 0 ? plan.words[i]
                                  : draw_from(plan.columns + table.first, table.count, stream);
      }
      return plan.size;
    case CopyPick::kBucket: {
      const uint32_t t = stream.below(plan.functions), b = stream.below(plan.buckets);
      for (uint32_t i = 0; i < plan.size; ++i)
        if (bucket_of_hash(plan.hashes[i], t, plan.buckets) == b) out(picked++) = plan.words[i];
      return picked;
    }
  }
  return picked;
}

template <typename Out>
TEXTCRS_HOST_DEVICE void swap_entries(Out& out, uint32_t i, uint32_t j) {
  const int32_t kept = out(i);
  out(i) = out(j);
  out(j) = kept;
}

// The entries [begin, end).
template <typename Out>
TEXTCRS_HOST_DEVICE void shuffle_entries(uint32_t begin, uint32_t end, PhiloxStream& stream,
                                         Out& out) {
  for (uint32_t i = end - begin; i > 1; --i)
    swap_entries(out, begin + i - 1, begin + stream.below(i));
}

// All words of the plan, in O(size). Until the last word of a block is written, the block's last
// entry counts the words that are.
template <typename Out>
TEXTCRS_HOST_DEVICE void write_sorted_blocks(const DrawPlan& plan, PhiloxStream& stream, Out& out) {
  const uint32_t offset = stream.below(plan.length);
  for_each_block(plan.size, plan.length, offset,
                 [&](size_t, size_t end) { out(static_cast<uint32_t>(end - 1)) = 0; });
  for (uint32_t i = 0; i < plan.size; ++i) {
    const uint32_t place = plan.places[i];
    const bool in_first = place < offset;
    const uint32_t begin = in_first ? 0 : place - (place - offset) % plan.length;
    const uint32_t end = begin + (in_first ? offset : plan.length);
    const uint32_t last = (end < plan.size ? end : plan.size) - 1;
    const uint32_t to = begin + static_cast<uint32_t>(out(last));
    if (to != last) ++out(last);
    out(to) = plan.words[i];
  }
}

// The entries [size, 2 size) hold the shuffled places; consecutive runs of L are the groups.
template <typename Out>
TEXTCRS_HOST_DEVICE void shuffle_groups(uint32_t size, uint32_t length, PhiloxStream& stream,
                                        Out& out) {
  for (uint32_t i = 0; i < size; ++i) out(size + i) = static_cast<int32_t>(i);
  shuffle_entries(size, 2 * size, stream, out);
  for_each_block(size, length, 0, [&](size_t begin, size_t end) {
    const auto group = static_cast<uint32_t>(size + begin);
    for (auto i = static_cast<uint32_t>(end - begin); i > 1; --i)
      swap_entries(out, static_cast<uint32_t>(out(group + i - 1)),
                   static_cast<uint32_t>(out(group + stream.below(i))));
  });
}

// Writes a copy and returns its length. out(i) is a reference to the i-th int32_t of the copy's
// memory, which has room for CopyPlan::capacity() of them; what lies behind the copy is scratch.
// The stream is to be lane::kWords of the sample's, nothing drawn yet.
template <typename Out>
TEXTCRS_HOST_DEVICE int draw_copy(const DrawPlan& plan, PhiloxStream stream, Out&& out) {
  if (plan.order == CopyOrder::kSortedBlocks) {
    write_sorted_blocks(plan, stream, out);
    return static_cast<int>(plan.size);
  }
  const uint32_t size = pick_words(plan, stream, out);
  if (plan.order == CopyOrder::kShuffled) {
    shuffle_entries(0, size, stream, out);
  } else if (plan.order == CopyOrder::kBlocks) {
    for_each_block(size, plan.length, stream.below(plan.length), [&](size_t begin, size_t end) {
      shuffle_entries(static_cast<uint32_t>(begin), static_cast<uint32_t>(end), stream, out);
    });
  } else if (plan.order == CopyOrder::kGroups) {
    shuffle_groups(size, plan.length, stream, out);
  }
  return static_cast<int>(size);
}

}  // namespace textcrs
