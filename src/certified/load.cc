#include "textcrs/certified/load.h"

namespace textcrs {

std::unique_ptr<CertifiedClassifier> load_certified(const std::filesystem::path& folder,
                                                    const CertifiedOptions& options) {
  return std::make_unique<SmoothedClassifier>(Classifier::load(folder), options);
}

}  // namespace textcrs
