#include "smoothed_model.h"

#include <fmt/format.h>

#include "terminal.h"
#include "textcrs/base/error.h"
#include "textcrs/certify/deterministic.h"

namespace textcrs::cli {

void CertifyFlags::add(CLI::App& app) {
  app.add_option("--model", model, "A model folder, made by textcrs train")->required();
  app.add_option("--noise", noise, "Smoothing noise; default: the one it was trained with");
  app.add_option("--samples", options.estimation_samples, "N: noisy copies a text")
      ->check(CLI::Range(1, 1000000000));
  app.add_option("--selection-samples", options.selection_samples,
                 "N0: copies that choose the class")
      ->check(CLI::Range(1, 1000000000));
  app.add_option("--alpha", options.alpha, "Probability that a text's certificate is wrong")
      ->check(CLI::Range(1e-12, 0.5));
  add_bounds(app);
  app.add_option("--seed", seed, "Of the noise");
  app.add_option("--threads", engine.threads, "0: all cores")->check(CLI::Range(0, 4096));
  app.add_option("--batch-size", engine.batch_size,
                 "Copies a forward pass; 0: what suits the device")
      ->check(CLI::Range(0, 1000000));
  app.add_option("--device", device, "cpu or cuda")->check(CLI::IsMember({"cpu", "cuda"}));
}

void CertifyFlags::add_bounds(CLI::App& app) {
  app.add_option_function<std::string>(
         "--bounds",
         [this](const std::string& name) { options.bounds = parse_bounds_method(name); },
         "complement: pB = 1 - pA; joint: pB from the other classes' votes")
      ->check(CLI::IsMember({"complement", "joint"}))
      ->default_str("complement");
  app.add_option_function<std::string>(
         "--stop", [this](const std::string& name) { options.stop.automatic = name == "auto"; },
         "auto: draw no more copies once they would not raise the radius; never")
      ->check(CLI::IsMember({"never", "auto"}))
      ->default_str("never");
  app.add_option("--stop-at-radius", options.stop.at_radius,
                 "Draw no more copies once this radius is certified or out of reach");
  app.add_option("--stop-operation", options.stop.operation,
                 "Whose radius that is; default: edit, or the noise's own")
      ->check(CLI::IsMember({"", "deletion", "insertion", "substitution", "reordering", "edit"}));
}

SmoothedModel::SmoothedModel(const CertifyFlags& flags)
    : options_(flags.options),
      seed_(flags.seed),
      classifier_(Classifier::load(flags.model, flags.device)) {
  const ModelConfig& config = classifier_->config();
  noise_ = make_noise(flags.noise.empty() ? config.noise : flags.noise,
                      {&classifier_->vocabulary(), &classifier_->synonyms(), config.slots});
  spec_ = noise_->spec();
  if ((noise_->sigma() > 0) != config.pool_all_slots)
    throw usage_error(
        fmt::format("noise {} does not fit {}, which was trained under {}: the insertion "
                    "noise needs a model that pools over all slots, and only it does",
                    spec_, flags.model, config.noise));
  sound_ = find_certificate(spec_, CertificateMode::kSound, config.slots);
  paper_ = find_certificate(spec_, CertificateMode::kPaper, config.slots);
  if (!sound_ && !paper_)
    throw usage_error(
        fmt::format("noise {} has no certificate; textcrs evaluate measures its accuracy", spec_));
  const std::optional<uint64_t> outcomes = noise_->outcomes({});
  if (outcomes && *outcomes > kMostOutcomes)
    throw usage_error(fmt::format("noise {} has {} outcomes a text, expected at most {}", spec_,
                                  *outcomes, kMostOutcomes));
  engine_ = make_reference_engine(*classifier_, flags.engine);
}

Certification SmoothedModel::certify(const std::vector<std::string>& words,
                                     uint32_t example) const {
  if (words.empty()) {
    Certification nothing;
    nothing.abstained = true;
    nothing.counts.assign(classifier_->config().classes.size(), 0);
    return nothing;
  }
  const std::vector<WordId> text = classifier_->vocabulary().encode(words);
  const int count = static_cast<int>(words.size());
  if (const std::optional<uint64_t> outcomes = noise_->outcomes(text)) {
    const Votes votes = in_parts(0, *outcomes, [&](uint64_t begin, uint64_t end) {
      return engine_->outcome_votes(text, *noise_, {begin, end});
    });
    return certify_exactly(votes, *outcomes, count, sound_.get());
  }
  const VoteSource votes = [&](uint32_t first, uint32_t last) {
    return in_parts(first, last, [&](uint64_t begin, uint64_t end) {
      return engine_->votes(
          text, *noise_,
          {seed_, example, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
    });
  };
  return certify_text(votes, count, sound_.get(), paper_.get(), options_);
}

Votes SmoothedModel::in_parts(uint64_t begin, uint64_t end, const VotesOfPart& votes) const {
  constexpr uint64_t kBetweenStops = 4096;  // a multiple of every engine's tile
  Votes total(classifier_->config().classes.size());
  while (begin < end) {
    if (stop_requested) throw Error(ErrorKind::kInterrupted, "interrupted");
    const uint64_t until = std::min(end, (begin / kBetweenStops + 1) * kBetweenStops);
    const Votes part = votes(begin, until);
    for (size_t c = 0; c < total.size(); ++c) total[c] += part[c];
    begin = until;
  }
  return total;
}

}  // namespace textcrs::cli
