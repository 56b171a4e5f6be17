// Plain C++.
#include "kernels/cnn_windows.h"
#include "kernels/portable.h"

namespace textcrs {
namespace {

struct Tall : Portable {
  static constexpr int kRows = 4, kColumns = 2;
};

}  // namespace

const CnnKernel& cnn_portable() {
  static constexpr CnnKernel kernel = {Tall::kLanes, Tall::kColumns,
                                       CnnWindows<Tall>::scratch_bytes, CnnWindows<Tall>::run,
                                       CnnWindows<Tall>::make_row};
  return kernel;
}

}  // namespace textcrs
