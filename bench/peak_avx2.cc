#include <immintrin.h>

#include "peak.h"

namespace textcrs::bench {

PeakLoop peak_avx2() {
  return {12 * 8 * 2, [](long rounds) {
            __m256 sum[12], a = _mm256_set1_ps(1.0f);
            const __m256 b = _mm256_set1_ps(0.5f);
            for (auto& s : sum) s = _mm256_setzero_ps();
            for (long i = 0; i < rounds; ++i) {
              asm volatile("" : "+x"(a));
              for (auto& s : sum) s = _mm256_fmadd_ps(a, b, s);
            }
            for (const auto& s : sum) a = _mm256_add_ps(a, s);
            return a[0];
          }};
}

}  // namespace textcrs::bench
