// Products in single precision say which words may be near, in blocks that stay in the cache; how
// far those are is computed in double precision. So a distance depends on neither the threads nor
// the instruction set.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>

#include "kernels/dense.h"
#include "textcrs/base/lanes.h"
#include "textcrs/base/parallel.h"
#include "textcrs/base/stream.h"
#include "textcrs/plot/embedding_figures.h"

namespace textcrs::plot {
namespace {

constexpr size_t kQueryBlock = 64;
constexpr size_t kRowBlock = 1024;
constexpr size_t kBlocksAtATime = 16;  // packed for all queries and threads

size_t blocks_of(size_t count, size_t size) { return (count + size - 1) / size; }

std::vector<size_t> drawn_words(size_t all, size_t count, uint64_t seed) {
  std::vector<size_t> words(all);
  std::iota(words.begin(), words.end(), size_t{0});
  if (count >= all) return words;
  Stream(seed, 0, 0, lane::kShownWords).shuffle(std::span(words));
  words.resize(count);
  std::sort(words.begin(), words.end());
  return words;
}

// The smallest squared distances offered so far, as a heap whose front is the largest of them.
class Smallest {
 public:
  explicit Smallest(size_t limit) : limit_(limit) {}

  double bound() const {
    return kept_.size() < limit_ ? std::numeric_limits<double>::infinity() : kept_.front();
  }
  void offer(double square) {
    if (!(square < bound())) return;
    if (kept_.size() == limit_) {
      std::pop_heap(kept_.begin(), kept_.end());
      kept_.pop_back();
    }
    kept_.push_back(square);
    std::push_heap(kept_.begin(), kept_.end());
  }
  std::vector<float> distances() {
    std::sort_heap(kept_.begin(), kept_.end());
    std::vector<float> distances;
    for (const double square : kept_) distances.push_back(static_cast<float>(std::sqrt(square)));
    return distances;
  }

 private:
  size_t limit_;
  std::vector<double> kept_;
};

// Of rows that are scaled so that the longest has length 1.
struct Block {
  std::optional<Dense> scores;  // q . x - |x|^2 / 2, for a query q and each row x
  double longest = 0;
};

class Search {
 public:
  Search(const WordMatrix& matrix, size_t count, std::vector<size_t> queries, StopToken stop)
      : matrix_(matrix),
        count_(count),
        queries_(std::move(queries)),
        stop_(stop),
        lengths_(matrix.words()),
        nearest_(queries_.size(), Smallest(count)) {
    for (size_t row = 0; row < lengths_.size(); ++row) {
      double square = 0;
      for (const float x : row_of(row)) square += static_cast<double>(x) * x;
      lengths_[row] = std::sqrt(square);
      longest_ = std::max(longest_, lengths_[row]);
    }
    if (longest_ == 0) longest_ = 1;
  }

  std::vector<std::vector<float>> run(int threads) {
    const size_t words = matrix_.words(), slice = kBlocksAtATime * kRowBlock;
    for (size_t first = 0; count_ > 0 && first < words; first += slice)
      run_slice(first, std::min(words, first + slice), threads);
    std::vector<std::vector<float>> distances;
    for (Smallest& nearest : nearest_) distances.push_back(nearest.distances());
    return distances;
  }

 private:
  std::span<const float> row_of(size_t row) const {
    return std::span(matrix_.values).subspan(row * matrix_.dimension, matrix_.dimension);
  }

  void add_scaled(size_t row, std::vector<float>& to) const {
    for (const float x : row_of(row)) to.push_back(static_cast<float>(x / longest_));
  }

