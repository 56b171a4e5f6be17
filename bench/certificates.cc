// What a text costs after its votes are counted.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "textcrs/base/stream.h"
#include "textcrs/certify/certificate.h"
#include "textcrs/certify/confidence.h"

namespace textcrs::bench {
namespace {

constexpr int kWords = 250, kSlots = 256;

void certify(benchmark::State& state, const std::string& noise, CertificateMode mode) {
  const auto certificate = make_certificate(noise, mode, {kSlots});
  Bounds bounds{0.999, 0.001};
  for (auto _ : state) {
    benchmark::DoNotOptimize(bounds);
    benchmark::DoNotOptimize(certificate->certify(bounds, kWords));
  }
}

void clopper_pearson(benchmark::State& state) {
  const int64_t trials = state.range(0);
  int64_t successes = trials * 99 / 100;
  for (auto _ : state) {
    benchmark::DoNotOptimize(successes);
    benchmark::DoNotOptimize(clopper_pearson_lower(successes, trials, 0.001));
  }
}
BENCHMARK(clopper_pearson)->Arg(1000)->Arg(100000)->Unit(benchmark::kMicrosecond);

// Words as random points of the unit square: neighbourhoods overlap as those of word vectors do.
// `count` nearest points each, made symmetric; a coarse grid of cells finds them.
SynonymTable nearest_points(int words, int count) {
  Stream stream(7, 0, 0);
  std::vector<std::pair<double, double>> points;
  for (int i = 0; i < words; ++i) {
    const double x = stream.uniform();
    points.emplace_back(x, stream.uniform());
  }
  const int side = std::max(1, static_cast<int>(std::sqrt(words / (count + 1.0))));
  const auto cell = [&](double x) { return std::min(side - 1, static_cast<int>(x * side)); };
  std::vector<std::vector<int>> cells(static_cast<size_t>(side * side));
  const auto at = [&](int x, int y) -> auto& { return cells[static_cast<size_t>(x * side + y)]; };
  for (int i = 0; i < words; ++i)
    at(cell(points[static_cast<size_t>(i)].first), cell(points[static_cast<size_t>(i)].second))
        .push_back(i);
  std::vector<std::vector<WordId>> lists(static_cast<size_t>(words + kFirstWord));
  std::vector<std::pair<double, int>> near;
  for (int i = 0; i < words; ++i) {
    const auto [x, y] = points[static_cast<size_t>(i)];
    near.clear();
    for (int cx = std::max(0, cell(x) - 2); cx <= std::min(side - 1, cell(x) + 2); ++cx)
      for (int cy = std::max(0, cell(y) - 2); cy <= std::min(side - 1, cell(y) + 2); ++cy)
        for (const int j : at(cx, cy)) {
          const auto [other_x, other_y] = points[static_cast<size_t>(j)];
          if (j != i) near.emplace_back(std::hypot(x - other_x, y - other_y), j);
        }
    std::sort(near.begin(), near.end());
    near.resize(std::min(near.size(), static_cast<size_t>(count)));
    for (const auto& [distance, j] : near)
      lists[static_cast<size_t>(i + kFirstWord)].push_back(j + kFirstWord);
  }
  return SynonymTable("points", std::move(lists)).symmetric();
}

struct Substitution {
  SynonymTable synonyms = nearest_points(20'000, 100), candidates = nearest_points(20'000, 8);
  std::vector<WordId> text;

  Substitution() {
    Stream stream(1, 0, 0);
    for (int i = 0; i < kWords; ++i)
      text.push_back(kFirstWord + static_cast<WordId>(stream.below(20'000)));
  }
  std::unique_ptr<Certificate> certificate(const std::string& noise) const {
    CertificateContext context;
    context.synonyms = &synonyms;
    context.candidates = &candidates;
    return make_certificate(noise, CertificateMode::kSound, context);
  }
};

// `cold`: no word was seen before. `warm`: the words were, in other texts. `again`: the same text
// with other bounds, as a stop rule asks.
void substitute(benchmark::State& state, const std::string& noise, const std::string& when) {
  static const Substitution made;
  auto certificate = made.certificate(noise);
  auto text = certificate->for_text(made.text);
  const double radius = text->certify({0.999, 0.001}).radius(Operation::kSubstitution);
  for (auto _ : state) {
    state.PauseTiming();
    if (when == "cold") certificate = made.certificate(noise);
    state.ResumeTiming();
    if (when != "again") text = certificate->for_text(made.text);
    benchmark::DoNotOptimize(text->certify({0.999, 0.001}));
  }
  state.counters["radius"] = radius;
}

void register_substitution() {
  for (const std::string noise :
       {"substitute:kernel=uniform", "substitute:kernel=staircase,size=100",
        "substitute:kernel=graph", "substitute:kernel=graph,eps=0.5,reach=4"})
    for (const std::string when : {"cold", "warm", "again"})
      benchmark::RegisterBenchmark(fmt::format("certificate/{}/{}", noise, when).c_str(),
                                   substitute, noise, when)
          ->Unit(benchmark::kMillisecond);
}

void register_certificates() {
  const CertificateMode sound = CertificateMode::kSound, paper = CertificateMode::kPaper;
  for (const auto mode : {sound, paper})
    for (const std::string noise : {"delete:p=0.7", "universal:p=0.5", "universal:p=0.9",
                                    "universal:p=0.99", "reorder:block=32", "reorder:groups=32",
                                    "reorder:full", "insert:sigma=0.2", "mask:p=0.9"})
      if (find_certificate(noise, mode, {kSlots}))
        benchmark::RegisterBenchmark(
            fmt::format("certificate/{}/{}", to_string(mode), noise).c_str(), certify, noise, mode)
            ->Unit(benchmark::kMicrosecond);
  const std::string staircase = "substitute:kernel=staircase,size=50";
  benchmark::RegisterBenchmark(("certificate/paper/" + staircase).c_str(), certify, staircase,
                               paper)
      ->Unit(benchmark::kMicrosecond);
}

[[maybe_unused]] const bool registered = (register_certificates(), register_substitution(), true);

}  // namespace
}  // namespace textcrs::bench
