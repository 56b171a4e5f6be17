// Both directions of an LSTM layer over noisy copies on a GPU, max-pooled over the steps, with a
// linear head.
//
// Weights and hidden states are bf16, sums and cells fp32, and tanh is the card's own (relative
// error 2^-11; a sigmoid is 1/2 + tanh(x / 2) / 2). As on the CPU (kernels/lstm.h) the input half
// of the layer comes ready made, as rows of pre-activations: here of eight units at a time, first i
// and f, then g and o, pair of units by pair; those of i, f and o are halved, and so are their
// weights.
//
// What becomes of a copy depends on the copy alone: every sum is taken in one fixed order, whatever
// other copies there are.
#pragma once

#include <span>
#include <vector>

#include "kernels/cuda/copies.h"

namespace textcrs {

enum class GpuLstmKernel {
  kResident,  // the weights stay in shared memory: cards of compute capability 9.0, few units
  kStreamed,  // they come from the L2 cache at every step: any card and any number of units
};
constexpr int kMostResidentUnits = 160;
constexpr int kMostGpuUnits = 768;  // whose states fit into the shared memory of any card

GpuLstmKernel choose_lstm_kernel(const GpuProperties& card, int units);

struct GpuLstm {
  GpuLstmKernel kernel = GpuLstmKernel::kStreamed;
  int units = 0, padded = 0;  // padded: padded_units(kernel, units)
  int classes = 0;
  // Forward and backward: pack_weights(), and (classes, padded) the head's with zeros behind the
  // units.
  const GpuBf16* weights[2] = {};
  const float* head[2] = {};

  int row_size() const { return 4 * padded; }
};

int padded_units(GpuLstmKernel kernel, int units);
// weight_hh (4 units, units) as in PyTorch, gates in the order i, f, g, o.
std::vector<GpuBf16> pack_weights(GpuLstmKernel kernel, int units,
                                  std::span<const float> weight_hh);

// Where gate `gate` of unit `unit` is in a row, and what it is multiplied with.
inline int row_place(int gate, int unit) {
  return unit / 8 * 32 + gate / 2 * 16 + unit % 8 / 2 * 4 + gate % 2 * 2 + unit % 2;
}
inline float gate_scale(int gate) { return gate == 2 ? 1.0f : 0.5f; }

struct GpuLstmRun {
  GpuCopies copies;
  const int32_t* order = nullptr;  // sort_by_length()
  int slots = 0;                   // a copy is cut to so many
  const float* rows[2] = {};       // (rows, row_size()), of each direction
  bool row_per_slot = false;       // row copy * slots + slot is that of a copy's slot; else by word
  float* scores = nullptr;  // (2, copies, classes): what each direction adds to the scores; out
};

// What a run needs beside it: bytes of scratch memory.
size_t lstm_scratch_bytes(const GpuProperties& card, const GpuLstm& lstm);
void run_lstm(const GpuQueue& queue, const GpuProperties& card, const GpuLstm& lstm,
              const GpuLstmRun& run, void* scratch);

// scores (copies, classes) = forward + backward + bias.
void add_directions(const GpuQueue& queue, int copies, int classes, const float* directions,
                    const float* bias, double* scores);

}  // namespace textcrs
