#include "textcrs/certified/fitting_noise.h"

#include <fmt/format.h>

#include "textcrs/base/error.h"
#include "textcrs/base/spec.h"

namespace textcrs {
namespace {

Error does_not_fit(const ModelConfig& model, const Noise& noise, std::string_view why) {
  return usage_error(fmt::format("noise {} does not fit the model, which was trained under {}: {}",
                                 noise.spec(), model.noise, why));
}

void check_slot_map(const ModelConfig& model, const Noise& noise) {
  if (model.maps_slots() && noise.sigma() == 0)
    throw does_not_fit(
        model, noise,
        "a model with a noise mean or a reconstruction expects a Gaussian on every slot");
}

}  // namespace

std::unique_ptr<Noise> make_noise_for(const Classifier& classifier, std::string_view spec) {
  const ModelConfig& config = classifier.config();
  const Spec parsed = Spec::parse(spec.empty() ? std::string_view(config.noise) : spec);
  if (parsed.name() == "substitute" && !classifier.synonyms().is_symmetric())
    parsed.fail("the model's synonyms are not symmetric");
  return make_noise(spec.empty() ? std::string_view(config.noise) : spec,
                    {&classifier.vocabulary(), &classifier.synonyms(), config.slots});
}

std::unique_ptr<Classifier> load_with_noise(const std::filesystem::path& folder) {
  std::unique_ptr<Classifier> classifier = Classifier::load(folder);
  try {
    const std::unique_ptr<Noise> noise = make_noise_for(*classifier, "");
    check_can_run(classifier->config(), *noise);
    if (noise->spec() != kNoNoise) check_can_certify(classifier->config(), *noise);
  } catch (const Error& error) {
    throw bad_input(fmt::format("{}: noise: {}", (folder / "config.json").string(), error.what()));
  }
  return classifier;
}

void check_can_run(const ModelConfig& model, const Noise& noise) {
  if (model.units != Units::kWords && noise.spec() != kNoNoise)
    throw does_not_fit(model, noise,
                       fmt::format("its {} vote without noise", to_string(model.units)));
  if (noise.sigma() > 0 && model.kind().reads_pieces && !model.pool_all_slots)
    throw does_not_fit(model, noise, "noise on vectors needs a bert that reads one word per slot");
  if (noise.sigma() > 0 && model.kind().casts_votes)
    throw does_not_fit(model, noise, "it moves word vectors, and words that vote have none");
  if (noise.spec() != kNoNoise) check_slot_map(model, noise);
}

void check_can_certify(const ModelConfig& model, const Noise& noise) {
  if (model.units != Units::kWords)
    throw does_not_fit(model, noise,
                       fmt::format("its {} vote without noise", to_string(model.units)));
  if ((noise.sigma() > 0) != model.pool_all_slots)
    throw does_not_fit(model, noise,
                       "noise on vectors (insert, gaussian) needs a model that was trained to read "
                       "slots, and only it does");
  check_slot_map(model, noise);
}

}  // namespace textcrs
