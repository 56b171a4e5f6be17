// Compiled for AVX-512 as lstm_avx512_bf16.cc is, and for the tiles of AMX and their bf16 products.
#include "kernels/amx_tiles.h"
#include "kernels/avx512_bf16.h"
#include "kernels/lstm_tiles.h"

namespace textcrs {
namespace {

struct Vectors : Avx512Bf16 {
  static constexpr int kRows = 16;

  static F bounded(F x, F most) { return _mm512_range_ps(x, most, 0b1010); }
  struct Table {
    F low, high;
  };
  static Table table(const float (&values)[32]) { return {load(values), load(values + 16)}; }
  static F look_up(const Table& table, F place) {
    return _mm512_permutex2var_ps(table.low, _mm512_castps_si512(place), table.high);
  }
  static F flipped(F x, F by) {
    const __m512i sign = _mm512_castps_si512(set1(-0.0f));
    constexpr int kXorAnd = 0b01111000;  // a ^ (b & c)
    return _mm512_castsi512_ps(
        _mm512_ternarylogic_epi32(_mm512_castps_si512(x), _mm512_castps_si512(by), sign, kXorAnd));
  }
};

}  // namespace

const LstmKernel& lstm_amx() { return LstmTiles<Vectors, AmxTiles>::kKernel; }

}  // namespace textcrs
