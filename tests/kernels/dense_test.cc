#include "kernels/dense.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/bf16.h"
#include "kernels/dense_portable.h"
#include "kernels/dense_tiles.h"
#include "kernels/software_tiles.h"

namespace textcrs {
namespace {

using Floats = std::vector<float>;

struct Layer {
  int outputs, inputs;
  Floats weight, bias;
};

Layer make_layer(int outputs, int inputs, const std::function<float()>& draw) {
  Layer layer = {outputs, inputs, Floats(static_cast<size_t>(outputs * inputs)),
                 Floats(static_cast<size_t>(outputs))};
  std::generate(layer.weight.begin(), layer.weight.end(), draw);
  std::generate(layer.bias.begin(), layer.bias.end(), draw);
  return layer;
}

Floats draws(int count, const std::function<float()>& draw) {
  Floats x(static_cast<size_t>(count));
  std::generate(x.begin(), x.end(), draw);
  return x;
}

// The kernel for the matrix unit on every machine.
struct SoftwareRows : DensePortable {
  using H = uint16_t;
  static void store_terms(uint16_t* to, F x, bool) {
    for (int i = 0; i < kLanes; ++i)
      to[i] = static_cast<uint16_t>(std::isnan(x[i]) ? 0x7fc0 : to_bf16(x[i]));
  }
};

struct Kind {
  std::string name;
  Precision precision;
  std::function<Dense(const Layer&)> make;

