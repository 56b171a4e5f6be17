// The embedding change of one edited text, and the single edits of one text (B5).
#include "textcrs/certify/embedding_change.h"

#include <benchmark/benchmark.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "vocabulary.h"

namespace textcrs::bench {
namespace {

constexpr int kWords = 250, kSlots = 256, kDimension = 100;
constexpr WordId kFamily = 11, kVocabulary = 2000 * kFamily;

// Families of words: the first of each has a vector of length about 1, the others lie about 1/3
// from it. Near a word are ten of its family.
struct Space {
  Space() : rows(size_t{kVocabulary} * kDimension), ids(kVocabulary) {
    std::iota(ids.begin(), ids.end(), 0);
    Stream stream(2, 0, 0);
    stream.normals(rows);
    for (float& x : rows) x /= std::sqrt(static_cast<float>(kDimension));
    for (WordId word = 0; word < kVocabulary; ++word)
      for (size_t d = 0; d < kDimension; ++d) {
        float& x = rows[size_t(word) * kDimension + d];
        if (word == kPad) x = 0;
        if (word % kFamily) x = rows[size_t(word - word % kFamily) * kDimension + d] + x / 3;
      }
    text = made_up_text(made_up_vocabulary(kVocabulary - kFirstWord), kWords);
  }

  Embeddings view() const { return {rows, kDimension}; }
  std::span<const WordId> near(WordId word) const {
    return std::span(ids).subspan(size_t(word - word % kFamily + 1), kFamily - 1);
  }

  std::vector<float> rows;
  std::vector<WordId> ids, text;
};

const Space& space() {
  static const Space space;
  return space;
}

// Every second word, up to the number given, becomes one of its family.
void embedding_change(benchmark::State& state) {
  const EmbeddingChange change(space().view(), kSlots);
  std::vector<WordId> edited = space().text;
  for (int i = 0; i < state.range(0); ++i) {
    WordId& word = edited[static_cast<size_t>(2 * i)];
    word = space().near(word)[word % kFamily == 1 ? 1 : 0];
  }
  for (auto _ : state) benchmark::DoNotOptimize(change.distance(space().text, edited));
}
BENCHMARK(embedding_change)->Arg(1)->Arg(5)->Arg(100)->Unit(benchmark::kMillisecond);

// The same, but into a word of another family.
void embedding_change_far(benchmark::State& state) {
  const EmbeddingChange change(space().view(), kSlots);
  std::vector<WordId> edited = space().text;
  for (int i = 0; i < state.range(0); ++i) {
    WordId& word = edited[static_cast<size_t>(2 * i)];
    word = (word + kVocabulary / 2) % kVocabulary;
  }
  for (auto _ : state) benchmark::DoNotOptimize(change.distance(space().text, edited));
}
BENCHMARK(embedding_change_far)->Arg(1)->Arg(5)->Arg(100)->Unit(benchmark::kMillisecond);

// Every second word, up to the number given, is gone.
void embedding_change_of_deletions(benchmark::State& state) {
  const EmbeddingChange change(space().view(), kSlots);
  std::vector<WordId> edited = space().text;
  for (int i = 0; i < state.range(0); ++i) edited.erase(edited.begin() + i);
  for (auto _ : state) benchmark::DoNotOptimize(change.distance(space().text, edited));
}
BENCHMARK(embedding_change_of_deletions)->Arg(5)->Arg(100)->Unit(benchmark::kMillisecond);

// By the radius in hundredths: from hardly any to nearly all edits covered.
void single_edits(benchmark::State& state) {
  const EmbeddingChange change(space().view(), kSlots);
  const auto near = [](WordId word) { return space().near(word); };
  const double radius = static_cast<double>(state.range(0)) / 100;
  SingleEdits edits;
  for (auto _ : state)
    benchmark::DoNotOptimize(edits = change.single_edits(space().text, near, radius));
  state.SetLabel(edits.in_words());
}
BENCHMARK(single_edits)
    ->Arg(10)
    ->Arg(40)
    ->Arg(90)
    ->Arg(100)
    ->Arg(110)
    ->Arg(150)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace textcrs::bench
