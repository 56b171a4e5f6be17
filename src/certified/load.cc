#include "textcrs/certified/load.h"

#include "textcrs/certified/plain_classifier.h"

namespace textcrs {
namespace {

bool is_plain(const ModelConfig& model, const CertifiedOptions& options) {
  return model.noise == kNoNoise && (options.noise.empty() || options.noise == kNoNoise);
}

}  // namespace

std::unique_ptr<CertifiedClassifier> load_certified(const std::filesystem::path& folder,
                                                    const CertifiedOptions& options) {
  std::shared_ptr<const Classifier> classifier = Classifier::load(folder);
  if (is_plain(classifier->config(), options))
    return std::make_unique<PlainClassifier>(std::move(classifier), options);
  return std::make_unique<SmoothedClassifier>(std::move(classifier), options);
}

}  // namespace textcrs
