// From reviews to words: plain English, and the marks, tags and accents that cost more.
#include "textcrs/text/tokenizer.h"

#include <benchmark/benchmark.h>

#include "textcrs/base/stream.h"

namespace textcrs::bench {
namespace {

std::string made_up_review(uint32_t number, bool plain) {
  static const char* kPlain[] = {"the",   "film", "was",    "a",    "beautiful", "story",
                                 "of",    "two",  "people", "who",  "never",     "meet",
                                 "again", "and",  "it",     "shows"};
  static const char* kRich[] = {"don't", "it's",   "low-budget", "1990's",    "U.S.",    "10/10",
                                "!!!",   "<br />", "caf\u00e9",  "\u2014",    "o'brien", "&amp;",
                                "(the",  "film).", "\"best\"",   "Director's"};
  Stream stream(1, number, 0);
  std::string text;
  while (text.size() < 1300) {  // bytes of the average review of IMDB
    text += plain || stream.below(4) > 0 ? kPlain[stream.below(16)] : kRich[stream.below(16)];
    text += stream.below(12) == 0 ? ", " : " ";
  }
  return text;
}

void tokenize_reviews(benchmark::State& state, bool plain) {
  std::vector<std::string> reviews;
  size_t bytes = 0;
  for (uint32_t i = 0; i < 200; ++i) {
    reviews.push_back(made_up_review(i, plain));
    bytes += reviews.back().size();
  }
  for (auto _ : state)
    for (const std::string& review : reviews) benchmark::DoNotOptimize(tokenize(review));
  state.SetBytesProcessed(static_cast<int64_t>(bytes) * state.iterations());
}
BENCHMARK_CAPTURE(tokenize_reviews, plain, true)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(tokenize_reviews, with_marks, false)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace textcrs::bench
