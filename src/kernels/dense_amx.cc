// Compiled for AVX-512 as dense_avx512_bf16.cc is, and for the tiles of AMX and their bf16
// products.
#include "kernels/amx_tiles.h"
#include "kernels/dense_avx512_bf16.h"
#include "kernels/dense_tiles.h"

namespace textcrs {

const DenseKernel& dense_amx() { return DenseTiles<DenseAvx512Bf16, AmxTiles>::kKernel; }

}  // namespace textcrs
