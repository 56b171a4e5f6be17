// A LibTorch graph as an engine.
#pragma once

#include <memory>

#include "textcrs/engine/engine.h"
#include "torch/network.h"

namespace textcrs {

// The network must outlive it.
std::unique_ptr<Engine> make_network_engine(const Network& network, const EngineOptions& options);

// Keeps the network.
std::unique_ptr<Engine> make_network_engine(std::unique_ptr<const Network> network,
                                            const EngineOptions& options);

}  // namespace textcrs
