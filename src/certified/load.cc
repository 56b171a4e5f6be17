#include "textcrs/certified/load.h"

#include <fmt/format.h>

#include "textcrs/base/error.h"
#include "textcrs/certified/fitting_noise.h"
#include "textcrs/certified/interval_classifier.h"
#include "textcrs/certified/plain_classifier.h"
#include "textcrs/certified/sentence_classifier.h"
#include "textcrs/certified/voting_classifier.h"

namespace textcrs {
namespace {

bool is_plain(const ModelConfig& model, const CertifiedOptions& options) {
  return model.noise == kNoNoise && (options.noise.empty() || options.noise == kNoNoise);
}

// What would be asked for in vain.
void check_options_of_votes(const CertifiedOptions& options) {
  if (options.device != "cpu" || options.engine_choice == EngineChoice::kReference)
    throw usage_error("votes of words are added up on the CPU, without an engine");
  if (options.certifier.stop.stops())
    throw usage_error("a stop rule is for samples; votes of words are added up, none is drawn");
  if (options.candidates > 0)
    throw usage_error(
        "candidates are those of the model's own table; votes of words are certified against any "
        "word");
}

// The same of interval bounds.
void check_options_of_intervals(const CertifiedOptions& options) {
  if (options.device != "cpu" || options.engine_choice == EngineChoice::kReference)
    throw usage_error("interval bounds are computed on the CPU, without an engine");
  if (options.precision)
    throw usage_error("interval bounds are computed in double precision, there is no other");
  if (options.certifier.stop.stops())
    throw usage_error("a stop rule is for samples; interval bounds draw none");
  if (options.candidates > 0)
    throw usage_error("candidates of interval bounds are all of the model's own table");
}

}  // namespace

std::unique_ptr<CertifiedClassifier> load_certified(const std::filesystem::path& folder,
                                                    const CertifiedOptions& options) {
  std::shared_ptr<const Classifier> classifier = load_with_noise(folder);
  const bool plain = is_plain(classifier->config(), options);
  if (classifier->config().units == Units::kSentences) {
    if (!plain)
      throw usage_error(
          fmt::format("noise is {}, expected none: the sentences of the model vote "
                      "without noise",
                      options.noise));
    return std::make_unique<SentenceClassifier>(std::move(classifier), options);
  }
  if (plain && classifier->config().kind().casts_votes) {
    check_options_of_votes(options);
    return std::make_unique<VotingClassifier>(std::move(classifier), options.engine.threads);
  }
  if (plain && classifier->config().intervals) {
    check_options_of_intervals(options);
    return std::make_unique<IntervalClassifier>(std::move(classifier), options.engine.threads);
  }
  if (plain) return std::make_unique<PlainClassifier>(std::move(classifier), options);
  return std::make_unique<SmoothedClassifier>(std::move(classifier), options);
}

std::unique_ptr<CascadeClassifier> load_cascade(const std::filesystem::path& votes,
                                                const std::filesystem::path& fallback,
                                                double threshold, const CertifiedOptions& options) {
  std::shared_ptr<const Classifier> voter = load_with_noise(votes);
  if (!voter->config().kind().casts_votes)
    throw usage_error(
        fmt::format("{}: found a {}, expected a model that casts votes: only these have a fallback",
                    votes.string(), voter->config().architecture));
  if (!is_plain(voter->config(), options))
    throw usage_error("the models of a cascade are run without noise, found noise " +
                      (options.noise.empty() ? voter->config().noise : options.noise));
  if (options.candidates > 0)
    throw usage_error(
        "candidates are not cut for a cascade: its votes are certified against any word");
  return std::make_unique<CascadeClassifier>(
      std::make_unique<VotingClassifier>(std::move(voter), options.engine.threads),
      load_certified(fallback, options), threshold);
}

}  // namespace textcrs
