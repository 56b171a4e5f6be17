#include "textcrs/report/answers.h"

#include <fmt/format.h>

#include <cmath>

#include "base/safe_decimals.h"
#include "report/json_parts.h"
#include "report/run_settings.h"
#include "textcrs/noise/noise.h"

namespace textcrs {

using nlohmann::ordered_json;

namespace {

const std::string& class_of(const CertifiedClassifier& classifier, const Certification& answer) {
  return classifier.classes()[static_cast<size_t>(answer.prediction)];
}

std::string certified_in_words(const CertifiedClassifier& classifier, size_t words,
                               const Certification& answer) {
  if (words == 0 && answer.abstained) return "no answer: the text has no words";
  const std::string confidence = fmt::format(
      "at {} % confidence", confidence_percent(classifier.description().certifier.alpha));
  if (answer.abstained)
    return answer.exact ? "no answer: the votes are tied"
                        : "no answer: the votes are too close to call " + confidence;
  const std::string& name = class_of(classifier, answer);
  if (classifier.description().noise == kNoNoise)
    return name + "; nothing is certified: the model was trained without noise";
  const std::string how = answer.exact ? "proved without sampling" : confidence;
  if (!answer.sound.certified)
    return fmt::format("{}, {}; no edit is certified: the noise has no proved certificate", name,
                       how);
  return fmt::format("{}; certified for {}, {}", name, answer.sound.in_words(), how);
}

// The edit distance where there is one, else the first guarantee with a limit, else the first.
const Guarantee* headline_of(const CertifiedSet& set) {
  if (const Guarantee* edit = set.find(Operation::kEdit)) return edit;
  for (const Guarantee& guarantee : set.guarantees)
    if (!std::isinf(guarantee.radius)) return &guarantee;
  return set.guarantees.empty() ? nullptr : &set.guarantees.front();
}

ordered_json coverage_json(const std::string& noise, CertificateMode mode, Bounds bounds,
                           const CertifiedSet& set, const Coverage& coverage,
                           const std::vector<std::string>& assumes) {
  const double radius = coverage.operation ? set.radius(*coverage.operation) : 0;
  ordered_json json = {{"noise", noise},
                       {"certificate", to_string(mode)},
                       {"operation", coverage.operation_name()},
                       {"radius", radius_to_json(radius)},
                       {"pa", bounds.pa},
                       {"pb", bounds.pb},
                       {"covered", coverage.covered}};
  add_proved(mode, json);
  json["why"] = coverage.why;
  add_edits(set, json);
  if (!set.candidates.empty()) json["candidates"] = set.candidates;
  json["assumes"] = assumes;
  return json;
}

}  // namespace

std::string answer_in_words(const CertifiedClassifier& classifier, size_t words,
                            const Certification& answer) {
  const std::string said = certified_in_words(classifier, words, answer);
  return answer.single_edits ? said + "; " + answer.single_edits->in_words() : said;
}

std::string answer_to_json(const CertifiedClassifier& classifier, size_t words,
                           const Certification& answer) {
  const Description& description = classifier.description();
  ordered_json json;
  json["prediction"] = nullptr;
  if (!answer.abstained) json["prediction"] = class_of(classifier, answer);
  json["abstained"] = answer.abstained;
  json["words"] = words;
  json["counts"] = answer.counts;
  json["pa"] = answer.bounds.pa;
  json["pb"] = answer.bounds.pb;
  json["exact"] = answer.exact;
  json["alpha"] = answer.exact ? 0 : description.certifier.alpha;
  json["noise"] = description.noise;
  json["sound"] = set_to_json(answer.sound, CertificateMode::kSound);
  json["samples"] = answer.samples;
  json["paper"] = set_to_json(answer.paper, CertificateMode::kPaper);
  if (stopped_by_rule(description, answer)) json["stop"] = to_string(answer.stop);
  if (answer.single_edits) json["single_edits"] = single_edits_to_json(*answer.single_edits);
  if (!description.caveats.empty()) json["caveats"] = description.caveats;
  json["in_words"] = answer_in_words(classifier, words, answer);
  return json.dump();
}

std::string certificate_to_json(const Certificate& certificate, Bounds bounds, int words,
                                const CertifiedSet& set, const std::optional<SingleEdits>& edits,
                                const std::vector<std::string>& assumes) {
  const Guarantee* headline = headline_of(set);
  ordered_json json = {{"noise", certificate.noise()},
                       {"certificate", to_string(certificate.mode())},
                       {"pa", bounds.pa},
                       {"pb", bounds.pb},
                       {"words", words},
                       {"certified", set.certified}};
  add_proved(certificate.mode(), json);
  json["operation"] = headline != nullptr ? to_string(headline->operation) : "none";
  json["radius"] = radius_to_json(headline != nullptr && set.certified ? headline->radius : 0);
  json["guarantees"] = ordered_json::array();
  for (const Guarantee& guarantee : set.guarantees)
    json["guarantees"].push_back({{"operation", to_string(guarantee.operation)},
                                  {"radius", radius_to_json(guarantee.radius)},
                                  {"unit", guarantee.unit}});
  add_edits(set, json);
  if (set.window > 0) json["window"] = set.window;
  if (!set.candidates.empty()) json["candidates"] = set.candidates;
  if (edits) json["single_edits"] = single_edits_to_json(*edits);
  json["in_words"] = set.in_words();
  json["assumes"] = assumes;
  return json.dump();
}

std::string coverage_to_json(const Certificate& certificate, Bounds bounds, const CertifiedSet& set,
                             const Coverage& coverage, const std::vector<std::string>& assumes) {
  return coverage_json(certificate.noise(), certificate.mode(), bounds, set, coverage, assumes)
      .dump();
}

std::string coverage_to_json(const CertifiedClassifier& classifier, size_t words,
                             const Certification& answer, const Coverage& coverage) {
  ordered_json json = coverage_json(classifier.description().noise, CertificateMode::kSound,
                                    answer.bounds, answer.sound, coverage, {});
  json["original"] = ordered_json::parse(answer_to_json(classifier, words, answer));
  return json.dump();
}

}  // namespace textcrs
