// A frozen network on the CPU, without LibTorch: one class an architecture.
#pragma once

#include <memory>
#include <span>

#include "textcrs/engine/engine.h"
#include "textcrs/kernels/isa.h"

namespace textcrs {

// Immutable but for the tables it fills as it goes; thread-safe.
class CpuModel {
 public:
  virtual ~CpuModel() = default;

  // The class of each copy, cut to the model's slots, an empty one read as a single PAD; with
  // sigma > 0, N(0, sigma^2) on every coordinate of every slot, drawn from gaussians[i] slot by
  // slot (as CopyBatch has it). A copy's class depends on the copy alone, not on its neighbours.
  virtual void classify(std::span<const Words> copies, double sigma,
                        std::span<const Stream> gaussians, std::span<int> classes) const = 0;
};

class Network;
std::unique_ptr<CpuModel> make_cpu_bilstm(const Network& network, Isa isa, Precision precision);
std::unique_ptr<CpuModel> make_cpu_cnn(const Network& network, Isa isa, Precision precision);
std::unique_ptr<CpuModel> make_cpu_bert(const Network& network, Isa isa, Precision precision);

}  // namespace textcrs
