#include "textcrs/report/answers.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/safe_decimals.h"
#include "report/harmless_edits.h"
#include "report/json_parts.h"
#include "report/no_answer.h"
#include "report/run_settings.h"
#include "text/json.h"
#include "textcrs/certified/cascade_classifier.h"
#include "textcrs/certify/deterministic.h"
#include "textcrs/noise/noise.h"
#include "textcrs/report/warnings.h"
#include "textcrs/text/printable_name.h"

namespace textcrs {

using nlohmann::ordered_json;

namespace {

const std::string& class_of(const CertifiedClassifier& classifier, const Certification& answer) {
  return classifier.classes()[static_cast<size_t>(answer.prediction)];
}

std::string printable_class(const CertifiedClassifier& classifier, const Certification& answer) {
  return printable_name(class_of(classifier, answer));
}

// A share in per cent, with 3 digits; the rounding of a law's probabilities takes none away.
std::string percent(double share) {
  if (share < kShareError) return "0";
  return rounded_down(100 * std::min(share + kShareError, 1.0), 3);
}

// "98.7 % of the votes", of the noisy copies that were drawn or counted.
std::string votes_in_words(const CertifiedClassifier& classifier, const Certification& answer) {
  const int64_t cast = std::accumulate(answer.counts.begin(), answer.counts.end(), int64_t{0});
  const int64_t votes = answer.counts[static_cast<size_t>(answer.prediction)];
  // Sums of scores may be below 0: then there are no shares.
  if (*std::min_element(answer.counts.begin(), answer.counts.end()) < 0) return "the most votes";
  if (cast == 0) return "without a vote";
  if (votes == cast) return "all votes";
  // The outcomes of a law have different weights: pA is the share of their probability, less what
  // it may be off.
  const bool weighted = answer.exact && classifier.description().samples;
  const double share = weighted ? answer.bounds.pa + kShareError
                                : static_cast<double>(votes) / static_cast<double>(cast);
  return fmt::format("{} % of the votes", percent(std::min(share, 1 - 2 * kShareError)));
}

// "these 2 edits make it negative: 'excellent' -> 'worst', insert 'worst'"
std::string witness_in_words(const Witness& witness) {
  std::vector<std::string> edits;
  const size_t count = std::max(witness.lost.size(), witness.gained.size());
  const auto lost = [&](size_t i) { return printable_name(witness.lost[i].second); };
  const auto gained = [&](size_t i) { return printable_name(witness.gained[i]); };
  for (size_t i = 0; i < count; ++i) {
    if (i >= witness.lost.size())
      edits.push_back(fmt::format("insert '{}'", gained(i)));
    else if (i >= witness.gained.size())
      edits.push_back(fmt::format("delete '{}'", lost(i)));
    else
      edits.push_back(fmt::format("'{}' -> '{}'", lost(i), gained(i)));
  }
  return fmt::format(
      "{} {} it {}: {}", count == 1 ? "this edit" : fmt::format("these {} edits", count),
      count == 1 ? "makes" : "make", printable_name(witness.answer), fmt::join(edits, ", "));
}

// What is known of more edits than are certified, if anything is, behind a "; ".
std::string beyond_in_words(const Description& description, const Certification& answer) {
  if (answer.witness) return "; " + witness_in_words(*answer.witness);
  const bool limited = !std::isinf(answer.sound.radius(Operation::kEdit));
  if (description.fallback.empty() || !limited) return "";
  return "; more edits may leave it to the fallback";
}

std::string certified_in_words(const CertifiedClassifier& classifier, size_t words,
                               const Certification& answer) {
  if (answer.abstained) return "no answer: " + why_no_answer(classifier, answer);
  const Description& description = classifier.description();
  if (description.noise == kNoNoise)
    return printable_class(classifier, answer) +
           "; nothing is certified: the model was trained without noise";
  if (answer.by_fallback)
    return fmt::format("{}; {}", printable_class(classifier, answer), kAnsweredByFallback);
  std::string name = printable_class(classifier, answer);
  if (description.noise != kClusters && description.noise != kIntervalBounds)
    name += fmt::format(" ({})", votes_in_words(classifier, answer));
  const std::string how = answer.exact
                              ? "proved without sampling"
                              : fmt::format("certified at {} % confidence",
                                            confidence_percent(description.certifier.alpha));
  if (!answer.sound.certified)
    return fmt::format("{}, {}; no edit is certified: noise {} has no proved certificate", name,
                       how, description.noise);
  const std::string shown = beyond_in_words(description, answer);
  const std::string edits = harmless_edits(answer.sound, words);
  if (edits.empty())
    return fmt::format("{}, {} for the text as it is{}{}", name, how,
                       no_harmless_edits(answer.sound), shown);
  return fmt::format("{}, and stays so {}; {}{}", name, edits, how, shown);
}

ordered_json explanation_to_json(const Explanation& explanation, const std::string& unit) {
  ordered_json json;
  if (explanation.copies > 0) {
    json["proved"] = false;
    json["copies"] = explanation.copies;
  } else {
    json["counted"] = true;
  }
  json["share"] = explanation.share;
  ordered_json& list = json[unit + "s"] = ordered_json::array();
  for (const Influence& word : explanation.words)
    list.push_back({{unit, word.word}, {"positions", word.positions}, {"change", word.change}});
  return json;
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
  add_candidates(set, json);
  add_free_edits(set, json);
  json["assumes"] = assumes;
  return json;
}

}  // namespace

std::string answer_in_words(const CertifiedClassifier& classifier, size_t words,
                            const Certification& answer) {
  if (answer.abstained && words == 0) return "no answer: the text has no words";
  std::string said = certified_in_words(classifier, words, answer);
  if (answer.single_edits) said += "; that covers, " + answer.single_edits->in_words();
  for (const std::string& warning : all_warnings(classifier, answer))
    said += "; warning: " + warning;
  if (!answer.abstained)
    for (const std::string& caveat : caveats_of(classifier.description(), answer))
      said += "; note: " + caveat;
  return said;
}

std::string explanation_in_words(const CertifiedClassifier& classifier, const Certification& answer,
                                 const Explanation& explanation) {
  const bool counted = explanation.copies == 0;
  const auto shown = [&](double share) {
    return counted ? percent(share) : fmt::format("{:.1f}", 100 * share);
  };
  const std::string share = fmt::format(
      "  {}: {} % of the votes are for {}", counted ? "counted" : "measured, not proved",
      shown(explanation.share), printable_class(classifier, answer));
  const std::string& unit = classifier.description().unit;
  if (explanation.words.empty())
    return fmt::format("{}, and no {}'s removal changes that", share, unit);
  std::string text = fmt::format("{}; without the {}", share, unit);
  for (const Influence& word : explanation.words)
    text += fmt::format("\n  {:>8} %  {}", shown(explanation.share + word.change), word.word);
  return text;
}

std::string answer_to_json(const CertifiedClassifier& classifier, size_t words,
                           const Certification& answer, const Explanation* explanation) {
  const Description& description = classifier.description();
  ordered_json json;
  json["prediction"] = nullptr;
  if (!answer.abstained) json["prediction"] = class_of(classifier, answer);
  json["abstained"] = answer.abstained;
  json[description.unit + "s"] = words;
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
  if (answer.witness) json["witness"] = witness_to_json(*answer.witness);
  if (answer.by_fallback) json["not_certified"] = kAnsweredByFallback;
  const bool drawn =
      (!answer.exact && answer.samples > 0) || (explanation != nullptr && explanation->drawn);
  if (const auto seed = description.seed(); seed && drawn) json["seed"] = *seed;
  if (const auto warnings = all_warnings(classifier, answer); !warnings.empty())
    json["warnings"] = warnings;
  if (explanation != nullptr)
    json["explanation"] = explanation_to_json(*explanation, description.unit);
  if (const auto caveats = caveats_of(description, answer); !caveats.empty())
    json["caveats"] = caveats;
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
  add_candidates(set, json);
  add_free_edits(set, json);
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
  json["original"] = parse_json<ordered_json>(answer_to_json(classifier, words, answer), "");
  return json.dump();
}

}  // namespace textcrs
