// Compiled for AVX2 and FMA.
#include "kernels/avx2.h"
#include "kernels/cnn_windows.h"

namespace textcrs {
namespace {

struct Tall : Avx2 {
  static constexpr int kRows = 4, kColumns = 3;
};

}  // namespace

const CnnKernel& cnn_avx2() {
  static constexpr CnnKernel kernel = {Tall::kLanes, Tall::kColumns,
                                       CnnWindows<Tall>::scratch_bytes, CnnWindows<Tall>::run,
                                       CnnWindows<Tall>::make_row};
  return kernel;
}

}  // namespace textcrs
