// Scores of words, added up. Whole numbers, so the sums are exact and any order of the words gives
// the same.
#include <algorithm>
#include <array>

#include "engine/cpu_model.h"
#include "model/tensors.h"
#include "model/vote_table.h"
#include "model/vote_windows.h"

namespace textcrs {
namespace {

// Adds the rows of the words to `sums`.
void add_any_rows(std::span<const WordId> words, const int32_t* table, std::span<int64_t> sums) {
  for (const WordId word : words) {
    const int32_t* const row = table + static_cast<size_t>(word) * sums.size();
    for (size_t c = 0; c < sums.size(); ++c) sums[c] += row[c];
  }
}

// The same with few classes, whose sums stay in registers.
template <size_t kClasses>
void add_rows(std::span<const WordId> words, const int32_t* table, std::span<int64_t> sums) {
  std::array<int64_t, kClasses> local{};
  for (const WordId word : words) {
    const int32_t* const row = table + static_cast<size_t>(word) * kClasses;
    for (size_t c = 0; c < kClasses; ++c) local[c] += row[c];
  }
  for (size_t c = 0; c < kClasses; ++c) sums[c] += local[c];
}

using AddRows = void (*)(std::span<const WordId>, const int32_t*, std::span<int64_t>);

AddRows add_rows_of(size_t classes) {
  constexpr AddRows kKnown[] = {add_any_rows, add_rows<1>, add_rows<2>, add_rows<3>, add_rows<4>};
  return kKnown[classes < std::size(kKnown) ? classes : 0];
}

class CpuVotes final : public CpuModel {
 public:
  explicit CpuVotes(const Classifier& classifier)
      : classes_(classifier.config().classes.size()),
        table_(whole_numbers(classifier, kVoteScores)),
        bias_(whole_numbers(classifier, kVoteBias)),
        presence_(classifier.config().votes.presence),
        add_rows_(add_rows_of(classes_)) {
    for (int width = 2; width <= classifier.config().votes.windows; ++width)
      windows_.push_back(whole_numbers(classifier, window_scores(width)));
  }

  void score(const CopyView& copies, std::span<double> scores) const override {
    check_scores(copies, classes_, scores);
    std::vector<int64_t> sums(classes_);
    std::vector<WordId> rows;
    for (size_t i = 0; i < copies.size(); ++i) {
      const std::vector<WordId>& words = copies.copies[i];
      std::copy(bias_.begin(), bias_.end(), sums.begin());
      if (presence_) rows = different_words(words);
      add_rows_(presence_ ? rows : words, table_.data(), sums);
      for (size_t w = 0; w < windows_.size(); ++w) {
        rows = window_rows(words, w + 2, windows_[w].size() / classes_);
        add_rows_(rows, windows_[w].data(), sums);
      }
      std::copy(sums.begin(), sums.end(), scores.begin() + static_cast<ptrdiff_t>(i * classes_));
    }
  }

  bool reads_order() const override { return !windows_.empty(); }

  size_t copies_at_once() const override { return 32; }

  uint64_t part_size() const override { return 1 << 20; }

 private:
  size_t classes_;
  std::vector<int32_t> table_;  // (words, classes)
  std::vector<int32_t> bias_;
  std::vector<std::vector<int32_t>> windows_;  // of 2 words, of 3: (rows, classes)
  bool presence_;
  AddRows add_rows_;
};

}  // namespace

std::unique_ptr<CpuModel> make_cpu_votes(const Classifier& classifier, Isa, Precision) {
  return std::make_unique<CpuVotes>(classifier);
}

}  // namespace textcrs
