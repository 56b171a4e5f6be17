// Compiled for AVX-512 as lstm_avx512_bf16.cc is, and for the tiles of AMX and their bf16 products.
#include "kernels/amx_tiles.h"
#include "kernels/avx512_bf16.h"
#include "kernels/lstm_tiles.h"

namespace textcrs {
namespace {

struct Vectors : Avx512Bf16 {
  static constexpr int kRows = 16;
};

}  // namespace

const LstmKernel& lstm_amx() { return LstmTiles<Vectors, AmxTiles>::kKernel; }

}  // namespace textcrs
