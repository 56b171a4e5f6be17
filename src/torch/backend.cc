#include "torch/backend.h"

#include "torch/classifier_learner.h"
#include "torch/masked_lm.h"
#include "torch/reference_engine.h"

namespace textcrs {
namespace {

class LibTorch final : public TorchBackend {
 public:
  std::unique_ptr<Engine> reference_engine(const Classifier& classifier, const std::string& device,
                                           const EngineOptions& options) const override {
    return make_network_engine(make_network(classifier, parse_device(device)), options);
  }

  std::unique_ptr<ClassifierLearner> learner(const Classifier& classifier,
                                             const LearnerOptions& options) const override {
    return make_classifier_learner(classifier, options);
  }

  std::unique_ptr<MaskedLm> masked_lm(const std::filesystem::path& folder,
                                      const std::string& device, uint64_t seed) const override {
    return load_masked_lm(folder, device, seed);
  }
};

}  // namespace
}  // namespace textcrs

const textcrs::TorchBackend* textcrs_torch_backend() {
  static const textcrs::LibTorch backend;
  return &backend;
}
