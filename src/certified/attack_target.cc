#include "textcrs/certified/attack_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "certified/counted_target.h"
#include "textcrs/base/error.h"
#include "textcrs/base/parallel.h"
#include "textcrs/certified/choose_engine.h"
#include "textcrs/certified/fitting_noise.h"

namespace textcrs {
namespace {

bool certifies_edits(const CertifiedClassifier& classifier) {
  const std::vector<Operation> all = classifier.operations();
  return classifier.description().unit == "word" &&
         std::find(all.begin(), all.end(), Operation::kEdit) != all.end();
}

// Votes of windows have none: asked about the text without words, which every model has a finite
// radius for unless it knows one answer only.
bool has_witnesses(const CertifiedClassifier& classifier) {
  if (classifier.description().noise != "votes") return false;
  const Certification answer = classifier.certify({}, 0);
  return answer.witness || answer.sound.radius(Operation::kEdit) == kUnlimited;
}

// How a model is certified: "noise universal:p=0.9", "votes".
std::string certified_how(const Description& description) {
  return (description.is_smoothed() || description.noise == kNoNoise ? "noise " : "") +
         description.noise;
}

}  // namespace

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
  if (noise->outcomes({}))
    return make_counted_target(std::move(classifier), std::move(chosen.engine), std::move(noise),
                               at_once);
  if (noise->spec() == kNoNoise)
    return make_plain_target(std::move(classifier), std::move(chosen.engine), at_once);
  return make_smoothed_target(std::move(classifier), std::move(chosen.engine), std::move(noise),
                              {.copies = copies, .seed = options.seed}, at_once);
}

EditBudgets certified_budgets(const CertifiedClassifier& classifier) {
  if (!certifies_edits(classifier))
    throw usage_error(
        fmt::format("{} certifies no words deleted and inserted: there is no "
                    "frontier to attack",
                    certified_how(classifier.description())));
  return [&classifier](const std::vector<std::string>& words, uint32_t example) {
    const CertifiedSet set = classifier.certify(words, example).sound;
    std::vector<EditBudget> budgets;
    if (!set.certified) return budgets;
    for (const auto& [lost, gained] : set.frontier)
      budgets.push_back({static_cast<size_t>(lost),
                         std::min(static_cast<size_t>(gained), words.size() + kMostGainedBeside)});
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
  if (!has_witnesses(classifier))
    throw usage_error(
        fmt::format("{}: nothing is known of edits that are enough, expected a model "
                    "whose single words vote",
                    certified_how(classifier.description())));
  return [&classifier](const std::vector<std::string>& words, uint32_t example) {
    const Certification answer = classifier.certify(words, example);
    return answer.witness ? answer.witness->applied_to(words) : words;
  };
}

}  // namespace textcrs
