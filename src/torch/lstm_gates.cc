#include "torch/lstm_gates.h"

#include <algorithm>
#include <cstring>

// One clone a vector width; the loader picks the widest the CPU has.
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define TEXTCRS_VECTOR_CLONES \
  __attribute__((target_clones("arch=skylake-avx512", "arch=haswell", "default")))
#else
#define TEXTCRS_VECTOR_CLONES
#endif
#define TEXTCRS_INLINE inline __attribute__((always_inline))

// The vectors below never cross a real call: everything is inlined into the clones.
#pragma GCC diagnostic ignored "-Wpsabi"

namespace textcrs {
namespace {

constexpr int kLanes = 16;
// Sixteen lanes, which the compiler maps to one, two or four registers.
using Floats = float __attribute__((vector_size(kLanes * sizeof(float))));
using Ints = int32_t __attribute__((vector_size(kLanes * sizeof(int32_t))));

template <typename Vector, typename T>
TEXTCRS_INLINE Vector load(const T* from, int count) {
  Vector v = {};
  if (count == kLanes)
    std::memcpy(&v, from, sizeof(v));
  else
    std::memcpy(&v, from, sizeof(T) * static_cast<size_t>(count));
  return v;
}

template <typename Vector, typename T>
TEXTCRS_INLINE void store(const Vector& v, T* to, int count) {
  if (count == kLanes)
    std::memcpy(to, &v, sizeof(v));
  else
    std::memcpy(to, &v, sizeof(T) * static_cast<size_t>(count));
}

// e^x, x clamped to [-87, 87]: 2^n * e^r with n = round(x / ln 2) and a polynomial for
// |r| <= ln(2)/2 whose relative error is below 2e-7.
TEXTCRS_INLINE Floats exp_of(Floats x) {
  x = x < -87.0f ? Floats{} - 87.0f : x;
  x = x > 87.0f ? Floats{} + 87.0f : x;
  const Floats shifted = x * 1.44269504f + 12582912.0f;  // 1.5 * 2^23: rounds to an integer
  const Floats n = shifted - 12582912.0f;
  const Floats r = (x - n * 0.693359375f) + n * 2.12194440e-4f;
  Floats e = Floats{} + 1.9875691500e-4f;
  e = e * r + 1.3981999507e-3f;
  e = e * r + 8.3334519073e-3f;
  e = e * r + 4.1665795894e-2f;
  e = e * r + 1.6666665459e-1f;
  e = e * r + 5.0000001201e-1f;
  e = e * r * r + r + 1.0f;
  // n stands in the low bits of `shifted`; shifted up, it is the exponent of 2^n.
  return e * (Floats)(((Ints)shifted << 23) + 0x3f800000);
}

TEXTCRS_INLINE Floats sigmoid(Floats x) { return 1.0f / (1.0f + exp_of(-x)); }
TEXTCRS_INLINE Floats tanh_of(Floats x) { return 1.0f - 2.0f / (1.0f + exp_of(2.0f * x)); }

}  // namespace

TEXTCRS_VECTOR_CLONES
void lstm_gates_forward(const GateStep& step, float* gates, const float* previous_cell, float* cell,
                        float* hidden, float* best, int32_t* best_time) {
  const int64_t units = step.units;
  for (int64_t row = 0; row < step.rows; ++row) {
    for (int64_t u = 0; u < units; u += kLanes) {
      const int count = static_cast<int>(std::min<int64_t>(kLanes, units - u));
      const int64_t at = row * units + u;
      float* gate = gates + row * 4 * units + u;
      const Floats i = sigmoid(load<Floats>(gate, count));
      const Floats f = sigmoid(load<Floats>(gate + units, count));
      const Floats g = tanh_of(load<Floats>(gate + 2 * units, count));
      const Floats o = sigmoid(load<Floats>(gate + 3 * units, count));
      Floats c = i * g;
      if (row < step.previous_rows) c += f * load<Floats>(previous_cell + at, count);
      const Floats h = o * tanh_of(c);
      const Floats top = load<Floats>(best + at, count);
      const Ints higher = h > top;
      const Ints time = load<Ints>(best_time + at, count);
      store(i, gate, count);
      store(f, gate + units, count);
      store(g, gate + 2 * units, count);
      store(o, gate + 3 * units, count);
      store(c, cell + at, count);
      store(h, hidden + at, count);
      store(Floats(higher ? h : top), best + at, count);
      store(Ints(higher ? Ints{} + step.time : time), best_time + at, count);
    }
  }
}

TEXTCRS_VECTOR_CLONES
void lstm_gates_backward(const GateStep& step, float* gates, const float* previous_cell,
                         const float* cell, const float* d_hidden, float* d_cell,
                         const float* d_best, const int32_t* best_time) {
  const int64_t units = step.units;
  for (int64_t row = 0; row < step.rows; ++row) {
    for (int64_t u = 0; u < units; u += kLanes) {
      const int count = static_cast<int>(std::min<int64_t>(kLanes, units - u));
      const int64_t at = row * units + u;
      float* gate = gates + row * 4 * units + u;
      const Floats i = load<Floats>(gate, count);
      const Floats f = load<Floats>(gate + units, count);
      const Floats g = load<Floats>(gate + 2 * units, count);
      const Floats o = load<Floats>(gate + 3 * units, count);
      const Ints is_best = load<Ints>(best_time + at, count) == step.time;
      const Floats pooled = load<Floats>(d_best + at, count);
      const Floats dh = load<Floats>(d_hidden + at, count) + (is_best ? pooled : Floats{});
      const Floats tc = tanh_of(load<Floats>(cell + at, count));
      const Floats dc = load<Floats>(d_cell + at, count) + dh * o * (1.0f - tc * tc);
      const Floats before =
          row < step.previous_rows ? load<Floats>(previous_cell + at, count) : Floats{};
      store(Floats(dc * g * i * (1.0f - i)), gate, count);
      store(Floats(dc * before * f * (1.0f - f)), gate + units, count);
      store(Floats(dc * i * (1.0f - g * g)), gate + 2 * units, count);
      store(Floats(dh * tc * o * (1.0f - o)), gate + 3 * units, count);
      store(Floats(dc * f), d_cell + at, count);
    }
  }
}

}  // namespace textcrs
