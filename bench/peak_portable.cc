#include "peak.h"

namespace textcrs::bench {

using Floats = float __attribute__((vector_size(16)));

PeakLoop peak_portable() {
  return {12 * 4 * 2, [](long rounds) {
            Floats sum[12] = {};
            Floats a = {1, 1, 1, 1};
            const Floats b = {0.5f, 0.25f, 0.125f, 0.75f};
            for (long i = 0; i < rounds; ++i) {
              asm volatile("" : "+x"(a));
              for (auto& s : sum) s = a * b + s;
            }
            for (const auto& s : sum) a += s;
            return a[0];
          }};
}

}  // namespace textcrs::bench
