// The tile registers of AMX, as lstm_tiles.h and dense_tiles.h want them. Internal linkage: see
// lstm_cells.h.
#pragma once

#include <cstddef>
#include <cstdint>

namespace textcrs {
namespace {

// Eight registers of 16 rows of 64 bytes, as the CPU reads it.
struct alignas(64) TileConfig {
  uint8_t palette = 1, start_row = 0, reserved[14] = {};
  uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};
static_assert(sizeof(TileConfig) == 64);
constexpr TileConfig kTileConfig;

// In assembler, since the intrinsics of GCC want the numbers of the registers spelled out and do
// not tell the compiler that loads read memory.
class AmxTiles {
 public:
  AmxTiles() { asm volatile("ldtilecfg %0" : : "m"(kTileConfig)); }
  ~AmxTiles() { asm volatile("tilerelease"); }
  AmxTiles(const AmxTiles&) = delete;
  AmxTiles& operator=(const AmxTiles&) = delete;

  template <int T>
  void zero() {
    asm volatile("tilezero %%tmm%c0" : : "i"(T));
  }
  template <int T>
  void load(const void* from, ptrdiff_t stride) {
    asm volatile("tileloadd (%0,%1,1), %%tmm%c2" : : "r"(from), "r"(stride), "i"(T) : "memory");
  }
  template <int T>
  void store(void* to, ptrdiff_t stride) {
    asm volatile("tilestored %%tmm%c2, (%0,%1,1)" : : "r"(to), "r"(stride), "i"(T) : "memory");
  }
  template <int S, int X, int W>
  void dot() {
    asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" : : "i"(S), "i"(X), "i"(W));
  }
};

}  // namespace
}  // namespace textcrs
