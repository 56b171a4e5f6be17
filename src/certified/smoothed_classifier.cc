#include "textcrs/certified/smoothed_classifier.h"

#include <fmt/format.h>

#include <algorithm>

#include "certified/noisy_votes.h"
#include "certified/warnings.h"
#include "textcrs/base/error.h"
#include "textcrs/certified/fitting_noise.h"
#include "textcrs/noise/synonym_graph.h"

namespace textcrs {
namespace {

// The noise the model was trained with, unless it is this one.
std::string other_than(const Noise& noise, const Classifier& classifier) {
  const std::string trained = make_noise_for(classifier, "")->spec();
  return trained == noise.spec() ? "" : trained;
}

std::vector<Setting> settings_of(const SmoothedOptions& options, const Engine& engine) {
  std::vector<Setting> settings = {{"exact", std::string(options.exact ? "auto" : "never")},
                                   {"candidates", static_cast<uint64_t>(options.candidates)},
                                   {"neighbours", static_cast<uint64_t>(options.neighbours)},
                                   {"seed", options.seed}};
  // On a GPU the reference engine's batch decides the last bits of a score.
  if (options.device != "cpu" && engine.votes_depend_on_batch())
    settings.push_back({"batch_size", static_cast<uint64_t>(options.engine.batch_size)});
  return settings;
}

// Whether single insertions, deletions and substitutions can be counted by it (B5).
bool has_insertion_radius(const Certificate* certificate, const Noise& noise) {
  if (certificate == nullptr || noise.sigma() == 0) return false;
  const std::vector<Operation> all = certificate->operations();
  return std::find(all.begin(), all.end(), Operation::kInsertion) != all.end();
}

// docs/certificates.md, B5 and B14: in floating point.
std::vector<std::string> caveats_of(const Noise& noise) {
  if (noise.sigma() == 0) return {};
  return {
      "the certificate is about a Gaussian of real numbers; the program draws and adds it in "
      "float32"};
}

// docs/certificates.md, C: votes are samples of one law.
std::vector<std::string> caveats_of_samples(const Noise& noise, const Engine& engine) {
  if (noise.outcomes({}) || !engine.votes_depend_on_batch()) return {};
  return {
      fmt::format("in the {} engine the vote of a copy whose best two classes are within "
                  "rounding of each other depends on the copies beside it",
                  engine.name())};
}

}  // namespace

SmoothedClassifier::SmoothedClassifier(std::shared_ptr<const Classifier> classifier,
                                       const SmoothedOptions& options)
    : certifier_(options.certifier),
      seed_(options.seed),
      largest_law_(
          options.exact ? std::min<double>(kLargestLaw, options.certifier.estimation_samples) : 0),
      classifier_(std::move(classifier)),
      noise_(make_noise_for(*classifier_, options.noise)) {
  const ModelConfig& config = classifier_->config();
  certifier_.bounds = resolved(certifier_.bounds, config.classes.size());
  check_can_certify(config, *noise_);
  if (noise_->sigma() > 0) {
    rows_ = classifier_->vectors();
    embeddings_ = {rows_, config.dimension, {}};
  }
  make_certificates(options.candidates);
  if (options.neighbours > 0 && has_insertion_radius(sound_.get(), *noise_))
    near_ = std::make_unique<NearestWords>(embeddings_, options.neighbours);
  check_outcomes_of(*noise_);
  check_options(certifier_);
  if (certifier_.stop.stops())
    watched_operation(sound_ ? *sound_ : *paper_, certifier_.stop.operation);
  ChosenEngine chosen = choose_engine(*classifier_, options.engine_choice, options.device,
                                      options.precision, options.engine);
  engine_ = std::move(chosen.engine);
  description_ = {.noise = noise_->spec(),
                  .trained_noise = options.noise.empty() ? "" : other_than(*noise_, *classifier_),
                  .engine = engine_->name(),
                  .device = options.device,
                  .precision = std::string(to_string(chosen.precision)),
                  .model = classifier_->fingerprint(),
                  .architecture = classifier_->config().architecture,
                  .synonyms = classifier_->synonyms_fingerprint(),
                  .samples = !noise_->outcomes({}).has_value(),
                  .certifier = certifier_,
                  .settings = settings_of(options, *engine_),
                  .caveats = caveats_of(*noise_),
                  .caveats_of_samples = caveats_of_samples(*noise_, *engine_)};
}

void SmoothedClassifier::make_certificates(int candidates) {
  if (candidates > 0)
    candidates_ = keep_mutual(classifier_->spelled_synonyms(), candidates)
                      .by_clusters(classifier_->vocabulary());
  context_.slots = classifier_->config().slots;
  context_.synonyms = &classifier_->synonyms();
  context_.candidates = candidates > 0 ? &candidates_ : nullptr;
  context_.vocabulary = &classifier_->vocabulary();
  if (!rows_.empty()) {
    context_.embeddings = &embeddings_;
    context_.own_vectors = [model = classifier_.get()](std::span<const std::string> own) {
      return model->vectors(own);
    };
  }
  const std::string spec = noise_->spec();
  sound_ = find_certificate(spec, CertificateMode::kSound, context_);
  paper_ = find_certificate(spec, CertificateMode::kPaper, context_);
  if (!sound_ && !paper_)
    throw usage_error(
        fmt::format("noise {} has no certificate; only its accuracy can be measured", spec));
}

std::vector<Operation> SmoothedClassifier::operations() const {
  return sound_ ? sound_->operations() : std::vector<Operation>();
}

std::vector<std::string> SmoothedClassifier::words(std::string_view text) const {
  return classifier_->words(text);
}

Certification SmoothedClassifier::certify(const std::vector<std::string>& words, uint32_t example,
                                          StopToken stop) const {
  OwnWords own;
  const std::vector<WordId> ids = classifier_->vocabulary().encode(words, own);
  const Text text(ids, own.list());
  Certification result = votes().certify(text, example, stop);
  if (result.sound.certified) result.sound.canonical = classifier_->config().canonical;
  result.single_edits = single_edits(text, result.sound);
  result.warnings = warnings_of(*classifier_, *noise_, text, result);
  return result;
}

NoisyVotes SmoothedClassifier::votes() const {
  return {*engine_, *noise_,      classes().size(), certifier_,
          seed_,    largest_law_, sound_.get(),     paper_.get()};
}

int SmoothedClassifier::texts_at_once() const {
  if (const std::optional<uint64_t> outcomes = noise_->outcomes({}))
    return engine_->texts_at_once_of(*outcomes);
  return engine_->texts_at_once();
}

Explanation SmoothedClassifier::explain(const std::vector<std::string>& words, int prediction,
                                        uint32_t example, const ExplainOptions& options,
                                        StopToken stop) const {
  OwnWords own;
  const std::vector<WordId> ids = classifier_->vocabulary().encode(words, own);
  const Text text(ids, own.list());
  return votes().explain(text, words, prediction, example, options, stop);
}

std::optional<SingleEdits> SmoothedClassifier::single_edits(Text text,
                                                            const CertifiedSet& set) const {
  if (!near_ || !set.certified || text.empty()) return std::nullopt;
  const std::vector<float> own = classifier_->vectors(text.own);
  Embeddings embeddings = embeddings_;
  embeddings.own_rows = own;
  return single_edits_by(*near_, embeddings, classifier_->config().slots, text,
                         set.radius(Operation::kInsertion));
}

Coverage SmoothedClassifier::covers(const std::vector<std::string>& words,
                                    const Certification& certified,
                                    const std::vector<std::string>& edited) const {
  if (!sound_)
    return {false, {}, fmt::format("noise {} has no proved certificate", noise_->spec())};
  if (!certified.sound.certified) return {false, {}, "nothing is certified about the text"};
  OwnWords own;
  const std::vector<WordId> before = classifier_->vocabulary().encode(words, own);
  const std::vector<WordId> after = classifier_->vocabulary().encode(edited, own);
  return sound_->covers(certified.bounds, Text(before, own.list()), Text(after, own.list()));
}

}  // namespace textcrs