  // All queries against the rows [first, last).
  void run_slice(size_t first, size_t last, int threads) {
    std::vector<Block> blocks(blocks_of(last - first, kRowBlock));
    parallel_for(blocks.size(), threads, [&](size_t i) {
      stop_.check();
      const size_t from = first + i * kRowBlock;
      blocks[i] = block_of(from, std::min(last, from + kRowBlock));
    });
    parallel_for(blocks_of(queries_.size(), kQueryBlock), threads, [&](size_t i) {
      const size_t from = i * kQueryBlock;
      const size_t to = std::min(queries_.size(), from + kQueryBlock);
      std::vector<float> inputs, scores((to - from) * kRowBlock);
      for (size_t q = from; q < to; ++q) add_scaled(queries_[q], inputs);
      AlignedBytes scratch;
      for (size_t block = 0; block < blocks.size(); ++block) {
        stop_.check();
        blocks[block].scores->run({.rows = static_cast<int>(to - from),
                                   .input = inputs.data(),
                                   .input_stride = static_cast<std::ptrdiff_t>(matrix_.dimension),
                                   .output = scores.data(),
                                   .output_stride = static_cast<std::ptrdiff_t>(kRowBlock)},
                                  scratch);
        for (size_t q = from; q < to; ++q)
          scan(q, first + block * kRowBlock, blocks[block], scores.data() + (q - from) * kRowBlock);
      }
    });
  }

  Block block_of(size_t first, size_t last) const {
    std::vector<float> rows, halves;
    Block block;
    for (size_t row = first; row < last; ++row) {
      const double length = lengths_[row] / longest_;
      block.longest = std::max(block.longest, length);
      halves.push_back(static_cast<float>(-length * length / 2));
      add_scaled(row, rows);
    }
    block.scores.emplace(best_isa(Precision::kFp32), Precision::kFp32,
                         static_cast<int>(last - first), static_cast<int>(matrix_.dimension), rows,
                         halves);
    return block;
  }

  double square_of_distance(size_t a, size_t b) const {
    const auto x = row_of(a), y = row_of(b);
    double sum = 0;
    for (size_t i = 0; i < x.size(); ++i) {
      const double difference = static_cast<double>(x[i]) - y[i];
      sum += difference * difference;
    }
    return sum;
  }

  // The score below which a row of the block is further than the bound, whatever was rounded. With
  // u = 2^-24, dimension d and lengths |q| and |x|: rounding the two scaled rows costs 2u |q||x|,
  // the sum of d products and the half square (d + 1) u (|q||x| + |x|^2 / 2) at most (Higham,
  // Accuracy and Stability, 3.1), rounding the half square and this threshold u each. The margin is
  // twice that, and more; the last term is for numbers so small that they have fewer digits.
  float threshold(size_t query, const Smallest& nearest, const Block& block) const {
    const double length = lengths_[query] / longest_, bound = nearest.bound();
    const double score = (length * length - bound / longest_ / longest_) / 2;
    const double terms = static_cast<double>(matrix_.dimension) + 8;
    const double margin =
        terms * (0x1p-23 * (length + block.longest) * (length + block.longest) + 0x1p-120);
    return static_cast<float>(score - margin);
  }

  void scan(size_t q, size_t first, const Block& block, const float* scores) {
    const size_t query = queries_[q], rows = static_cast<size_t>(block.scores->outputs());
    Smallest& nearest = nearest_[q];
    float least = threshold(query, nearest, block);
    for (size_t i = 0; i < rows; ++i) {
      if (scores[i] < least || first + i == query) continue;
      nearest.offer(square_of_distance(query, first + i));
      least = threshold(query, nearest, block);
    }
  }

  const WordMatrix& matrix_;
  size_t count_;
  std::vector<size_t> queries_;
  StopToken stop_;
  std::vector<double> lengths_;
  double longest_ = 0;
  std::vector<Smallest> nearest_;  // of every query
};

}  // namespace

std::vector<std::vector<float>> nearest_distances(const WordMatrix& matrix, size_t count,
                                                  size_t words, uint64_t seed, int threads,
                                                  StopToken stop) {
  if (matrix.words() <= count)
    throw std::logic_error("nearest_distances: there are not so many other words");
  return Search(matrix, count, drawn_words(matrix.words(), words, seed), stop).run(threads);
}

}  // namespace textcrs::plot
