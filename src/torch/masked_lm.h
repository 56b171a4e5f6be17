#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "textcrs/torch/masked_lm.h"

namespace textcrs {

// TorchBackend::masked_lm.
std::unique_ptr<MaskedLm> load_masked_lm(const std::filesystem::path& folder,
                                         const std::string& device, uint64_t seed);

}  // namespace textcrs
