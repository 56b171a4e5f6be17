#include "kernels/lstm.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/lstm_cases.h"
#include "kernels/lstm_tiles.h"
#include "kernels/software_tiles.h"

namespace textcrs {
namespace {

struct Kind {
  std::string name;
  Precision precision;
  bool looks_up;  // its activations, as kernels/sigmoid_table.h does
  std::function<Lstm(const Layer&)> make;
};

std::vector<Kind> kinds() {
  std::vector<Kind> all;
  for (const Isa isa : available_isas())
    for (const Precision precision : {Precision::kFp32, Precision::kBf16})
      if (precision == Precision::kBf16 || isa < Isa::kAvx512Bf16)
        all.push_back({std::string(to_string(isa)) + " " + std::string(to_string(precision)),
                       precision, isa == Isa::kAmx, [=](const Layer& layer) {
                         return Lstm(isa, precision, layer.units, layer.hh, layer.ih);
                       }});
  all.push_back({"software tiles", Precision::kBf16, true, [](const Layer& layer) {
                   return Lstm(LstmTiles<SoftwareVectors, SoftwareTiles>::kKernel, Precision::kBf16,
                               layer.units, layer.hh, layer.ih);
                 }});
  return all;
}

// What holds after 60 steps. In bf16 now and then a state falls on the other side of a tie, which
// makes it 2^-8 of itself larger or smaller.
double tolerance(Precision precision) { return precision == Precision::kFp32 ? 3e-6 : 4e-4; }

double distance(const Vectors& found, const std::vector<std::vector<double>>& expected) {
  double worst = 0;
  for (size_t k = 0; k < found.size(); ++k)
    for (size_t u = 0; u < found[k].size(); ++u) {
      const double error = std::abs(found[k][u] - expected[k][u]);
      if (!(error <= worst)) worst = error;  // NaN too
    }
  return worst;
}

TEST(Lstm, IsTheDefinition) {
  const struct {
    int units, inputs, count;
  } cases[] = {{1, 0, 1},   {1, 5, 40},    {7, 0, 17},   {7, 100, 3},   {16, 5, 16}, {16, 0, 33},
               {33, 5, 40}, {33, 100, 13}, {150, 0, 20}, {150, 100, 7}, {150, 5, 2}};
  std::mt19937 random(1);
  for (const auto& [units, inputs, count] : cases) {
    const Layer layer = make_layer(random, units, inputs);
    const std::vector<Sequence> texts = make_sequences(random, layer, count);
    std::vector<std::vector<double>> expected[2];
    for (const Precision precision : {Precision::kFp32, Precision::kBf16})
      for (const Sequence& text : texts)
        expected[static_cast<int>(precision)].push_back(reference(layer, text, precision));
    for (const Kind& kind : kinds()) {
      SCOPED_TRACE(kind.name + ", units " + std::to_string(units) + ", inputs " +
                   std::to_string(inputs));
      const Vectors found = run(kind.make(layer), texts);
      EXPECT_LE(distance(found, expected[static_cast<int>(kind.precision)]),
                tolerance(kind.precision));
      if (units == 150)  // the precisions differ by more than the tolerances
        EXPECT_GE(distance(found, expected[1 - static_cast<int>(kind.precision)]),
                  tolerance(Precision::kBf16));
    }
  }
}

TEST(Lstm, WhatBecomesOfASequenceDependsOnTheSequenceAlone) {
  std::mt19937 random(2);
  for (const int inputs : {0, 5}) {
    const Layer layer = make_layer(random, 20, inputs);
    const std::vector<Sequence> texts = make_sequences(random, layer, 50, 15);
    std::vector<Lstm> lstms;
    std::vector<Vectors> forth, back;
    for (const Kind& kind : kinds()) {
      lstms.push_back(kind.make(layer));
      forth.emplace_back();
      back.emplace_back();
      for (const Sequence& text : texts) {
        forth.back().push_back(run(lstms.back(), {text})[0]);
        back.back().push_back(run(lstms.back(), {backward(text)})[0]);
      }
    }
    EXPECT_TRUE(rc::check([&](bool from_the_end) {
      auto chosen = *rc::gen::container<std::vector<size_t>>(
          *rc::gen::inRange<size_t>(1, 41), rc::gen::inRange<size_t>(0, texts.size()));
      std::stable_sort(chosen.begin(), chosen.end(),
                       [&](size_t a, size_t b) { return texts[a].length() > texts[b].length(); });
      std::vector<const Sequence*> together;
      for (const size_t i : chosen) together.push_back(&texts[i]);
      for (size_t i = 0; i < lstms.size(); ++i) {
        const Vectors found = run(lstms[i], together, from_the_end);
        for (size_t k = 0; k < chosen.size(); ++k)
          RC_ASSERT(found[k] == (from_the_end ? back : forth)[i][chosen[k]]);
      }
    }));
  }
}

TEST(Lstm, HugePreActivationsAndZeros) {
  std::mt19937 random(3);
  const float values[] = {-1e30f, -1e4f, -60, 0, 60, 1e4f, 1e30f};
  const Layer layer = make_layer(random, 33, 0);
  std::vector<Sequence> texts = make_sequences(random, layer, 20);
  for (Sequence& text : texts)
    for (auto& gates : text.gates)
      for (float& x : gates) x = values[std::uniform_int_distribution<int>(0, 6)(random)];
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    std::vector<std::vector<double>> expected;
    for (const Sequence& text : texts) expected.push_back(reference(layer, text, kind.precision));
    EXPECT_LE(distance(run(kind.make(layer), texts), expected), tolerance(kind.precision));
  }
}

TEST(Lstm, ZerosStayZero) {
  const Layer layer = {20, 0, std::vector<float>(4 * 20 * 20, 1.0f), {}};
  const Sequence text = {Vectors(9, std::vector<float>(4 * 20)), Vectors(9)};
  for (const Kind& kind : kinds())
    EXPECT_EQ(run(kind.make(layer), {text})[0], std::vector<float>(20)) << kind.name;
}

// A step of a single unit without weights, as its row has it: i, f, g, o with sigmoid = 1 / (1 +
// 2^x) and tanh = 2 / (1 + 2^x) - 1.
using Step = std::array<float, 4>;

// The largest hidden states of sequences of one length.
std::vector<float> hidden(const Lstm& lstm, const std::vector<std::vector<Step>>& texts) {
  std::vector<Vectors> rows(texts.size());
  std::vector<std::vector<const float*>> pointers(texts.size());
  std::vector<const float* const*> begins;
  for (size_t k = 0; k < texts.size(); ++k) {
    for (const Step& step : texts[k]) {
      rows[k].emplace_back(lstm.row_size());
      for (int g = 0; g < 4; ++g)
        rows[k].back()[static_cast<size_t>(g * lstm.lanes())] = step[static_cast<size_t>(g)];
    }
    for (const auto& row : rows[k]) pointers[k].push_back(row.data());
    begins.push_back(pointers[k].data());
  }
  const std::vector<int> lengths(texts.size(), static_cast<int>(texts[0].size()));
  std::vector<float> pooled(texts.size());
  AlignedBytes scratch;
  LstmSequences sequences;
  sequences.count = static_cast<int>(texts.size());
  sequences.lengths = lengths.data();
  sequences.rows = begins.data();
  sequences.pooled = pooled.data();
  lstm.run(sequences, scratch);
  return pooled;
}

TEST(Lstm, ActivationsAreAsExactAsStated) {
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp2(x)); };
  std::vector<float> points;
  for (int i = 0; i <= 20000; ++i) points.push_back(static_cast<float>(0.004 * i - 40));
  const Layer layer = {1, 0, std::vector<float>(4), {}};
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    const Lstm lstm = kind.make(layer);
    std::vector<std::vector<Step>> outputs, candidates, inputs, forgets;
    for (const float x : points) {
      outputs.push_back({{-60, 0, -60, x}});
      candidates.push_back({{-60, 0, x, -60}});
      inputs.push_back({{x, 0, -60, -60}});
      forgets.push_back({{-60, 0, -60, 60}, {60, x, 0, -60}});
    }
    const std::vector<float> output = hidden(lstm, outputs), candidate = hidden(lstm, candidates),
                             input = hidden(lstm, inputs), forget = hidden(lstm, forgets);
    double worst[4] = {}, worst_share = 0;
    const auto take = [](double& most, double error) {
      if (!(error <= most)) most = error;
    };
    for (size_t i = 0; i < points.size(); ++i) {
      const double gate = sigmoid(points[i]);
      take(worst_share, std::abs(output[i] / (gate * std::tanh(1)) - 1));
      take(worst[0], std::abs(output[i] - gate * std::tanh(1)));
      take(worst[1], std::abs(candidate[i] - std::tanh(2 * gate - 1)));
      take(worst[2], std::abs(input[i] - std::tanh(gate)));
      take(worst[3], std::abs(forget[i] - std::tanh(gate)));
    }
    // Relative: 2e-7 for 2^x, 0.3 times that for the tanh, 2e-7 for a reciprocal, and rounding.
    // Looked up: 2.7e-5 for a sigmoid, twice that for a tanh, of which there may be two.
    if (!kind.looks_up) EXPECT_LE(worst_share, 6e-7);
    for (int i = 0; i < 4; ++i) EXPECT_LE(worst[i], kind.looks_up ? 1.1e-4 : 4e-7) << i;
  }
}

