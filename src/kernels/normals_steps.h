// Philox and Box-Muller for one vector architecture A; included by the file of each, which is
// compiled for it. Everything here has internal linkage and calls nothing of the standard library:
// see lstm_cells.h.
//
// A has, with the operators of C++ on vectors,
//   F, I, U, kLanes      vectors of kLanes floats, int32_t and uint32_t
//   W                    kLanes / 2 of uint64_t, of which the low 32 bits matter; has +, ^ and >>
//   fma(a, b, c)         a b + c, rounded once or twice
//   sqrt(x)              of x >= 0, rounded to the nearest
//   rounded(x)           x, |x| < 8, as a float is rounded, within 2^-28: no product behind it is
//                        merged into a sum before it
//   set(x)               x in every place of a W
//   product(a, b)        the 64 bits of the product of the low halves
//   kOrder               blocks are drawn in this order: place j of a W is block kOrder[j]
//   order()              kOrder as a W
//   halves(a, b)         U: the low halves of a and b by turns
//   store_pairs(p, x, y) x and y by turns, and the pairs in the order of the blocks
//   kTogether            vectors of blocks that Philox works on at a time
#pragma once

#include "kernels/normals.h"

namespace textcrs {
namespace {

template <typename A>
class NormalsSteps {
 public:
  static constexpr size_t kVector = 2 * A::kLanes;  // words and normals from one vector of blocks
  static constexpr size_t kStep = A::kTogether * kVector;
  static_assert(kStep <= NormalsKernel::kLongestStep);

  static void words(const PhiloxStart& from, uint32_t* out) {
    Pairs pairs[A::kTogether];
    Philox(from).draw(from.block, pairs);
    for (const Pairs& some : pairs) {
      A::store_pairs(out, some.x, some.y);
      out += kVector;
    }
  }

  static void normals_of_words(const uint32_t* words, float* out) {
    for (int i = 0; i < A::kTogether; ++i, words += kVector, out += kVector) {
      Pairs pairs;
      for (int j = 0; j < A::kLanes / 2; ++j) {
        const uint32_t* const block = words + 4 * A::kOrder[j];
        pairs.x[2 * j] = block[0], pairs.y[2 * j] = block[1];
        pairs.x[2 * j + 1] = block[2], pairs.y[2 * j + 1] = block[3];
      }
      box_muller(pairs, out);
    }
  }

  static void normals(const PhiloxStart& from, size_t skip, size_t count, float* out) {
    const Philox philox(from);
    const size_t end = skip + count;
    uint32_t block = from.block;
    for (size_t i = 0; i < end; i += kStep, block += kStep / 4) {
      const bool whole = i >= skip && i + kStep <= end;
      float draft[kStep];
      float* const to = whole ? out + (i - skip) : draft;
      Pairs pairs[A::kTogether];
      philox.draw(block, pairs);
#pragma GCC unroll 2
      for (int j = 0; j < A::kTogether; ++j) box_muller(pairs[j], to + j * kVector);
      if (whole) continue;
      const size_t start = i < skip ? skip - i : 0, stop = i + kStep <= end ? kStep : end - i;
      __builtin_memcpy(out + (i + start - skip), draft + start, (stop - start) * sizeof(float));
    }
  }

 private:
  using F = typename A::F;
  using I = typename A::I;
  using U = typename A::U;
  using W = typename A::W;

  // What two normals are made of: the radius comes from x, the angle from y.
  struct Pairs {
    U x, y;
  };

  class Philox {
   public:
    explicit Philox(const PhiloxStart& from)
        : sample_(A::set(from.sample)),
          example_(A::set(from.example)),
          lane_(A::set(from.lane)),
          keys_(from.keys) {}