  float rounded(float x) const { return precision == Precision::kBf16 ? rounded_to_bf16(x) : x; }
};

std::vector<Kind> kinds() {
  std::vector<Kind> all;
  for (const Isa isa : available_isas())
    for (const Precision precision : {Precision::kFp32, Precision::kBf16})
      if (precision == Precision::kBf16 || isa < Isa::kAvx512Bf16)
        all.push_back({std::string(to_string(isa)) + " " + std::string(to_string(precision)),
                       precision, [=](const Layer& layer) {
                         return Dense(isa, precision, layer.outputs, layer.inputs, layer.weight,
                                      layer.bias);
                       }});
  all.push_back({"software tiles", Precision::kBf16, [](const Layer& layer) {
                   return Dense(DenseTiles<SoftwareRows, SoftwareTiles>::kKernel, Precision::kBf16,
                                layer.outputs, layer.inputs, layer.weight, layer.bias);
                 }});
  return all;
}

// Rows without gaps, in scratch memory that others have used: full of NaN.
Floats run(const Dense& dense, const Floats& input, bool gelu = false,
           const Floats& residual = {}) {
  DenseCall call;
  call.rows = static_cast<int>(input.size()) / dense.inputs();
  Floats output(static_cast<size_t>(call.rows * dense.outputs()));
  call.input = input.data();
  call.input_stride = dense.inputs();
  call.output = output.data();
  call.output_stride = dense.outputs();
  call.gelu = gelu;
  call.residual = residual.empty() ? nullptr : residual.data();
  AlignedBytes scratch(400'000);
  std::memset(scratch.data(), 0xff, scratch.size());
  dense.run(call, scratch);
  return output;
}

double exact_gelu(double x) { return x * std::erfc(-x / std::sqrt(2.0)) / 2; }

// What rounding may make of a sum of so many products, however it is ordered: a theorem.
double sum_tolerance(int terms, double magnitude) {
  return (terms + 2) * std::ldexp(magnitude, -24) * 1.01 + 1e-37;
}

TEST(Dense, IsTheDefinition) {
  const struct {
    int outputs, inputs, rows;
  } cases[] = {{1, 1, 1},    {2, 5, 3},   {16, 1, 7},     {31, 33, 13},  {33, 31, 12},
               {64, 65, 25}, {65, 2, 40}, {97, 384, 100}, {7, 1536, 90}, {3, 3072, 49}};
  std::mt19937 random(1);
  const auto normal = [&, law = std::normal_distribution<float>()]() mutable {
    return law(random);
  };
  for (const auto& [outputs, inputs, rows] : cases) {
    const Layer layer = make_layer(outputs, inputs, normal);
    const Floats input = draws(rows * inputs, normal), residual = draws(rows * outputs, normal);
    for (const Kind& kind : kinds()) {
      SCOPED_TRACE(kind.name + ", " + std::to_string(outputs) + " x " + std::to_string(inputs));
      const Dense dense = kind.make(layer);
      const Floats plain = run(dense, input), active = run(dense, input, true),
                   added = run(dense, input, false, residual),
                   both = run(dense, input, true, residual);
      double worst[4] = {};  // in units of what is allowed
      for (int r = 0; r < rows; ++r)
        for (int o = 0; o < outputs; ++o) {
          double sum = layer.bias[static_cast<size_t>(o)], magnitude = std::abs(sum);
          for (int k = 0; k < inputs; ++k) {
            const double x = kind.rounded(layer.weight[static_cast<size_t>(o * inputs + k)]);
            const double product = x * kind.rounded(input[static_cast<size_t>(r * inputs + k)]);
            sum += product;
            magnitude += std::abs(product);
          }
          const auto at = static_cast<size_t>(r * outputs + o);
          const double extra = residual[at], allowed = sum_tolerance(inputs, magnitude);
          const auto take = [&](double& most, float found, double expected, double more) {
            const double error =
                std::abs(found - expected) / (allowed + more + std::ldexp(std::abs(expected), -24));
            if (!(error <= most)) most = error;  // NaN too
          };
          take(worst[0], plain[at], sum, 0);
          take(worst[1], active[at], exact_gelu(sum), 5e-7 + 0.2 * allowed);  // slope 1.13
          take(worst[2], added[at], sum + extra, 0);
          take(worst[3], both[at], exact_gelu(sum) + extra, 5e-7 + 0.2 * allowed);
        }
      for (int i = 0; i < 4; ++i) EXPECT_LE(worst[i], 1) << i;
    }
  }
}

TEST(Dense, PrecisionsDiffer) {
  std::mt19937 random(2);
  const auto normal = [&, law = std::normal_distribution<float>()]() mutable {
    return law(random);
  };
  const Layer layer = make_layer(20, 384, normal);
  const Floats input = draws(384, normal);
  const Floats exact =
      run(Dense(Isa::kPortable, Precision::kFp32, 20, 384, layer.weight, layer.bias), input);
  for (const Kind& kind : kinds()) {
    const Floats found = run(kind.make(layer), input);
    double distance = 0;
    for (size_t o = 0; o < found.size(); ++o)
      distance = std::max<double>(distance, std::abs(found[o] - exact[o]));
    if (kind.precision == Precision::kFp32)
      EXPECT_LE(distance, 1e-4) << kind.name;
    else
      EXPECT_GE(distance, 1e-2) << kind.name;
  }
}

// Integers up to 256 are bf16, and those up to 2^24 are sums without rounding: every kernel has to
// find the same.
TEST(Dense, IntegersAreExact) {
  EXPECT_TRUE(rc::check([] {
    const int outputs = *rc::gen::inRange(1, 100), inputs = *rc::gen::inRange(1, 150);
    const int rows = *rc::gen::inRange(1, 50);
    std::mt19937 random(*rc::gen::arbitrary<uint32_t>());
    const auto integer = [&, law = std::uniform_int_distribution<int>(-256, 256)]() mutable {
      return static_cast<float>(law(random));
    };
    const Layer layer = make_layer(outputs, inputs, integer);
    const Floats input = draws(rows * inputs, integer), residual = draws(rows * outputs, integer);
    Floats expected = residual;
    for (int r = 0; r < rows; ++r)
      for (int o = 0; o < outputs; ++o) {
        float& sum = expected[static_cast<size_t>(r * outputs + o)];
        sum += layer.bias[static_cast<size_t>(o)];
        for (int k = 0; k < inputs; ++k)
          sum += layer.weight[static_cast<size_t>(o * inputs + k)] *
                 input[static_cast<size_t>(r * inputs + k)];
      }
    for (const Kind& kind : kinds())
      RC_ASSERT(run(kind.make(layer), input, false, residual) == expected);
  }));
}

Floats row_of(const Floats& matrix, size_t row, int width) {
  const auto begin = matrix.begin() + static_cast<ptrdiff_t>(row) * width;
  return Floats(begin, begin + width);
}

bool same_bits(const Floats& a, const Floats& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

// `chosen` rows of `input`, or rows of other numbers where there is no such row, against the
// outputs that each row has alone.
bool each_alone(const Dense& dense, const Floats& input, const Floats& alone,
                const std::vector<size_t>& chosen, bool gelu) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const float others[] = {NAN, kInf, -kInf, 3e38f, -3e38f, 0};
  const size_t rows = input.size() / static_cast<size_t>(dense.inputs());
  Floats together;
  for (const size_t i : chosen)
    if (i < rows) {
      const Floats row = row_of(input, i, dense.inputs());
      together.insert(together.end(), row.begin(), row.end());
    } else {
      together.insert(together.end(), static_cast<size_t>(dense.inputs()),
                      others[(i - rows) % std::size(others)]);
    }
  const Floats found = run(dense, together, gelu);
  for (size_t k = 0; k < chosen.size(); ++k)
    if (chosen[k] < rows &&
        !same_bits(row_of(found, k, dense.outputs()), row_of(alone, chosen[k], dense.outputs())))
      return false;
  return true;
}

Floats outputs_alone(const Dense& dense, const Floats& input, bool gelu) {
  Floats all;
  for (size_t i = 0; i < input.size() / static_cast<size_t>(dense.inputs()); ++i) {
    const Floats one = run(dense, row_of(input, i, dense.inputs()), gelu);
    all.insert(all.end(), one.begin(), one.end());
  }
  return all;
}

TEST(Dense, WhatBecomesOfARowDependsOnTheRowAlone) {
  std::mt19937 random(3);
  const auto normal = [&, law = std::normal_distribution<float>()]() mutable {
    return law(random);
  };
  constexpr int kRows = 30;
  const Layer layer = make_layer(37, 45, normal);
  const Floats input = draws(kRows * layer.inputs, normal);
  std::vector<Dense> all;
  std::vector<Floats> alone[2];
  for (const Kind& kind : kinds()) {
    all.push_back(kind.make(layer));
    for (const bool gelu : {false, true})
      alone[gelu].push_back(outputs_alone(all.back(), input, gelu));
  }
  EXPECT_TRUE(rc::check([&](bool gelu) {
    const auto chosen = *rc::gen::container<std::vector<size_t>>(
        *rc::gen::inRange<size_t>(1, 100), rc::gen::inRange<size_t>(0, kRows + 8));
    for (size_t i = 0; i < all.size(); ++i)
      RC_ASSERT(each_alone(all[i], input, alone[gelu][i], chosen, gelu));
  }));
}

// Longer rows than a block of them holds.
TEST(Dense, WhatBecomesOfALongRowDependsOnTheRowAlone) {
  std::mt19937 random(4);
  const auto normal = [&, law = std::normal_distribution<float>()]() mutable {
    return law(random);
  };
  for (const int inputs : {3073, 7000}) {
    const Layer layer = make_layer(3, inputs, normal);
    const Floats input = draws(5 * inputs, normal);
    for (const Kind& kind : kinds()) {
      const Dense dense = kind.make(layer);
      const Floats alone = outputs_alone(dense, input, false);
      for (const size_t rows : {2, 11, 13, 33, 70}) {
        std::vector<size_t> chosen(rows);
        for (size_t& i : chosen) i = std::uniform_int_distribution<size_t>(0, 10)(random);
        EXPECT_TRUE(each_alone(dense, input, alone, chosen, false))
            << kind.name << ", " << inputs << ", " << rows;
      }
    }
  }
}

TEST(Dense, RowsMayStandApartAndTheResidualMayBeTheOutput) {
  std::mt19937 random(5);
  const auto normal = [&, law = std::normal_distribution<float>()]() mutable {
    return law(random);
  };
  const float gap = std::bit_cast<float>(0x7fc12345);  // a NaN
  for (const auto& [outputs, inputs, rows] :
       {std::array{2, 5, 1}, std::array{32, 32, 27}, std::array{45, 70, 40}}) {
    const Layer layer = make_layer(outputs, inputs, normal);
    const Floats input = draws(rows * inputs, normal), residual = draws(rows * outputs, normal);
    const int input_stride = inputs + 3, output_stride = outputs + 5;
    // The last row ends where the memory does.
    Floats apart(static_cast<size_t>((rows - 1) * input_stride + inputs), gap);
    Floats output(static_cast<size_t>((rows - 1) * output_stride + outputs), gap);
    Floats expected = output;
    for (int r = 0; r < rows; ++r) {
      std::copy_n(&input[static_cast<size_t>(r * inputs)], inputs,
                  &apart[static_cast<size_t>(r * input_stride)]);
      std::copy_n(&residual[static_cast<size_t>(r * outputs)], outputs,
                  &output[static_cast<size_t>(r * output_stride)]);
    }
    for (const Kind& kind : kinds()) {
      SCOPED_TRACE(kind.name + ", " + std::to_string(outputs) + " outputs");
      const Dense dense = kind.make(layer);
      for (const bool gelu : {false, true}) {
        const Floats together = run(dense, input, gelu, residual);
        for (int r = 0; r < rows; ++r)
          std::copy_n(&together[static_cast<size_t>(r * outputs)], outputs,
                      &expected[static_cast<size_t>(r * output_stride)]);
        Floats found = output;
        const DenseCall call = {rows,          apart.data(), input_stride, found.data(),
                                output_stride, found.data(), gelu};
        AlignedBytes scratch;
        dense.run(call, scratch);
        EXPECT_TRUE(same_bits(found, expected)) << gelu;
      }
    }
  }
}

// The bias is what the GELU is taken of.
TEST(Dense, GeluIsAsExactAsStated) {
  Layer layer = {0, 1, {}, {}};
  for (int i = -80000; i <= 80000; ++i) layer.bias.push_back(static_cast<float>(i) / 8000);
  for (const float x : {1e-45f, 1e-38f, 1e-20f, 1e-7f, 6.0f, 6.01f, 30.0f, 1e10f, 3.4e38f}) {
    layer.bias.push_back(x);
    layer.bias.push_back(-x);
  }
  layer.outputs = static_cast<int>(layer.bias.size());
  layer.weight.resize(layer.bias.size());
  for (const Kind& kind : kinds()) {
    SCOPED_TRACE(kind.name);
    const Floats found = run(kind.make(layer), {1.0f}, true);
    double worst = 0;
    for (size_t i = 0; i < found.size(); ++i) {
      const double x = layer.bias[i];
      const double error =
          std::abs(found[i] - exact_gelu(x)) / (3e-7 + std::ldexp(std::abs(x), -24));
      if (!(error <= worst)) worst = error;
    }
    EXPECT_LE(worst, 1);
    EXPECT_EQ(found[80000], 0);
    EXPECT_EQ(found[160000], 10);
  }
}

TEST(Dense, NanStaysNan) {
  const Layer layer = {1, 1, {1.0f}, {0.0f}};
  constexpr float kInf = std::numeric_limits<float>::infinity();
  Floats input = {kInf, -kInf};
  for (const uint32_t bits : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0x7fffffffu, 0xffffffffu})
    input.push_back(std::bit_cast<float>(bits));
  for (const Kind& kind : kinds())
    for (const bool gelu : {false, true}) {
      SCOPED_TRACE(kind.name);
      const Floats found = run(kind.make(layer), input, gelu);
      EXPECT_EQ(found[0], kInf);
      if (gelu)
        EXPECT_LE(std::abs(found[1]), 1e-6);
      else
        EXPECT_EQ(found[1], -kInf);
      for (size_t i = 2; i < found.size(); ++i) EXPECT_TRUE(std::isnan(found[i])) << i;
    }
}

TEST(Dense, WrongShapesAreBugs) {
  const Floats numbers(12);
  const auto make = [&](Isa isa, int outputs, int inputs, size_t weights, size_t biases) {
    return Dense(isa, Precision::kFp32, outputs, inputs, std::span(numbers).first(weights),
                 std::span(numbers).first(biases));
  };
  EXPECT_NO_THROW(make(Isa::kPortable, 3, 4, 12, 3));
  EXPECT_THROW(make(Isa::kPortable, 3, 4, 11, 3), std::logic_error);
  EXPECT_THROW(make(Isa::kPortable, 3, 4, 12, 4), std::logic_error);
  EXPECT_THROW(make(Isa::kPortable, 0, 4, 0, 0), std::logic_error);
  EXPECT_THROW(make(Isa::kPortable, 3, 0, 0, 3), std::logic_error);
  EXPECT_THROW(make(Isa::kPortable, -3, -4, 12, 3), std::logic_error);
  for (const Isa isa : {Isa::kAvx512Bf16, Isa::kAmx})
    EXPECT_THROW(make(isa, 3, 4, 12, 3), std::logic_error);

  const Dense dense = make(Isa::kPortable, 3, 4, 12, 3);
  Floats output(6);
  const auto call = [&](DenseCall changed) {
    AlignedBytes scratch;
    dense.run(changed, scratch);
  };
  const DenseCall right = {2, numbers.data(), 4, output.data(), 3, nullptr, false};
  EXPECT_NO_THROW(call(right));
  EXPECT_NO_THROW(call(DenseCall()));
  DenseCall wrong = right;
  wrong.rows = -1;
  EXPECT_THROW(call(wrong), std::logic_error);
  wrong = right;
  wrong.input = nullptr;
  EXPECT_THROW(call(wrong), std::logic_error);
  wrong = right;
  wrong.output = nullptr;
  EXPECT_THROW(call(wrong), std::logic_error);
  wrong = right;
  wrong.input_stride = 3;
  EXPECT_THROW(call(wrong), std::logic_error);
  wrong = right;
  wrong.output_stride = 2;
  EXPECT_THROW(call(wrong), std::logic_error);
}

}  // namespace
}  // namespace textcrs
