// Models that were trained by other commands, here or elsewhere.
#pragma once

#include <filesystem>
#include <string>

#include "textcrs/suite/suite_file.h"

namespace textcrs::cli {

// Whether the folder's train.toml says what a training with these flags would: every flag that
// decides the model has the same value, given or by default. Where the texts are is compared by the
// last two parts of the path, another model by its folder's name. Only `train` is known.
bool was_trained_so(const std::filesystem::path& folder, const std::string& verb,
                    const SuiteFlags& flags);

}  // namespace textcrs::cli
