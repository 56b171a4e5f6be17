// Which noise a model may be run under, and which it can be certified under.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "textcrs/base/api.h"
#include "textcrs/model/classifier.h"
#include "textcrs/noise/noise.h"

namespace TEXTCRS_API textcrs {

// The noise of a spec on the words of a model; for an empty spec the one the model was trained
// with. The classifier must outlive it. Throws as make_noise() does, and a usage Error for
// `substitute` on synonyms that are not symmetric.
std::unique_ptr<Noise> make_noise_for(const Classifier& classifier, std::string_view spec);

// Classifier::load(); a bad_input Error that names config.json if the noise that the model says it
// was trained with is none, or none that it could run under.
std::unique_ptr<Classifier> load_with_noise(const std::filesystem::path& folder);

// A usage Error if the model can not read the noise's copies at all: a bert adds a Gaussian to
// slots of one word each, or has none; sentences that vote have no noise; a model with a map of the
// slots (ModelConfig::maps_slots) wants a Gaussian on them, or no noise.
void check_can_run(const ModelConfig& model, const Noise& noise);

// A usage Error if what is certified under the noise would not hold for the model: noise on vectors
// needs a model that pools over all slots (docs/certificates.md, B5, B14), and only it does; a
// model with a map of the slots wants a Gaussian on them; sentences that vote are not certified
// under noise at all.
void check_can_certify(const ModelConfig& model, const Noise& noise);

}  // namespace textcrs
