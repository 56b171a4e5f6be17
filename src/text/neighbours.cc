#include "textcrs/text/neighbours.h"

#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "text/single_threaded_blas.h"
#include "textcrs/base/parallel.h"

namespace textcrs {
namespace {

// A block of scores, kQueryBlock x kRowBlock floats, stays in the second-level cache.
constexpr size_t kQueryBlock = 128;
constexpr size_t kRowBlock = 1024;
constexpr size_t kChunk = 32;

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
        // Unit vectors in float: a product of `width` terms is off by at most (width + 4) * 2^-24
        // with the rounding of both vectors; twice that, and the rounding of the kept one.
        margin_(static_cast<float>(width_ + 8) * 0x1p-23f),
        lengths_(static_cast<size_t>(vectors.size())),
        results_(queries.size()) {
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

  size_t blocks() const { return (queries_.size() + kQueryBlock - 1) / kQueryBlock; }

  void run_block(size_t block) {
    const size_t first = block * kQueryBlock;
    const auto queries = queries_.subspan(first, std::min(kQueryBlock, queries_.size() - first));
    std::vector<float> left(queries.size() * width_), right(kRowBlock * width_);
    std::vector<float> scores(queries.size() * kRowBlock);
    std::vector<BestList> best(queries.size(), BestList(limit_));
    pack(queries, left);
    const std::span<const int> all(candidates_);
    for (size_t at = 0; at < all.size(); at += kRowBlock) {
      const auto rows = all.subspan(at, std::min(kRowBlock, all.size() - at));
      pack(rows, right);
      const auto m = static_cast<int>(queries.size()), n = static_cast<int>(rows.size());
      const auto k = static_cast<int>(width_);
      cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 1.0f, left.data(), k,
                  right.data(), k, 0.0f, scores.data(), n);
      for (size_t q = 0; q < queries.size(); ++q)
        if (lengths_[index(queries[q])] > 0)
          scan(queries[q], rows, scores.data() + q * rows.size(), best[q]);
    }
    for (size_t q = 0; q < queries.size(); ++q) results_[first + q] = best[q].take();
  }

  std::vector<std::vector<Neighbour>> take() { return std::move(results_); }

 private:
  static size_t index(int row) { return static_cast<size_t>(row); }

  // 0 also for a row that is not finite, which only a damaged cache can hold.
  double length_of(int row) const {
    double sum = 0;
    for (const float x : vectors_.row(row)) sum += static_cast<double>(x) * x;
    return std::isfinite(sum) ? std::sqrt(sum) : 0;
  }

  void pack(std::span<const int> rows, std::vector<float>& out) const {
    float* to = out.data();
    for (const int row : rows) {
      const double length = lengths_[index(row)];
      const double scale = length > 0 ? 1 / length : 0;
      for (const float x : vectors_.row(row)) *to++ = static_cast<float>(x * scale);
    }
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
  std::vector<std::vector<Neighbour>> results_;
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
  Search search(vectors, queries, count, candidates);
  const SingleThreadedBlas until_all_are_done;
  parallel_for(search.blocks(), threads, [&](size_t block) {
    const SingleThreadedBlas in_this_thread;
    search.run_block(block);
  });
  return search.take();
}

}  // namespace textcrs
