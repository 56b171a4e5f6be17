// From a model folder to a classifier with certificates.
#pragma once

#include <filesystem>
#include <memory>

#include "textcrs/base/api.h"
#include "textcrs/certified/smoothed_classifier.h"

namespace TEXTCRS_API textcrs {

using CertifiedOptions = SmoothedOptions;

// The model of a folder that `textcrs train` or Classifier::save wrote, ready to answer: smoothed,
// or a PlainClassifier if it was trained without noise and none is asked for. Throws as
// Classifier::load and the constructor of its kind do.
std::unique_ptr<CertifiedClassifier> load_certified(const std::filesystem::path& folder,
                                                    const CertifiedOptions& options = {});

}  // namespace textcrs
