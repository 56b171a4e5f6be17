#include "certified/fallback_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "textcrs/base/error.h"
#include "textcrs/certified/cascade_classifier.h"
#include "textcrs/text/printable_name.h"

namespace textcrs {

FallbackReader::FallbackReader(std::unique_ptr<const CertifiedClassifier> classifier,
                               std::vector<std::string> classes)
    : classifier_(std::move(classifier)), classes_(std::move(classes)) {
  const std::vector<std::string>& own = classifier_->classes();
  if (!std::is_permutation(own.begin(), own.end(), classes_.begin(), classes_.end()))
    throw usage_error(
        fmt::format("the votes have the classes {}, the fallback {}: expected the same",
                    printable_names(classes_), printable_names(own)));
  for (const std::string& name : own)
    place_of_.push_back(
        static_cast<size_t>(std::find(classes_.begin(), classes_.end(), name) - classes_.begin()));
}

Certification FallbackReader::certify(const std::vector<std::string>& words, uint32_t example,
                                      StopToken stop) const {
  const std::string text = fmt::format("{}", fmt::join(words, " "));
  const Certification said = classifier_->certify(classifier_->words(text), example, stop);
  Certification answer;
  answer.prediction = static_cast<int>(place_of_[static_cast<size_t>(said.prediction)]);
  answer.counts.resize(classes_.size());
  for (size_t c = 0; c < said.counts.size(); ++c) answer.counts[place_of_[c]] = said.counts[c];
  answer.bounds = {0, 1};  // nothing is proved
  answer.samples = said.samples;
  answer.warnings = said.warnings;
  answer.by_fallback = true;
  return answer;
}

Coverage FallbackReader::covers(const std::vector<std::string>&, const Certification&,
                                const std::vector<std::string>&) const {
  return {false, {}, kAnsweredByFallback};
}

}  // namespace textcrs
