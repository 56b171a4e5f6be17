#include "textcrs/text/neighbours.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "kernels/dense.h"
#include "textcrs/base/parallel.h"

namespace textcrs {
namespace {

// A block of scores, kQueryBlock x kRowBlock floats, stays in the second-level cache.
constexpr size_t kQueryBlock = 128;
constexpr size_t kRowBlock = 1024;
// So many blocks of candidates are packed at a time, for all queries and threads.
constexpr size_t kBlocksAtATime = 16;
constexpr size_t kChunk = 32;

size_t blocks_of(size_t count, size_t size) { return (count + size - 1) / size; }

bool better(const Neighbour& a, const Neighbour& b) {
  return a.similarity != b.similarity ? a.similarity > b.similarity : a.row < b.row;
}

// The `limit` best of all neighbours offered, as a heap whose front is the worst kept.
class BestList {
 public:
  explicit BestList(size_t limit) : limit_(limit) {}

  // Scores below this need not be offered; `margin` is what a score may be off.
  float threshold(float margin) const {
    return kept_.size() < limit_ ? -2.0f : kept_.front().similarity - margin;
  }

  void offer(const Neighbour& neighbour) {
    if (kept_.size() == limit_) {
      if (!better(neighbour, kept_.front())) return;
      std::pop_heap(kept_.begin(), kept_.end(), better);
      kept_.back() = neighbour;
    } else {
      kept_.push_back(neighbour);
    }
    std::push_heap(kept_.begin(), kept_.end(), better);
  }

  std::vector<Neighbour> take() {
    std::sort_heap(kept_.begin(), kept_.end(), better);
    return std::move(kept_);
  }

 private:
  size_t limit_;
  std::vector<Neighbour> kept_;
};

class Search {
 public:
  Search(const WordVectors& vectors, std::span<const int> queries, int count,
         std::span<const int> candidates)
      : vectors_(vectors),
        queries_(queries),
        limit_(static_cast<size_t>(count)),
        width_(static_cast<size_t>(vectors.dimension())),
        // With u = 2^-24: rounding the two unit vectors to float costs 2u, and the kernel, which
        // adds one product after the other and rounds product and sum, width * u at most (Higham,
        // Accuracy and Stability, 3.1); the kept and the offered similarity are rounded, too, and
        // so is the threshold: (width + 5) u, to first order. This is twice that, and more.
        margin_(static_cast<float>(width_ + 8) * 0x1p-23f),
        lengths_(static_cast<size_t>(vectors.size())),
        best_(queries.size(), BestList(limit_)) {
    for (int row = 0; row < vectors.size(); ++row) lengths_[index(row)] = length_of(row);
    if (candidates.empty()) {
      candidates_.resize(lengths_.size());
      std::iota(candidates_.begin(), candidates_.end(), 0);
    } else {
      candidates_.assign(candidates.begin(), candidates.end());
      std::sort(candidates_.begin(), candidates_.end());
      candidates_.erase(std::unique(candidates_.begin(), candidates_.end()), candidates_.end());
    }
    std::erase_if(candidates_, [&](int row) { return lengths_[index(row)] == 0; });
  }

  std::vector<std::vector<Neighbour>> run(int threads) {
    const std::span<const int> all(candidates_);
    constexpr size_t kSlice = kBlocksAtATime * kRowBlock;
    for (size_t at = 0; at < all.size(); at += kSlice)
      run_slice(all.subspan(at, std::min(kSlice, all.size() - at)), threads);
    std::vector<std::vector<Neighbour>> results;
    results.reserve(best_.size());
    for (BestList& best : best_) results.push_back(best.take());
    return results;
  }

 private:
  static size_t index(int row) { return static_cast<size_t>(row); }

  // 0 also for a row that is not finite, which only a damaged cache can hold.
  double length_of(int row) const {
    double sum = 0;
    for (const float x : vectors_.row(row)) sum += static_cast<double>(x) * x;
    return std::isfinite(sum) ? std::sqrt(sum) : 0;
  }

