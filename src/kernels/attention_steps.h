// Attention over one sequence for one vector architecture A; included by the file of each, which is
// compiled for it. Internal linkage and no call of the standard library: see lstm_cells.h.
//
// What is multiplied is kept in words of 32 bits: a float, or the two bf16 of a dot product. A has
// what attention_product.h asks of it, and
//   kTerms                  numbers a word holds
//   sub mul add max         max(a, b) is b where either is NaN
//   load_some(p, n)         the first n numbers at p, and zeros; n may be negative or too large
//   store_some(p, x, n)     the first n of x
//   exp2(x)                 2^x for x <= 0, 2^-126 where x is below
//   highest(x), total(x)    the largest lane, the sum of the lanes
//   words(x, y, round)      kLanes words of the numbers in x and, with kTerms = 2, then those in y
//   pairs(x, y, round)      words that hold a lane of x and, with kTerms = 2, the same lane of y
//   ones()                  words that hold ones
//   transpose(p, stride, q) kLanes rows of kLanes words at p become the columns of q
#pragma once

#include "kernels/attention.h"
#include "kernels/attention_product.h"

namespace textcrs {
namespace {

template <typename A>
class AttentionSteps {
 public:
  static size_t scratch_bytes(const Attention::Shape& shape, int length) {
    return static_cast<size_t>(Layout(shape, length).size) * sizeof(float);
  }

  // Head by head. The keys are turned so that lanes are keys; the scores of kBlock queries stay in
  // the caches from one product to the next.
  static void run(const Attention::Shape& shape, const AttentionCall& call, std::byte* scratch) {
    const AttentionSteps steps(shape, call, reinterpret_cast<float*>(scratch));
    for (int head = 0; head < shape.heads; ++head) {
      steps.pack_keys(head);
      steps.pack_values(head);
      for (int first = 0, rows; first < call.queries; first += rows) {
        rows = even_part(call.queries - first, kBlock);
        steps.attend(head, first, rows);
      }
    }
  }

  static constexpr AttentionKernel kKernel = {scratch_bytes, run};

 private:
  using F = typename A::F;
  using Product = AttentionProduct<A>;
  static constexpr int kBlock = 4 * A::kRows;

  static int up(int n, int multiple) { return (n + multiple - 1) / multiple * multiple; }

  // Sizes in words, and where in the scratch memory things begin.
  struct Layout {
    Layout(const Attention::Shape& shape, int length)
        : padded(up(length, A::kLanes)),
          row(up(shape.head_size, A::kTerms * A::kLanes) / A::kTerms),
          pairs((length + A::kTerms - 1) / A::kTerms),
          columns(up(shape.head_size, A::kLanes)),
          score(padded + 16) {
      draft = padded * row;
      values = draft + A::kLanes * row;
      queries = values + pairs * columns;
      scores = queries + kBlock * row;
      sums = scores + kBlock * score;
      tail = sums + kBlock * columns;
      size = tail + A::kLanes;
    }
    ptrdiff_t padded;   // keys, a multiple of the lanes
    ptrdiff_t row;      // words of a query or key
    ptrdiff_t pairs;    // words of a column of the values
    ptrdiff_t columns;  // numbers of a value, a multiple of the lanes
    ptrdiff_t score;    // from one query's scores to the next's: not a power of 2
    ptrdiff_t draft, values, queries, scores, sums, tail, size;
  };

  AttentionSteps(const Attention::Shape& shape, const AttentionCall& call, float* scratch)
      : shape_(shape),
        call_(call),
        at_(shape, call.length),
        keys_(scratch),
        draft_(scratch + at_.draft),
        values_(scratch + at_.values),
        queries_(scratch + at_.queries),
        scores_(scratch + at_.scores),
        sums_(scratch + at_.sums),
        tail_(scratch + at_.tail) {
    for (int l = 0; l < A::kLanes; ++l)
      tail_[l] = call.length - (at_.padded - A::kLanes) > l ? 0.0f : -3e38f;
  }

  // Of a head: 0 the query of a row, 1 its key, 2 its value.
  const float* numbers(int which, int head, ptrdiff_t row) const {
    return call_.qkv + row * call_.stride +
           (static_cast<ptrdiff_t>(which) * shape_.heads + head) * shape_.head_size;
  }

  void pack_row(const float* from, float scale, float* to) const {
    const F factor = A::set1(scale);
    for (int i = 0; i < shape_.head_size; i += A::kTerms * A::kLanes) {
      const F x = A::mul(factor, A::load_some(from + i, shape_.head_size - i));
      F y = x;
      if constexpr (A::kTerms == 2)
        y = A::mul(factor, A::load_some(from + i + A::kLanes, shape_.head_size - i - A::kLanes));
      A::store(to + i / A::kTerms, A::words(x, y, shape_.round_to_bf16));
    }
  }

