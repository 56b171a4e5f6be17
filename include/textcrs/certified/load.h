// From a model folder to a classifier with certificates.
#pragma once

#include <filesystem>
#include <memory>

#include "textcrs/base/api.h"
#include "textcrs/certified/cascade_classifier.h"
#include "textcrs/certified/smoothed_classifier.h"

namespace TEXTCRS_API textcrs {

using CertifiedOptions = SmoothedOptions;

// The model of a folder that `textcrs train` or Classifier::save wrote, ready to answer: smoothed,
// a VotingClassifier or SentenceClassifier if its words or sentences vote, an IntervalClassifier if
// it has interval bounds, or a PlainClassifier if it was trained without noise and none is asked
// for. Throws as Classifier::load and the
// constructor of its kind do, and a usage Error for a noise asked of sentences that vote.
std::unique_ptr<CertifiedClassifier> load_certified(const std::filesystem::path& folder,
                                                    const CertifiedOptions& options = {});

// The cascade of two such models: `votes` answers where it is clear, `fallback` elsewhere. Of the
// options only the engine's are read, for the fallback. A usage Error for votes that are none, for
// a noise, and as the constructors throw.
std::unique_ptr<CascadeClassifier> load_cascade(const std::filesystem::path& votes,
                                                const std::filesystem::path& fallback,
                                                double threshold,
                                                const CertifiedOptions& options = {});

}  // namespace textcrs