  // All queries against some of the candidates.
  void run_slice(std::span<const int> rows, int threads) {
    const auto block_of = [&](size_t block) {
      const size_t first = block * kRowBlock;
      return rows.subspan(first, std::min(kRowBlock, rows.size() - first));
    };
    std::vector<std::optional<Dense>> products(blocks_of(rows.size(), kRowBlock));
    parallel_for(products.size(), threads,
                 [&](size_t block) { products[block] = product_with(block_of(block)); });
    parallel_for(blocks_of(queries_.size(), kQueryBlock), threads, [&](size_t block) {
      const size_t first = block * kQueryBlock;
      const auto queries = queries_.subspan(first, std::min(kQueryBlock, queries_.size() - first));
      const std::vector<float> inputs = unit_vectors(queries);
      std::vector<float> scores(queries.size() * kRowBlock);
      AlignedBytes scratch;
      for (size_t i = 0; i < products.size(); ++i) {
        products[i]->run({.rows = static_cast<int>(queries.size()),
                          .input = inputs.data(),
                          .input_stride = static_cast<std::ptrdiff_t>(width_),
                          .output = scores.data(),
                          .output_stride = static_cast<std::ptrdiff_t>(kRowBlock)},
                         scratch);
        for (size_t q = 0; q < queries.size(); ++q)
          if (lengths_[index(queries[q])] > 0)
            scan(queries[q], block_of(i), scores.data() + q * kRowBlock, best_[first + q]);
      }
    });
  }

  // The scores of vectors with these rows.
  Dense product_with(std::span<const int> rows) const {
    const std::vector<float> zeros(rows.size());
    return Dense(best_isa(Precision::kFp32), Precision::kFp32, static_cast<int>(rows.size()),
                 static_cast<int>(width_), unit_vectors(rows), zeros);
  }

  // One after the other; zeros, or NaN, for a row without length.
  std::vector<float> unit_vectors(std::span<const int> rows) const {
    std::vector<float> vectors(rows.size() * width_);
    float* to = vectors.data();
    for (const int row : rows) {
      const double length = lengths_[index(row)];
      const double scale = length > 0 ? 1 / length : 0;
      for (const float x : vectors_.row(row)) *to++ = static_cast<float>(x * scale);
    }
    return vectors;
  }

  float similarity(int a, int b) const {
    const auto x = vectors_.row(a), y = vectors_.row(b);
    double sum = 0;
    for (size_t i = 0; i < width_; ++i) sum += static_cast<double>(x[i]) * y[i];
    return static_cast<float>(
        std::clamp(sum / (lengths_[index(a)] * lengths_[index(b)]), -1.0, 1.0));
  }

  void scan(int query, std::span<const int> rows, const float* scores, BestList& best) const {
    float threshold = best.threshold(margin_);
    for (size_t begin = 0; begin < rows.size(); begin += kChunk) {
      const size_t end = std::min(begin + kChunk, rows.size());
      int hit = 0;
      for (size_t j = begin; j < end; ++j) hit |= scores[j] >= threshold;
      if (hit == 0) continue;
      for (size_t j = begin; j < end; ++j) {
        if (scores[j] < threshold || rows[j] == query) continue;
        best.offer({rows[j], similarity(query, rows[j])});
        threshold = best.threshold(margin_);
      }
    }
  }

  const WordVectors& vectors_;
  std::span<const int> queries_;
  size_t limit_, width_;
  float margin_;
  std::vector<double> lengths_;
  std::vector<int> candidates_;  // ascending, of positive length
  std::vector<BestList> best_;   // of every query
};

}  // namespace

std::vector<std::vector<Neighbour>> nearest_neighbours(const WordVectors& vectors,
                                                       std::span<const int> queries, int count,
                                                       int threads,
                                                       std::span<const int> candidates) {
  const auto outside = [&](int row) { return row < 0 || row >= vectors.size(); };
  if (count < 1 || std::any_of(queries.begin(), queries.end(), outside) ||
      std::any_of(candidates.begin(), candidates.end(), outside))
    throw std::logic_error("nearest_neighbours: a count below 1 or a row outside the table");
  return Search(vectors, queries, count, candidates).run(threads);
}

}  // namespace textcrs
