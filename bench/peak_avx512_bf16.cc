#include <immintrin.h>

#include "peak.h"

namespace textcrs::bench {

PeakLoop peak_avx512_bf16() {
  return {12 * 32 * 2, [](long rounds) {
            __m512 sum[12], total = _mm512_setzero_ps();
            __m512i a = _mm512_set1_epi32(0x3f803f80);
            const auto b = (__m512bh)_mm512_set1_epi32(0x3f003f00);
            for (auto& s : sum) s = _mm512_setzero_ps();
            for (long i = 0; i < rounds; ++i) {
              asm volatile("" : "+x"(a));
              for (auto& s : sum) s = _mm512_dpbf16_ps(s, (__m512bh)a, b);
            }
            for (const auto& s : sum) total = _mm512_add_ps(total, s);
            return total[0];
          }};
}

}  // namespace textcrs::bench
