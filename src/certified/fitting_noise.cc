#include "textcrs/certified/fitting_noise.h"

#include <fmt/format.h>

#include "textcrs/base/error.h"

namespace textcrs {
namespace {

Error does_not_fit(const ModelConfig& model, const Noise& noise, std::string_view why) {
  return usage_error(fmt::format("noise {} does not fit the model, which was trained under {}: {}",
                                 noise.spec(), model.noise, why));
}

}  // namespace

std::unique_ptr<Noise> make_noise_for(const Classifier& classifier, std::string_view spec) {
  const ModelConfig& config = classifier.config();
  return make_noise(spec.empty() ? std::string_view(config.noise) : spec,
                    {&classifier.vocabulary(), &classifier.synonyms(), config.slots});
}

void check_can_run(const ModelConfig& model, const Noise& noise) {
  if (model.units != Units::kWords && noise.spec() != kNoNoise)
    throw does_not_fit(model, noise,
                       fmt::format("its {} vote without noise", to_string(model.units)));
  if (noise.sigma() > 0 && model.kind().reads_pieces && !model.pool_all_slots)
    throw does_not_fit(model, noise, "a bert of the insertion noise reads one word per slot");
  if (noise.sigma() > 0 && model.kind().casts_votes)
    throw does_not_fit(model, noise, "it moves word vectors, and words that vote have none");
}

void check_can_certify(const ModelConfig& model, const Noise& noise) {
  if (model.units != Units::kWords)
    throw does_not_fit(model, noise,
                       fmt::format("its {} vote without noise", to_string(model.units)));
  if ((noise.sigma() > 0) != model.pool_all_slots)
    throw does_not_fit(model, noise,
                       "the insertion noise needs a model that pools over all slots, and only it "
                       "does");
}

}  // namespace textcrs