    // The blocks from `block` on, each vector of them in the order of A.
    void draw(uint32_t block, Pairs (&pairs)[A::kTogether]) const {
      const W m0 = A::set(0xD2511F53u), m1 = A::set(0xCD9E8D57u);
      W c[A::kTogether][4];
      for (auto& counter : c) {
        counter[0] = A::set(block) + A::order();
        counter[1] = sample_, counter[2] = example_, counter[3] = lane_;
        block += A::kLanes / 2;
      }
      for (int round = 0; round < 10; ++round)
        for (auto& counter : c) {
          const W p0 = A::product(m0, counter[0]), p1 = A::product(m1, counter[2]);
          counter[0] = p1 >> 32 ^ counter[1] ^ A::set(keys_[round][0]);
          counter[1] = p1;
          counter[2] = p0 >> 32 ^ counter[3] ^ A::set(keys_[round][1]);
          counter[3] = p0;
        }
      for (int j = 0; j < A::kTogether; ++j)
        pairs[j] = {A::halves(c[j][0], c[j][2]), A::halves(c[j][1], c[j][3])};
    }

   private:
    W sample_, example_, lane_;
    const uint64_t (*keys_)[2];
  };

  static void box_muller(const Pairs& pairs, float* out) {
    const F radius = A::sqrt(minus_two_log(pairs.x));
    // The angle is rounded as Stream::normals() rounds it, and brought to [-pi/4, pi/4] by
    // multiples of pi/2 in two parts, of which the first has few bits and leaves no error. Adding
    // 1.5 2^23 rounds to an integer and leaves it in the low bits.
    const F turn = __builtin_convertvector((I)(pairs.y >> 8), F);  // of 2^24
    const F angle = A::rounded(turn * (6.2831855f * 0x1p-24f));
    const F shifted = A::fma(turn, F{} + 0x1p-22f, F{} + 12582912.0f);
    const F quarters = shifted - 12582912.0f;
    F r = A::fma(quarters, F{} - 1.5707950592041016f, angle);
    r = A::fma(quarters, F{} - 1.2675908465098473e-06f, r);
    const F s = sine(r), c = cosine(r);
    const I quadrant = (I)shifted;
    const I odd = (quadrant & 1) != 0;
    const F cosines = radius * (odd ? s : c), sines = radius * (odd ? c : s);
    A::store_pairs(out, (F)((I)cosines ^ ((quadrant + 1) & 2) << 30),
                   (F)((I)sines ^ (quadrant & 2) << 30));
  }

  // -2 ln u with u = ((x >> 8) + 1) 2^-24, relative error below 2e-7: u = 2^n (1 + f) with
  // sqrt(1/2) <= 1 + f < sqrt(2), and a polynomial for -2 ln(1 + f) / f, off by 6e-8.
  static F minus_two_log(U x) {
    const F u = __builtin_convertvector((I)(x >> 8) + 1, F) * 0x1p-24f;
    const I exponent = ((I)u - 0x3f3504f3) & ~0x7fffff;  // n 2^23
    const F f = (F)((I)u - exponent) - 1.0f;
    F p = F{} - 0.17444713413715363f;
    p = A::fma(p, f, F{} + 0.2873368561267853f);
    p = A::fma(p, f, F{} - 0.2990453243255615f);
    p = A::fma(p, f, F{} + 0.33124786615371704f);
    p = A::fma(p, f, F{} - 0.39913666248321533f);
    p = A::fma(p, f, F{} + 0.5000414848327637f);
    p = A::fma(p, f, F{} - 0.6666837334632874f);
    p = A::fma(p, f, F{} + 0.9999997615814209f);
    p = A::fma(p, f, F{} - 2.0f);
    const F n = __builtin_convertvector(exponent, F);
    return A::fma(n, F{} - 1.3862943611198906f * 0x1p-23f, p * f);
  }

  // Of |r| <= pi/4, absolute error below 6e-8; the polynomials alone are off by 5e-9 and 2e-9.
  static F sine(F r) {
    const F t = r * r;
    F p = F{} - 0.0001950396253960207f;
    p = A::fma(p, t, F{} + 0.008332100696861744f);
    p = A::fma(p, t, F{} - 0.16666655242443085f);
    return A::fma(p * t, r, r);
  }
  static F cosine(F r) {
    const F t = r * r;
    F p = F{} + 2.4379878595937043e-05f;
    p = A::fma(p, t, F{} - 0.0013886683154851198f);
    p = A::fma(p, t, F{} + 0.04166662320494652f);
    p = A::fma(p, t, F{} - 0.5f);
    return A::fma(p, t, F{} + 1.0f);
  }
};

}  // namespace
}  // namespace textcrs
