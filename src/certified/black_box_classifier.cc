#include "textcrs/certified/black_box_classifier.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "blackbox/black_box_engine.h"
#include "certified/noisy_votes.h"
#include "certified/warnings.h"
#include "model/fingerprint.h"
#include "textcrs/base/error.h"
#include "textcrs/noise/synonym_graph.h"
#include "textcrs/text/check_text.h"
#include "textcrs/text/tokenizer.h"

namespace textcrs {
namespace {

const char* const kSameAnswers =
    "a black box is taken at its word: that its answer depends on the text alone";

std::unique_ptr<Noise> noise_of(const BlackBoxOptions& options, const Vocabulary& vocabulary,
                                const SynonymTable& synonyms) {
  if (options.noise.empty())
    throw usage_error("a black box was trained with no noise that is known: expected one");
  if (!synonyms.is_symmetric())
    throw usage_error("the synonyms beside a black box are not symmetric");
  auto noise = make_noise(options.noise, {.vocabulary = &vocabulary, .synonyms = &synonyms});
  if (noise->spec() == kNoNoise)
    throw usage_error("noise none certifies nothing of a black box, expected one that does");
  if (noise->sigma() > 0)
    throw usage_error(fmt::format(
        "noise {} adds a Gaussian to the vectors of words, and a black box reads texts: expected "
        "one on words (delete, universal, adapt, mask, reorder, substitute, hash)",
        noise->spec()));
  return noise;
}

std::string fingerprint_of_table(const Vocabulary& vocabulary, const SynonymTable& synonyms) {
  if (synonyms.size() == 0) return "";
  Fingerprint print;
  for (WordId word = 0; word < vocabulary.size(); ++word) {
    print.add(vocabulary.word(word));
    print.add_values(synonyms.of(word));
  }
  return print.text();
}

std::vector<Setting> settings_of(const BlackBoxOptions& options, const BlackBox& box,
                                 const Noise& noise) {
  std::vector<Setting> settings;
  for (const auto& [name, value] : box.facts()) settings.push_back({name, value});
  settings.push_back({"classes", fmt::format("{}", fmt::join(box.classes(), ", "))});
  settings.push_back({"classifier_fingerprint", box.fingerprint()});
  if (noise.spec().starts_with("mask")) settings.push_back({"mask", options.mask});
  settings.push_back({"exact", std::string(options.exact ? "auto" : "never")});
  settings.push_back({"candidates", static_cast<uint64_t>(options.candidates)});
  settings.push_back({"seed", options.seed});
  return settings;
}

}  // namespace

BlackBoxClassifier::BlackBoxClassifier(std::unique_ptr<AskedTexts> asked,
                                       const BlackBoxOptions& options)
    : asked_(std::move(asked)),
      certifier_(options.certifier),
      seed_(options.seed),
      largest_law_(
          options.exact ? std::min<double>(kLargestLaw, options.certifier.estimation_samples) : 0),
      mask_(options.mask),
      vocabulary_(options.vocabulary),
      synonyms_(options.synonyms),
      noise_(noise_of(options, vocabulary_, synonyms_)) {
  if (!vocabulary_.is_open())
    throw std::logic_error("BlackBoxClassifier: its vocabulary must be open");
  check_text(mask_, "the mask of the black box");
  if (mask_.empty()) throw usage_error("the mask of the black box: found none, expected a word");
  certifier_.bounds = resolved(certifier_.bounds, classes().size());
  make_certificates(options.candidates);
  check_outcomes_of(*noise_);
  check_options(certifier_);
  if (certifier_.stop.stops())
    watched_operation(sound_ ? *sound_ : *paper_, certifier_.stop.operation);
  const BlackBox& box = asked_->box();
  description_ = {.noise = noise_->spec(),
                  .engine = box.kind(),
                  .device = "black box",
                  .precision = "",
                  .model = "black box",
                  .architecture = "black box",
                  .synonyms = fingerprint_of_table(vocabulary_, synonyms_),
                  .samples = !noise_->outcomes({}).has_value(),
                  .certifier = certifier_,
                  .settings = settings_of(options, box, *noise_),
                  .caveats = {kSameAnswers}};
}

BlackBoxClassifier::~BlackBoxClassifier() = default;

void BlackBoxClassifier::make_certificates(int candidates) {
  if (candidates > 0) candidates_ = keep_mutual(synonyms_, candidates);
  context_.synonyms = &synonyms_;
  context_.candidates = candidates > 0 ? &candidates_ : nullptr;
  context_.vocabulary = &vocabulary_;
  const std::string spec = noise_->spec();
  sound_ = find_certificate(spec, CertificateMode::kSound, context_);
  paper_ = find_certificate(spec, CertificateMode::kPaper, context_);
  if (!sound_ && !paper_) throw usage_error(fmt::format("noise {} has no certificate", spec));
}

NoisyVotes BlackBoxClassifier::votes(const Engine& engine) const {
  return {engine, *noise_,      classes().size(), certifier_,
          seed_,  largest_law_, sound_.get(),     paper_.get()};
}

std::vector<Operation> BlackBoxClassifier::operations() const {
  return sound_ ? sound_->operations() : std::vector<Operation>();
}

std::vector<std::string> BlackBoxClassifier::words(std::string_view text) const {
  return tokenize(text);
}

Certification BlackBoxClassifier::certify(const std::vector<std::string>& words, uint32_t example,
                                          StopToken stop) const {
  OwnWords own;
  const std::vector<WordId> ids = vocabulary_.encode(words, own);
  const Text text(ids, own.list());
  const BlackBoxEngine engine(*asked_, vocabulary_, mask_, stop);
  Certification result = votes(engine).certify(text, example, stop);
  result.warnings = warnings_of(*noise_, text, result);
  if (asked_->counts().changed > 0) result.warnings.push_back(Warning::kTwoAnswers);
  return result;
}

Explanation BlackBoxClassifier::explain(const std::vector<std::string>& words, int prediction,
                                        uint32_t example, const ExplainOptions& options,
                                        StopToken stop) const {
  OwnWords own;
  const std::vector<WordId> ids = vocabulary_.encode(words, own);
  const BlackBoxEngine engine(*asked_, vocabulary_, mask_, stop);
  return votes(engine).explain(Text(ids, own.list()), words, prediction, example, options, stop);
}

Coverage BlackBoxClassifier::covers(const std::vector<std::string>& words,
                                    const Certification& certified,
                                    const std::vector<std::string>& edited) const {
  if (!sound_)
    return {false, {}, fmt::format("noise {} has no proved certificate", noise_->spec())};
  if (!certified.sound.certified) return {false, {}, "nothing is certified about the text"};
  OwnWords own;
  const std::vector<WordId> before = vocabulary_.encode(words, own);
  const std::vector<WordId> after = vocabulary_.encode(edited, own);
  return sound_->covers(certified.bounds, Text(before, own.list()), Text(after, own.list()));
}

}  // namespace textcrs
