// Random LSTM layers and sequences, the definition of an LSTM, and a kernel's answer.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <numbers>
#include <random>
#include <vector>

#include "kernels/bf16.h"
#include "kernels/lstm.h"

namespace textcrs {

using Vectors = std::vector<std::vector<float>>;

struct Layer {
  int units, inputs;
  std::vector<float> hh, ih;
};

// A sequence: per step the pre-activations (4 units) and the inputs.
struct Sequence {
  Vectors gates, inputs;
  int length() const { return static_cast<int>(gates.size()); }
};

inline std::vector<float> uniform(std::mt19937& random, int count, double width) {
  std::uniform_real_distribution<float> law(static_cast<float>(-width), static_cast<float>(width));
  std::vector<float> numbers(static_cast<size_t>(count));
  for (float& x : numbers) x = law(random);
  return numbers;
}

inline Layer make_layer(std::mt19937& random, int units, int inputs) {
  return {units, inputs, uniform(random, 4 * units * units, 1.5 / std::sqrt(units)),
          uniform(random, 4 * units * inputs, 1 / std::sqrt(inputs + 1))};
}

inline Sequence make_sequence(std::mt19937& random, const Layer& layer, int length) {
  Sequence text;
  for (int s = 0; s < length; ++s) {
    text.gates.push_back(uniform(random, 4 * layer.units, 3));
    text.inputs.push_back(uniform(random, layer.inputs, 1));
  }
  return text;
}

// Of falling length.
inline std::vector<Sequence> make_sequences(std::mt19937& random, const Layer& layer, int count,
                                            int longest = 60) {
  std::vector<int> lengths = {longest};
  while (static_cast<int>(lengths.size()) < count)
    lengths.push_back(std::uniform_int_distribution<int>(1, longest)(random));
  std::sort(lengths.rbegin(), lengths.rend());
  std::vector<Sequence> texts;
  for (const int length : lengths) texts.push_back(make_sequence(random, layer, length));
  return texts;
}

// The definition, in double precision. With bf16 what lstm.h says is rounded is rounded.
inline std::vector<double> reference(const Layer& layer, const Sequence& text,
                                     Precision precision) {
  const double scales[4] = {-std::numbers::log2e, -std::numbers::log2e, -2 * std::numbers::log2e,
                            -std::numbers::log2e};
  const auto rounded = [&](double x) -> double {
    return precision == Precision::kBf16 ? rounded_to_bf16(static_cast<float>(x)) : x;
  };
  const auto units = static_cast<size_t>(layer.units), inputs = static_cast<size_t>(layer.inputs);
  std::vector<double> hh, ih;
  for (size_t i = 0; i < layer.hh.size(); ++i) {
    const double scale = scales[i / (units * units)];
    hh.push_back(rounded(layer.hh[i] * scale) / scale);
  }
  for (size_t i = 0; i < layer.ih.size(); ++i) {
    const double scale = scales[i / (units * inputs)];
    ih.push_back(rounded(layer.ih[i] * scale) / scale);
  }
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  std::vector<double> state(units), cell(units), best(units, -2);
  for (size_t s = 0; s < text.gates.size(); ++s) {
    std::vector<double> next(units);
    for (size_t u = 0; u < units; ++u) {
      double gates[4];
      for (size_t g = 0; g < 4; ++g) {
        const size_t row = g * units + u;
        gates[g] = text.gates[s][row];
        for (size_t j = 0; j < units; ++j) gates[g] += hh[row * units + j] * state[j];
        for (size_t j = 0; j < inputs; ++j)
          gates[g] += ih[row * inputs + j] * rounded(text.inputs[s][j]);
      }
      cell[u] = sigmoid(gates[1]) * cell[u] + sigmoid(gates[0]) * std::tanh(gates[2]);
      const double hidden = sigmoid(gates[3]) * std::tanh(cell[u]);
      best[u] = std::max(best[u], hidden);
      next[u] = rounded(hidden);
    }
    state = next;
  }
  return best;
}

// The kernel on texts of falling length, in scratch memory full of NaN. Backward: from the last
// step to the first.
inline Vectors run(const Lstm& lstm, const std::vector<const Sequence*>& texts,
                   bool backward = false) {
  std::vector<Vectors> rows(texts.size());
  std::vector<std::vector<const float*>> pointers(texts.size());
  std::vector<const float* const*> begins;
  std::vector<int> lengths;
  for (size_t k = 0; k < texts.size(); ++k) {
    for (const auto& gates : texts[k]->gates) {
      rows[k].emplace_back(lstm.row_size());
      lstm.make_row(gates, rows[k].back().data());
    }
    for (const auto& row : rows[k]) pointers[k].push_back(row.data());
    begins.push_back(backward ? &pointers[k].back() : pointers[k].data());
    lengths.push_back(texts[k]->length());
  }
  const std::function<void(int, int, float*)> input = [&](int k, int s, float* out) {
    const Sequence& text = *texts[static_cast<size_t>(k)];
    const auto& numbers = text.inputs[static_cast<size_t>(backward ? text.length() - 1 - s : s)];
    std::copy(numbers.begin(), numbers.end(), out);
  };
  std::vector<float> pooled(texts.size() * static_cast<size_t>(lstm.units()));
  LstmSequences sequences;
  sequences.count = static_cast<int>(texts.size());
  sequences.lengths = lengths.data();
  sequences.rows = begins.data();
  sequences.stride = backward ? -1 : 1;
  sequences.input = [](void* context, int k, int s, float* out) {
    (*static_cast<const std::function<void(int, int, float*)>*>(context))(k, s, out);
  };
  sequences.context = const_cast<void*>(static_cast<const void*>(&input));
  sequences.pooled = pooled.data();
  AlignedBytes scratch(1 << 19);
  std::memset(scratch.data(), 0xff, scratch.size());
  lstm.run(sequences, scratch);
  Vectors result;
  for (size_t k = 0; k < texts.size(); ++k)
    result.emplace_back(pooled.begin() + static_cast<ptrdiff_t>(k) * lstm.units(),
                        pooled.begin() + static_cast<ptrdiff_t>(k + 1) * lstm.units());
  return result;
}

inline Vectors run(const Lstm& lstm, const std::vector<Sequence>& texts) {
  std::vector<const Sequence*> pointers;
  for (const Sequence& text : texts) pointers.push_back(&text);
  return run(lstm, pointers);
}

inline Sequence backward(Sequence text) {
  std::reverse(text.gates.begin(), text.gates.end());
  std::reverse(text.inputs.begin(), text.inputs.end());
  return text;
}

}  // namespace textcrs
