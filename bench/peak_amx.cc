#include <immintrin.h>

#include <cstdint>

#include "peak.h"

namespace textcrs::bench {

// Four accumulators of 16 x 16, each product with 32 terms.
PeakLoop peak_amx() {
  return {4 * 16 * 16 * 32 * 2, [](long rounds) {
            struct alignas(64) Config {
              uint8_t palette = 1, start_row = 0, reserved[14] = {};
              uint16_t bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
              uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
            } const config;
            alignas(64) uint16_t ones[16 * 32];
            for (auto& x : ones) x = 0x3f80;
            alignas(64) float sum[16 * 16];
            _tile_loadconfig(&config);
            _tile_zero(0);
            _tile_zero(1);
            _tile_zero(2);
            _tile_zero(3);
            _tile_loadd(4, ones, 64);
            _tile_loadd(5, ones, 64);
            for (long i = 0; i < rounds; ++i) {
              _tile_dpbf16ps(0, 4, 5);
              _tile_dpbf16ps(1, 4, 5);
              _tile_dpbf16ps(2, 4, 5);
              _tile_dpbf16ps(3, 4, 5);
            }
            _tile_stored(0, sum, 64);
            _tile_release();
            return sum[0];
          }};
}

}  // namespace textcrs::bench