  // Word w of key k to ((k / lanes) * row + w) * lanes + k % lanes; zeros behind the last key.
  void pack_keys(int head) const {
    for (ptrdiff_t key = 0; key < at_.padded; key += A::kLanes) {
      for (int l = 0; l < A::kLanes; ++l) {
        float* const to = draft_ + l * at_.row;
        if (key + l < call_.length)
          pack_row(numbers(1, head, key + l), 1.0f, to);
        else
          for (ptrdiff_t w = 0; w < at_.row; ++w) to[w] = 0.0f;
      }
      for (ptrdiff_t w = 0; w < at_.row; w += A::kLanes)
        A::transpose(draft_ + w, at_.row, keys_ + key * at_.row + w * A::kLanes);
    }
  }

  // Number c of the values in word w to ((c / lanes) * pairs + w) * lanes + c % lanes.
  void pack_values(int head) const {
    for (ptrdiff_t w = 0; w < at_.pairs; ++w) {
      const float* const from = numbers(2, head, w * A::kTerms);
      for (int c = 0; c < shape_.head_size; c += A::kLanes) {
        const F x = A::load_some(from + c, shape_.head_size - c);
        F y = A::set1(0.0f);
        if (A::kTerms == 2 && w * 2 + 1 < call_.length)
          y = A::load_some(from + call_.stride + c, shape_.head_size - c);
        A::store(values_ + c * at_.pairs + w * A::kLanes, A::pairs(x, y, shape_.round_to_bf16));
      }
    }
  }

  void attend(int head, int first, int rows) const {
    for (int r = 0; r < rows; ++r)
      pack_row(numbers(0, head, first + r), shape_.scale, queries_ + r * at_.row);
    const Product scores = {
        queries_, at_.row,  keys_, at_.row * A::kLanes, shape_.head_size / A::kTerms,
        scores_,  at_.score};
    scores.run(rows, static_cast<int>(at_.padded / A::kLanes));
    // Two loops: the rows of each overlap.
    float highest[kBlock], totals[kBlock];
    for (int r = 0; r < rows; ++r) highest[r] = highest_of(scores_ + r * at_.score);
    for (int r = 0; r < rows; ++r) totals[r] = weigh(scores_ + r * at_.score, highest[r]);
    const Product sums = {
        scores_, at_.score,  values_, at_.pairs * A::kLanes, static_cast<int>(at_.pairs),
        sums_,   at_.columns};
    sums.run(rows, static_cast<int>(at_.columns / A::kLanes));
    for (int r = 0; r < rows; ++r) {
      const F factor = A::set1(1.0f / totals[r]);
      float* const to =
          call_.output + (first + r) * call_.output_stride + ptrdiff_t{head} * shape_.head_size;
      for (int c = 0; c < shape_.head_size; c += A::kLanes)
        A::store_some(to + c, A::mul(factor, A::load(sums_ + r * at_.columns + c)),
                      shape_.head_size - c);
    }
  }

  // Of a query's scores; those behind the last key become very low.
  float highest_of(float* scores) const {
    float* const last = scores + at_.padded - A::kLanes;
    A::store(last, A::add(A::load(last), A::load(tail_)));
    F best = A::load(last);
    for (const float* at = scores; at < last; at += A::kLanes) best = A::max(best, A::load(at));
    return A::highest(best);
  }

  // The scores of a query become words of 2^(score - highest), whose sum is returned: it is at
  // least 1, to which what stands behind the last key adds nothing.
  float weigh(float* scores, float highest) const {
    const F best = A::set1(highest);
    F sum = A::set1(0.0f);
    for (ptrdiff_t k = 0; k < at_.padded; k += A::kTerms * A::kLanes) {
      const F x = A::exp2(A::sub(A::load(scores + k), best));
      F y = A::set1(0.0f);
      if (A::kTerms == 2 && k + A::kLanes < at_.padded)
        y = A::exp2(A::sub(A::load(scores + k + A::kLanes), best));
      const F words = A::words(x, y, shape_.round_to_bf16);
      A::store(scores + k / A::kTerms, words);
      sum = A::product(A::ones(), words, sum);
    }
    return A::total(sum);
  }

  const Attention::Shape& shape_;
  const AttentionCall& call_;
  const Layout at_;
  float* const keys_;
  float* const draft_;  // (lanes, row)
  float* const values_;
  float* const queries_;  // (kBlock, row)
  float* const scores_;   // (kBlock, score)
  float* const sums_;     // (kBlock, columns)
  float* const tail_;     // what the scores of the last vector of keys are lowered by: (lanes)
};

}  // namespace
}  // namespace textcrs
