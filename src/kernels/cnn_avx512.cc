// Compiled for AVX-512 F, BW, DQ and VL.
#include "kernels/avx512.h"
#include "kernels/cnn_windows.h"

namespace textcrs {
namespace {

struct Tall : Avx512 {
  static constexpr int kRows = 6, kColumns = 4;
};

}  // namespace

const CnnKernel& cnn_avx512() {
  static constexpr CnnKernel kernel = {Tall::kLanes, Tall::kColumns,
                                       CnnWindows<Tall>::scratch_bytes, CnnWindows<Tall>::run,
                                       CnnWindows<Tall>::make_row};
  return kernel;
}

}  // namespace textcrs
