#include <stdexcept>

#include "kernels/cuda/launch.h"
#include "kernels/cuda/lstm.h"
#include "kernels/cuda/lstm_resident.h"
#include "kernels/cuda/lstm_streamed.h"

namespace textcrs {
namespace {

__global__ void add_both(int64_t scores, int classes, const float* directions, const float* bias,
                         double* sums) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < scores)
    sums[i] = static_cast<double>(directions[i]) + static_cast<double>(directions[scores + i]) +
              static_cast<double>(bias[i % classes]);
}

}  // namespace

int padded_units(GpuLstmKernel kernel, int units) {
  if (kernel == GpuLstmKernel::kStreamed) return (units + 7) / 8 * 8;
  return resident_lstm_units(units);
}

GpuLstmKernel choose_lstm_kernel(const GpuProperties& card, int units) {
  const bool fits = card.capability == 90 && units <= kMostResidentUnits &&
                    resident_lstm_shared_bytes(padded_units(GpuLstmKernel::kResident, units)) <=
                        card.shared_bytes;
  return fits ? GpuLstmKernel::kResident : GpuLstmKernel::kStreamed;
}

std::vector<GpuBf16> pack_weights(GpuLstmKernel kernel, int units,
                                  std::span<const float> weight_hh) {
  const auto count = static_cast<size_t>(units);
  if (units < 1 || weight_hh.size() != 4 * count * count)
    throw std::logic_error("GpuLstm: weights of another shape");
  return kernel == GpuLstmKernel::kResident ? pack_resident_weights(units, weight_hh)
                                            : pack_streamed_weights(units, weight_hh);
}

size_t lstm_scratch_bytes(const GpuProperties& card, const GpuLstm& lstm) {
  return lstm.kernel == GpuLstmKernel::kResident ? 2 * sizeof(int)
                                                 : streamed_lstm_scratch_bytes(card, lstm.padded);
}

void run_lstm(const GpuQueue& queue, const GpuProperties& card, const GpuLstm& lstm,
              const GpuLstmRun& run, void* scratch) {
  if (run.copies.count == 0) return;
  if (lstm.kernel == GpuLstmKernel::kResident)
    run_resident_lstm(queue, card, lstm, run, static_cast<int*>(scratch));
  else
    run_streamed_lstm(queue, card, lstm, run, scratch);
}

void add_directions(const GpuQueue& queue, int copies, int classes, const float* directions,
                    const float* bias, double* scores) {
  const int64_t count = static_cast<int64_t>(copies) * classes;
  if (count == 0) return;
  constexpr int kThreads = 256;
  const auto blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
  add_both<<<blocks, kThreads, 0, queue.stream()>>>(count, classes, directions, bias, scores);
  check_launch("add_directions");
}

}  // namespace textcrs
