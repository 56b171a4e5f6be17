#include "certificate_flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>

#include "textcrs/base/error.h"
#include "textcrs/base/spec.h"

namespace textcrs::cli {
namespace {

int slots_for(const CertificateFlags& flags, int model_slots,
              const std::vector<std::vector<std::string>>& texts, int least) {
  if (flags.slots > 0) return flags.slots;
  if (model_slots > 0) return model_slots;
  for (const auto& text : texts) least = std::max(least, static_cast<int>(text.size()));
  return least;
}

// pB = 1 - pA, rounded up, is always a bound.
Bounds bounds_of(const CertificateFlags& flags) {
  if (!flags.pb && flags.pa >= 0 && flags.pa < 0.5)
    throw usage_error(fmt::format(
        "--pa is {}, below 1/2: without --pb, another class may have the rest, pB = 1 - pA = {}, "
        "and nothing is certified; expected --pa above 1/2, or --pb below --pa",
        shortest(flags.pa), shortest(1 - flags.pa)));
  return {flags.pa, flags.pb ? *flags.pb : std::min(flags.pa, std::nextafter(1 - flags.pa, 1.0))};
}

}  // namespace

void CertificateFlags::add(CLI::App& app) {
  app.add_option("--noise", noise, "Smoothing noise (textcrs list noises); default: the model's");
  app.add_option("--pa", pa, "Lower bound of the top class's probability")->required();
  app.add_option("--pb", pb, "Upper bound of the runner-up's; default 1 - pA");
  app.add_option("--slots", slots, "The model's slots; default: --model's, or the words")
      ->check(CLI::Range(0, 1000000));
  app.add_option("--certificate", mode, "sound (proved) or paper (as published)");
  candidates.add(app);
  words.add(app);
}

WordNeeds CertificateFlags::needs() const {
  if (!noise.empty()) return WordNeeds::of_noise(noise);
  if (words.model.empty())
    throw usage_error("expected --noise, or --model with a noise of its own");
  return {};
}

GivenCertificate::GivenCertificate(const CertificateFlags& flags, const WordNeeds& needs,
                                   const std::vector<std::string>& texts, int least_slots)
    : words_(flags.words, needs, texts),
      candidates_(flags.candidates.cut(words_.synonyms())),
      bounds_(bounds_of(flags)),
      slots_(slots_for(flags, words_.model_slots(), words_.texts(), least_slots)) {
  context_.slots = slots_;
  context_.vocabulary = &words_.vocabulary();
  if (words_.synonyms().size() > 0) context_.synonyms = &words_.synonyms();
  if (flags.candidates.count > 0) context_.candidates = &candidates_;
  if (words_.embeddings().dimension > 0) context_.embeddings = &words_.embeddings();
  context_.own_vectors = words_.own_vectors();
  certificate_ = make_certificate(flags.noise.empty() ? words_.model_noise() : flags.noise,
                                  parse_certificate_mode(flags.mode), context_);
}

}  // namespace textcrs::cli
