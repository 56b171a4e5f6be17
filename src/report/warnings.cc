#include "textcrs/report/warnings.h"

#include <fmt/format.h>

namespace textcrs {

std::string_view in_words(Warning warning) {
  switch (warning) {
    case Warning::kNoWords:
      return "the text has no words: what is said is said of an empty text";
    case Warning::kBlankDecides:
      return "noisy copies that keep no word of the text are enough to decide: the answer may be "
             "the model's to a blank text";
    case Warning::kMostlyUnknown:
      return "most words of the text are unknown to the model";
    case Warning::kTwoAnswers:
      break;
  }
  return "the black box does not answer a text the same way each time: docs/black-box.md says what "
         "then still holds";
}

std::vector<std::string> in_words(const std::vector<Warning>& warnings) {
  std::vector<std::string> words;
  for (const Warning warning : warnings) words.emplace_back(in_words(warning));
  return words;
}

std::string other_noise_in_words(std::string_view noise, std::string_view trained_noise) {
  if (trained_noise.empty() || trained_noise == noise) return "";
  return fmt::format("noise {} is not the one the model was trained with, {}", noise,
                     trained_noise);
}

std::vector<std::string> all_caveats(const Description& classifier) {
  std::vector<std::string> all = classifier.caveats;
  all.insert(all.end(), classifier.caveats_of_samples.begin(), classifier.caveats_of_samples.end());
  return all;
}

std::vector<std::string> caveats_of(const Description& classifier, const Certification& answer) {
  return answer.exact ? classifier.caveats : all_caveats(classifier);
}

std::vector<std::string> all_warnings(const CertifiedClassifier& classifier,
                                      const Certification& answer) {
  const Description& description = classifier.description();
  std::vector<std::string> all = in_words(answer.warnings);
  if (std::string other = other_noise_in_words(description.noise, description.trained_noise);
      !other.empty())
    all.push_back(std::move(other));
  return all;
}

}  // namespace textcrs
