#include "engine/shared_start.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace textcrs {
namespace {

// A step is shared if it has fewer nodes than this share of the sequences: less would hardly pay
// for the records.
constexpr double kWorthSharing = 0.6;

struct Next {  // a node and the row of its next step
  int node;
  const float* row;
  bool operator==(const Next&) const = default;
};
struct NextHash {
  size_t operator()(const Next& next) const {
    return std::hash<const float*>()(next.row) * 31 + static_cast<size_t>(next.node);
  }
};

}  // namespace

SharedStart::SharedStart(const Lstm& lstm, std::span<const RowSequence> sequences,
                         std::ptrdiff_t stride, AlignedBytes& scratch)
    : units_(static_cast<size_t>(lstm.units())),
      record_bytes_(lstm.record_bytes()),
      node_(sequences.size(), 0),
      maxima_(sequences.size() * units_) {
  std::vector<int> next(sequences.size());
  while (true) {
    const std::vector<size_t> nodes = branch(sequences, stride, next);
    if (nodes.empty()) return;
    run_step(lstm, sequences, stride, nodes, scratch);
    node_ = next;
    ++steps_;
    for (size_t i = 0; i < sequences.size(); ++i)
      if (sequences[i].length == steps_)
        std::copy_n(lstm.maxima_in(record(i)), units_,
                    maxima_.begin() + static_cast<std::ptrdiff_t>(i * units_));
  }
}

std::vector<size_t> SharedStart::branch(std::span<const RowSequence> sequences,
                                        std::ptrdiff_t stride, std::vector<int>& next) const {
  std::unordered_map<Next, int, NextHash> found;
  std::vector<size_t> nodes;
  size_t going_on = 0;
  for (size_t i = 0; i < sequences.size(); ++i) {
    if (sequences[i].length <= steps_) continue;
    ++going_on;
    const auto [place, fresh] = found.try_emplace({node_[i], sequences[i].rows[steps_ * stride]},
                                                  static_cast<int>(nodes.size()));
    if (fresh) nodes.push_back(i);
    next[i] = place->second;
  }
  const bool worthwhile =
      static_cast<double>(nodes.size()) < kWorthSharing * static_cast<double>(going_on);
  return worthwhile ? nodes : std::vector<size_t>();
}

void SharedStart::run_step(const Lstm& lstm, std::span<const RowSequence> sequences,
                           std::ptrdiff_t stride, std::span<const size_t> nodes,
                           AlignedBytes& scratch) {
  AlignedBytes fresh(nodes.size() * record_bytes_);
  std::vector<const float* const*> rows;
  std::vector<const std::byte*> starts;
  std::vector<std::byte*> ends;
  for (size_t n = 0; n < nodes.size(); ++n) {
    rows.push_back(sequences[nodes[n]].rows);
    starts.push_back(record(nodes[n]));
    ends.push_back(fresh.data() + n * record_bytes_);
  }
  const std::vector<int> lengths(nodes.size(), steps_ + 1);
  LstmSequences step;
  step.count = static_cast<int>(nodes.size());
  step.lengths = lengths.data();
  step.rows = rows.data();
  step.stride = stride;
  step.first = steps_;
  step.starts = starts.data();
  step.ends = ends.data();
  lstm.run(step, scratch);
  records_ = std::move(fresh);
}

}  // namespace textcrs
