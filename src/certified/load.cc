#include "textcrs/certified/load.h"

#include <fmt/format.h>

#include "textcrs/base/error.h"
#include "textcrs/certified/plain_classifier.h"
#include "textcrs/certified/sentence_classifier.h"
#include "textcrs/certified/voting_classifier.h"

namespace textcrs {
namespace {

bool is_plain(const ModelConfig& model, const CertifiedOptions& options) {
  return model.noise == kNoNoise && (options.noise.empty() || options.noise == kNoNoise);
}

}  // namespace

std::unique_ptr<CertifiedClassifier> load_certified(const std::filesystem::path& folder,
                                                    const CertifiedOptions& options) {
  std::shared_ptr<const Classifier> classifier = Classifier::load(folder);
  const bool plain = is_plain(classifier->config(), options);
  if (classifier->config().units == Units::kSentences) {
    if (!plain)
      throw usage_error(
          fmt::format("noise is {}, expected none: the sentences of the model vote "
                      "without noise",
                      options.noise));
    return std::make_unique<SentenceClassifier>(std::move(classifier), options);
  }
  if (plain && classifier->config().kind().casts_votes)
    return std::make_unique<VotingClassifier>(std::move(classifier));
  if (plain) return std::make_unique<PlainClassifier>(std::move(classifier), options);
  return std::make_unique<SmoothedClassifier>(std::move(classifier), options);
}

std::unique_ptr<CascadeClassifier> load_cascade(const std::filesystem::path& votes,
                                                const std::filesystem::path& fallback,
                                                double threshold, const CertifiedOptions& options) {
  std::shared_ptr<const Classifier> voter = Classifier::load(votes);
  if (!voter->config().kind().casts_votes)
    throw usage_error(
        fmt::format("{}: found a {}, expected a model that casts votes: only these have a fallback",
                    votes.string(), voter->config().architecture));
  if (!is_plain(voter->config(), options))
    throw usage_error("the models of a cascade are run without noise, found noise " +
                      (options.noise.empty() ? voter->config().noise : options.noise));
  return std::make_unique<CascadeClassifier>(std::make_unique<VotingClassifier>(std::move(voter)),
                                             load_certified(fallback, options), threshold);
}

}  // namespace textcrs
