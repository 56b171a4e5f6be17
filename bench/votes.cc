// Texts per second that words that vote certify, from their words in memory and from their ids.
// Beside them what they can not do without: the look-ups of the words, and the reads of the words'
// scores from the table; their rates are limits.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include "textcrs/base/parallel.h"
#include "textcrs/certified/voting_classifier.h"
#include "vocabulary.h"

namespace textcrs::bench {
namespace {

constexpr int kVocabulary = 75000;
constexpr size_t kWords = 250;  // of a text: a review of IMDB
constexpr size_t kTexts = 4096;
constexpr int kClasses = 2;
constexpr int kLargestVote = 1000;

struct Reviews {
  std::vector<int32_t> scores;  // (words, classes)
  Vocabulary vocabulary;
  std::unique_ptr<VotingClassifier> classifier;
  std::vector<std::vector<WordId>> ids;
  std::vector<std::vector<std::string>> words;
  std::vector<int> answers;
};

// The r-th word comes as often as 1/r says. One of three that speak against the text's class is
// drawn again, so that radii are those of reviews.
std::vector<WordId> made_up_review(std::span<const int32_t> scores, uint32_t number) {
  Stream stream(2, number, 0);
  std::vector<WordId> text;
  const size_t side = number % kClasses;
  while (text.size() < kWords) {
    const double share = (stream.below(1 << 24) + 0.5) / (1 << 24);
    const auto rank = static_cast<WordId>(std::pow(kVocabulary, share)) - 1;
    const WordId word = kFirstWord + std::min(rank, kVocabulary - 1);
    const int32_t* const row = scores.data() + static_cast<size_t>(word) * kClasses;
    if (row[side] < row[1 - side] && stream.below(3) == 0) continue;
    text.push_back(word);
  }
  return text;
}

const Reviews& reviews() {
  static const Reviews made = [] {
    Reviews all;
    ModelConfig config;
    config.architecture = "votes";
    config.classes = {"negative", "positive"};
    all.vocabulary = made_up_vocabulary(kVocabulary);
    std::shared_ptr<Classifier> model = Classifier::fresh(config, all.vocabulary);
    Weights weights = model->weights();
    Stream stream(1, 0, 0);
    for (auto& [name, tensor] : weights)
      for (float& value : tensor.values)
        value = static_cast<float>(stream.below(kLargestVote)) - kLargestVote / 2;
    model->assign(weights);
    for (const float value : weights.at("scores").values)
      all.scores.push_back(static_cast<int32_t>(value));
    all.classifier = std::make_unique<VotingClassifier>(model);
    for (uint32_t number = 0; number < kTexts; ++number) {
      all.ids.push_back(made_up_review(all.scores, number));
      std::vector<std::string>& words = all.words.emplace_back();
      for (const WordId id : all.ids.back()) words.push_back(all.vocabulary.word(id));
      all.answers.push_back(all.classifier->certify(words, 0).prediction);
    }
    return all;
  }();
  return made;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

using Work = std::function<void(size_t text)>;

// Texts per second.
double rate_of(const Work& work, int threads) {
  constexpr size_t kAtOnce = 64;
  const auto start = std::chrono::steady_clock::now();
  parallel_for(kTexts / kAtOnce, threads, [&](size_t part) {
    for (size_t text = part * kAtOnce; text < (part + 1) * kAtOnce; ++text) work(text);
  });
  return kTexts / seconds_since(start);
}

void look_up(size_t text) {
  benchmark::DoNotOptimize(reviews().vocabulary.encode(reviews().words[text]));
}

void add_up(size_t text) {
  int64_t sums[kClasses] = {};
  for (const WordId word : reviews().ids[text])
    for (size_t c = 0; c < kClasses; ++c)
      sums[c] += reviews().scores[static_cast<size_t>(word) * kClasses + c];
  benchmark::DoNotOptimize(sums);
}

void certify_words(size_t text) {
  benchmark::DoNotOptimize(
      reviews().classifier->certify(reviews().words[text], static_cast<uint32_t>(text)));
}

void certify_ids(size_t text) {
  benchmark::DoNotOptimize(
      reviews().classifier->harmless_edits(reviews().ids[text], reviews().answers[text]));
}

// `limit` is the part of the work that nothing can spare.
void texts(benchmark::State& state, const Work& work, const Work& limit, int threads) {
  rate_of(work, threads);  // everything is made
  double seconds = 0, rounds = 0, best = 0;
  for (auto _ : state) {
    seconds += kTexts / rate_of(work, threads);
    ++rounds;
  }
  for (int i = 0; i < 5; ++i) best = std::max(best, rate_of(limit, threads));
  const double rate = rounds * kTexts / seconds;
  state.counters["texts/s"] = rate;
  state.counters["limit/s"] = best;
  state.counters["%limit"] = 100 * rate / best;
}

[[maybe_unused]] const bool registered = [] {
  for (const int threads : {1, 2}) {
    const auto add = [&](const char* from, const Work& work, const Work& limit) {
      benchmark::RegisterBenchmark(fmt::format("votes/{}/threads:{}", from, threads).c_str(), texts,
                                   work, limit, threads)
          ->MeasureProcessCPUTime()
          ->UseRealTime()
          ->Unit(benchmark::kMillisecond);
    };
    add("words", certify_words, look_up);
    add("ids", certify_ids, add_up);
  }
  return true;
}();

}  // namespace
}  // namespace textcrs::bench