TEST(Lstm, WrongShapesAreBugs) {
  const std::vector<float> hh(4 * 3 * 3), ih(4 * 3 * 2);
  const auto make = [&](Isa isa, Precision precision, int units, size_t of_hh, size_t of_ih) {
    Lstm(isa, precision, units, std::span(hh).first(of_hh), std::span(ih).first(of_ih));
  };
  EXPECT_NO_THROW(make(Isa::kPortable, Precision::kFp32, 3, 36, 24));
  EXPECT_THROW(make(Isa::kPortable, Precision::kFp32, 3, 35, 0), std::logic_error);
  EXPECT_THROW(make(Isa::kPortable, Precision::kFp32, 2, 36, 0), std::logic_error);
  EXPECT_THROW(make(Isa::kPortable, Precision::kFp32, 3, 36, 23), std::logic_error);
  EXPECT_THROW(make(Isa::kPortable, Precision::kFp32, 0, 0, 0), std::logic_error);
  EXPECT_THROW(make(Isa::kPortable, Precision::kFp32, -3, 36, 0), std::logic_error);
  for (const Isa isa : {Isa::kAvx512Bf16, Isa::kAmx})
    EXPECT_THROW(make(isa, Precision::kFp32, 3, 36, 0), std::logic_error);

  const Lstm lstm(Isa::kPortable, Precision::kFp32, 3, hh, ih);
  EXPECT_EQ(lstm.inputs(), 2);
  std::vector<float> row(static_cast<size_t>(lstm.row_size()));
  EXPECT_THROW(lstm.make_row(std::vector<float>(11), row.data()), std::logic_error);

  const Sequence one = {Vectors(1, std::vector<float>(12)), Vectors(1, std::vector<float>(2))};
  const Sequence two = {Vectors(2, std::vector<float>(12)), Vectors(2, std::vector<float>(2))};
  EXPECT_NO_THROW(run(lstm, {two, one}));
  EXPECT_THROW(run(lstm, {one, two}), std::logic_error);
  EXPECT_THROW(run(lstm, {one, Sequence()}), std::logic_error);
  EXPECT_TRUE(run(lstm, std::vector<Sequence>()).empty());
  EXPECT_THROW(hidden(lstm, {{{}}}), std::logic_error);
}

}  // namespace
}  // namespace textcrs
