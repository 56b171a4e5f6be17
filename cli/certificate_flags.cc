#include "certificate_flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <set>

#include "textcrs/base/error.h"
#include "textcrs/base/spec.h"
#include "textcrs/certified/fitting_noise.h"
#include "textcrs/noise/noise.h"
#include "textcrs/noise/parameters.h"
#include "textcrs/noise/substitution_kernel.h"

namespace textcrs::cli {
namespace {

// pB = 1 - pA, rounded up, is always a bound.
Bounds bounds_of(const CertificateFlags& flags) {
  const double pa = flags.pa.value();
  if (!flags.pb && pa >= 0 && pa < 0.5)
    throw usage_error(fmt::format(
        "--pa is {}, below 1/2: without --pb, another class may have the rest, pB = 1 - pA = {}, "
        "and nothing is certified; expected --pa above 1/2, or --pb below --pa",
        shortest(pa), shortest(1 - pa)));
  return {pa, flags.pb ? *flags.pb : std::min(pa, std::nextafter(1 - pa, 1.0))};
}

// A table from a file is the model's if the model knows its words and nothing asks for their order,
// which is that of the model's vocabulary where the file leaves it open.
void check_synonyms(const CertificateFlags& flags) {
  const std::string& source = flags.words.synonyms.source;
  const std::string expected = "expected --model, or --synonyms with a JSON file of the table";
  if (source.empty())
    throw usage_error(fmt::format("{} draws from the model's synonyms: {}", flags.noise, expected));
  if (source == "glove" || source == "wordnet")
    throw usage_error(
        fmt::format("which synonyms of {} there are depends on the words that the "
                    "model knows: {}",
                    source, expected));
  if (SubstitutionRule::parse(Spec::parse(flags.noise)).size > 0)
    throw usage_error(fmt::format(
        "{} depends on the order of the synonyms in the model: expected --model", flags.noise));
  if (flags.candidates.count > 0)
    throw usage_error(
        "--candidates depends on the order of the synonyms in the model: expected --model");
}

// What a model brings along is not named beside it.
void check_nothing_is_named_twice(const CertificateFlags& flags) {
  for (const auto& [flag, value] : {std::pair("--vectors", &flags.words.vectors),
                                    std::pair("--synonyms", &flags.words.synonyms.source)})
    if (!value->empty())
      throw usage_error(fmt::format("{} is for answers without a model: {} has its own", flag,
                                    flags.words.model));
}

int different_words(Text text) {
  return static_cast<int>(std::set<WordId>(text.begin(), text.end()).size());
}

// A piece that holds no word casts no vote, so the top class has at most one piece per word of each
// function.
void check_votes(const std::string& noise, Bounds bounds, int words) {
  const Spec spec = Spec::parse(noise);
  if (spec.name() != "hash") return;
  const int buckets = HashParameters::parse(spec).buckets;
  const double most = static_cast<double>(std::min(words, buckets)) / buckets;
  if (bounds.pa > most)
    throw usage_error(
        fmt::format("--pa is {}, but of {} word{} at most {} of the {} buckets hold any and vote: "
                    "expected at most {}",
                    shortest(bounds.pa), words, words == 1 ? "" : "s", std::min(words, buckets),
                    buckets, shortest(most)));
}

const WordNeeds& checked(const CertificateFlags& flags, const WordNeeds& needs) {
  if (flags.has_model()) {
    check_nothing_is_named_twice(flags);
    return needs;
  }
  if (needs.synonyms) check_synonyms(flags);
  if (!flags.words.synonyms.source.empty() && flags.noise.starts_with("gaussian"))
    throw usage_error(fmt::format(
        "how far the synonyms of a word are from it depends on the model: {} expects --model, or "
        "no --synonyms and a radius that is a distance",
        flags.noise));
  if (needs.vectors && flags.words.vectors.empty())
    throw usage_error(fmt::format(
        "{} is about the words' vectors: expected --model, or --vectors with those of the model",
        flags.noise));
  return needs;
}

void check_slots(const CertificateFlags& flags, int model_slots, const Certificate& certificate) {
  if (flags.has_model() && flags.slots > 0 && flags.slots != model_slots)
    throw usage_error(
        fmt::format("--slots is {}, but {} has {}", flags.slots, flags.words.model, model_slots));
  if (!flags.has_model() && flags.slots == 0 && certificate.reads_slots())
    throw usage_error(fmt::format(
        "the {} certificate of {} depends on the model's slots: expected --model or --slots",
        to_string(certificate.mode()), certificate.noise()));
}

}  // namespace

void CertificateFlags::add(CLI::App& app) {
  app.add_option("--noise", noise, "Smoothing noise (textcrs list noises); default: the model's");
  app.add_option("--model", words.model,
                 "Take slots, words, synonyms and vectors from this model folder");
  candidates.add(app);
  add_given(app);
}

void CertificateFlags::add_given(CLI::App& app) {
  app.add_option("--pa", pa, "Lower bound of the top class's probability, as given");
  app.add_option("--pb", pb, "Upper bound of the runner-up's; default 1 - pA");
  app.add_option("--certificate", mode, "sound: what is proved; paper: the formulas as published");
  app.add_option("--slots", slots, "Without a model, where they matter: its slots")
      ->check(CLI::Range(0, 1000000));
  app.add_option("--vectors", words.vectors,
                 "Without a model, for insert and gaussian: its word vectors; glove or a file");
  app.add_option("--synonyms", words.synonyms.source,
                 "Without a model, for substitute: its synonyms, a JSON file {word: [words]}");
}

WordNeeds CertificateFlags::needs() const {
  if (!noise.empty()) return WordNeeds::of_noise(noise);
  if (!has_model()) throw usage_error("expected --noise, or --model with a noise of its own");
  return {};
}

GivenCertificate::GivenCertificate(const CertificateFlags& flags, const WordNeeds& needs,
                                   const std::vector<std::string>& texts, std::optional<int> words)
    : bounds_(bounds_of(flags)),
      words_(flags.words, checked(flags, needs), texts),
      candidates_(flags.candidates.cut(words_)) {
  const Classifier* const model = words_.model();
  const std::string& noise = flags.noise.empty() ? words_.model_noise() : flags.noise;
  const CertificateMode mode = parse_certificate_mode(flags.mode);
  if (model != nullptr && noise == kNoNoise &&
      (model->config().kind().casts_votes || model->config().units == Units::kSentences))
    throw usage_error(
        "votes are certified text by text, without pA: textcrs predict, or covers without --pa");
  if (model != nullptr && noise == kNoNoise && model->config().intervals)
    throw usage_error(
        "interval bounds certify text by text, without pA: textcrs predict, or covers without "
        "--pa");
  if (model != nullptr && noise == kNoNoise && !model->config().canonical.empty())
    throw usage_error(
        "clusters certify text by text, without pA: textcrs predict, or covers without --pa");
  if (model != nullptr)
    context_.slots = model->config().slots;
  else if (flags.slots > 0)
    context_.slots = flags.slots;
  // Without a model the vocabulary is not known, and hash is answered for the worst of all.
  if (model != nullptr || !needs.stop_words.empty()) context_.vocabulary = &words_.vocabulary();
  if (words_.synonyms().size() > 0) context_.synonyms = &words_.synonyms();
  if (flags.candidates.count > 0) context_.candidates = &candidates_;
  if (words_.embeddings().dimension > 0) context_.embeddings = &words_.embeddings();
  context_.own_vectors = words_.own_vectors();
  check_votes(noise, bounds_, words ? *words : different_words(words_.text(0)));
  certificate_ = make_certificate(noise, mode, context_);
  check_slots(flags, context_.slots, *certificate_);
  if (model != nullptr && mode == CertificateMode::kSound)
    check_can_certify(model->config(), *make_noise_for(*model, noise));
}

void GivenCertificate::name_clusters(CertifiedSet& set) const {
  if (set.certified && certificate_->mode() == CertificateMode::kSound && words_.model() != nullptr)
    set.canonical = words_.model()->config().canonical;
}

}  // namespace textcrs::cli
