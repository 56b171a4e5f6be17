// The kernel for any card and any number of units (lstm.h).
#pragma once

#include "kernels/cuda/lstm.h"

namespace textcrs {

std::vector<GpuBf16> pack_streamed_weights(int units, std::span<const float> weight_hh);
size_t streamed_lstm_scratch_bytes(const GpuProperties& card, int padded);
void run_streamed_lstm(const GpuQueue& queue, const GpuProperties& card, const GpuLstm& lstm,
                       const GpuLstmRun& run, void* scratch);

}  // namespace textcrs
