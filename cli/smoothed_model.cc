#include "smoothed_model.h"

#include <fmt/format.h>

#include "terminal.h"
#include "textcrs/base/error.h"

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
  app.add_option("--seed", seed, "Of the noise");
  app.add_option("--threads", engine.threads, "0: all cores")->check(CLI::Range(0, 4096));
  app.add_option("--batch-size", engine.batch_size,
                 "Copies a forward pass; 0: what suits the device")
      ->check(CLI::Range(0, 1000000));
  app.add_option("--device", device, "cpu or cuda")->check(CLI::IsMember({"cpu", "cuda"}));
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
  constexpr uint32_t kBetweenStops = 4096;  // a multiple of every engine's tile
  const VoteSource votes = [&](uint32_t begin, uint32_t end) {
    Votes total(classifier_->config().classes.size());
    while (begin < end) {
      if (stop_requested) throw Error(ErrorKind::kInterrupted, "interrupted");
      const uint32_t until = std::min(end, (begin / kBetweenStops + 1) * kBetweenStops);
      const Votes part = engine_->votes(text, *noise_, {seed_, example, begin, until});
      for (size_t c = 0; c < total.size(); ++c) total[c] += part[c];
      begin = until;
    }
    return total;
  };
  return certify_text(votes, static_cast<int>(words.size()), sound_.get(), paper_.get(), options_);
}

}  // namespace textcrs::cli
