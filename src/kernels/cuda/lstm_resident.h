// The kernel for cards of compute capability 9.0 (lstm.h).
#pragma once

#include "kernels/cuda/lstm.h"

namespace textcrs {

// Of the kernel that has room for so many units, up to kMostResidentUnits.
int resident_lstm_units(int units);
size_t resident_lstm_shared_bytes(int units);
std::vector<GpuBf16> pack_resident_weights(int units, std::span<const float> weight_hh);
// `next` (2) is scratch.
void run_resident_lstm(const GpuQueue& queue, const GpuProperties& card, const GpuLstm& lstm,
                       const GpuLstmRun& run, int* next);

}  // namespace textcrs
