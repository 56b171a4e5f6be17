#include "textcrs/certified/attack_target.h"

#include <algorithm>
#include <cmath>

#include "textcrs/base/parallel.h"
#include "textcrs/certified/choose_engine.h"
#include "textcrs/certified/fitting_noise.h"

namespace textcrs {

std::unique_ptr<AttackTarget> load_attack_target(const std::filesystem::path& folder,
                                                 const SmoothedOptions& options, uint32_t copies) {
  std::shared_ptr<const Classifier> classifier = Classifier::load(folder);
  std::unique_ptr<const Noise> noise = make_noise_for(*classifier, options.noise);
  check_can_run(classifier->config(), *noise);
  const int at_once = options.engine.threads > 0 ? options.engine.threads : available_cores();
  EngineOptions engine = options.engine;
  engine.threads = 1;
  ChosenEngine chosen =
      choose_engine(*classifier, options.engine_choice, options.device, options.precision, engine);
  if (noise->spec() == kNoNoise)
    return make_plain_target(std::move(classifier), std::move(chosen.engine), at_once);
  return make_smoothed_target(std::move(classifier), std::move(chosen.engine), std::move(noise),
                              {.copies = copies, .seed = options.seed}, at_once);
}

EditBudgets certified_budgets(const CertifiedClassifier& classifier) {
  return [&classifier](const std::vector<std::string>& words, uint32_t example) {
    const CertifiedSet set = classifier.certify(words, example).sound;
    std::vector<EditBudget> budgets;
    if (!set.certified) return budgets;
    for (const auto& [lost, gained] : set.frontier)
      budgets.push_back({static_cast<size_t>(lost), static_cast<size_t>(gained)});
    const Guarantee* const edits = set.find(Operation::kEdit);
    if (budgets.empty() && edits != nullptr) {
      const auto most = static_cast<double>(words.size());
      const auto radius = static_cast<size_t>(std::min(std::floor(edits->radius), most));
      budgets.push_back({radius, radius});
    }
    return budgets;
  };
}

TextProposal witness_texts(const CertifiedClassifier& classifier) {
  return [&classifier](const std::vector<std::string>& words, uint32_t example) {
    const Certification answer = classifier.certify(words, example);
    return answer.witness ? answer.witness->applied_to(words) : words;
  };
}

}  // namespace textcrs
