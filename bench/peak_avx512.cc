#include <immintrin.h>

#include "peak.h"

namespace textcrs::bench {

PeakLoop peak_avx512() {
  return {12 * 16 * 2, [](long rounds) {
            __m512 sum[12], a = _mm512_set1_ps(1.0f);
            const __m512 b = _mm512_set1_ps(0.5f);
            for (auto& s : sum) s = _mm512_setzero_ps();
            for (long i = 0; i < rounds; ++i) {
              asm volatile("" : "+x"(a));
              for (auto& s : sum) s = _mm512_fmadd_ps(a, b, s);
            }
            for (const auto& s : sum) a = _mm512_add_ps(a, s);
            return a[0];
          }};
}

}  // namespace textcrs::bench
