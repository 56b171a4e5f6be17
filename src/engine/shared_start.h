// Copies of one text often begin alike. The steps of an LSTM over a common beginning are the same,
// so each different beginning is run once, as long as there are clearly fewer of them than copies.
#pragma once

#include <span>
#include <vector>

#include "kernels/lstm.h"

namespace textcrs {

// A copy as the rows of one direction: that of step s is at rows[s * stride]. Equal words have the
// same row.
struct RowSequence {
  const float* const* rows;
  int length;  // at least 1
};

class SharedStart {
 public:
  // `lstm` has no inputs. Results are those of Lstm::run over each sequence alone, bit by bit.
  SharedStart(const Lstm& lstm, std::span<const RowSequence> sequences, std::ptrdiff_t stride,
              AlignedBytes& scratch);

  int steps() const { return steps_; }  // that were run
  // Of a sequence longer than steps() > 0: where it goes on from.
  const std::byte* record(size_t sequence) const {
    return records_.data() + static_cast<size_t>(node_[sequence]) * record_bytes_;
  }
  // Of a sequence that is not longer: its maxima (units).
  std::span<const float> maxima(size_t sequence) const {
    return std::span(maxima_).subspan(sequence * units_, units_);
  }

 private:
  // Groups the sequences that go on by their node and their next row. Returns a sequence of each
  // new node, or nothing if too many of them are different.
  std::vector<size_t> branch(std::span<const RowSequence> sequences, std::ptrdiff_t stride,
                             std::vector<int>& next) const;
  void run_step(const Lstm& lstm, std::span<const RowSequence> sequences, std::ptrdiff_t stride,
                std::span<const size_t> nodes, AlignedBytes& scratch);

  size_t units_, record_bytes_;
  int steps_ = 0;
  std::vector<int> node_;      // of each sequence, among the beginnings of steps_ steps
  AlignedBytes records_;       // of these beginnings
  std::vector<float> maxima_;  // (sequences, units), of those that ended
};

}  // namespace textcrs
