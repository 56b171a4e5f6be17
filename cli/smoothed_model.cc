#include "smoothed_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "terminal.h"
#include "textcrs/base/error.h"
#include "textcrs/certify/deterministic.h"

namespace textcrs::cli {
namespace {

constexpr double kLargestLaw = 1e6;  // outcomes of a law that is written down

// Copies that are run between two looks at an interruption: several batches of a GPU, seconds of
// work on a CPU. A multiple of every engine's tile.
uint64_t part_size_for(const ModelConfig& config, const std::string& device) {
  if (device != "cpu") return 32768;
  return config.architecture == "bert" ? 1024 : 8192;
}

// Calls part(begin, end) for the parts of [first, last), cut at multiples of `size`; an
// interruption is noticed between two.
template <typename Part>
void in_parts(uint64_t first, uint64_t last, uint64_t size, const Part& part) {
  while (first < last) {
    if (stop_requested) throw Error(ErrorKind::kInterrupted, "interrupted");
    const uint64_t until = std::min(last, (first / size + 1) * size);
    part(first, until);
    first = until;
  }
}

std::unique_ptr<Engine> make_engine(const Classifier& classifier, const CertifyFlags& flags) {
  if (flags.engine_name == "cpu" && flags.device != "cpu")
    throw usage_error("--engine cpu runs on the CPU, not on --device " + flags.device);
  if (flags.engine_name == "reference" || flags.device != "cpu") {
    if (!flags.precision.empty() || flags.engine.isa != "auto")
      throw usage_error("--precision and --isa are for the cpu engine");
    return make_reference_engine(classifier, flags.engine);
  }
  EngineOptions options = flags.engine;
  options.precision =
      flags.precision.empty() ? classifier.config().precision : parse_precision(flags.precision);
  return make_cpu_engine(classifier, options);
}

}  // namespace

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
  candidates.add(app);
  app.add_option("--neighbours", neighbours,
                 "insert: say which single edits by each word's K nearest neighbours are covered")
      ->check(CLI::Range(0, 1000));
  app.add_option("--seed", seed, "Of the noise");
  add_engine(app);
}

void CertifyFlags::add_engine(CLI::App& app) {
  app.add_option("--threads", engine.threads, "0: all cores")->check(CLI::Range(0, 4096));
  app.add_option("--batch-size", engine.batch_size,
                 "Copies a forward pass; 0: what suits the device")
      ->check(CLI::Range(0, 1000000));
  app.add_option("--device", device, "cpu or cuda")->check(CLI::IsMember({"cpu", "cuda"}));
  app.add_option("--engine", engine_name,
                 "cpu: own kernels; reference: LibTorch; auto: cpu on the CPU")
      ->check(CLI::IsMember({"auto", "cpu", "reference"}));
  app.add_option("--precision", precision, "Of the cpu engine; default: the model's")
      ->check(CLI::IsMember({"", "fp32", "bf16"}));
  app.add_option("--isa", engine.isa,
                 "Of the cpu engine: auto, portable, avx2, avx512, avx512bf16 or amx");
}

void CertifyFlags::add_bounds(CLI::App& app) {
  app.add_option_function<std::string>(
         "--bounds",
         [this](const std::string& name) { options.bounds = parse_bounds_method(name); },
         "complement: pB = 1 - pA; joint: pB from the other classes' votes")
      ->check(CLI::IsMember({"complement", "joint"}))
      ->default_str("complement");
  app.add_option_function<std::string>(
         "--exact", [this](const std::string& name) { exact = name == "auto"; },
         "auto: run all outcomes of the noise where there are at most N, and draw nothing; never")
      ->check(CLI::IsMember({"auto", "never"}))
      ->default_str("auto");
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
      largest_law_(flags.exact ? std::min<double>(kLargestLaw, flags.options.estimation_samples)
                               : 0),
      classifier_(Classifier::load(flags.model, flags.device)) {
  const ModelConfig& config = classifier_->config();
  part_size_ = part_size_for(config, flags.device);
  noise_ = make_noise(flags.noise.empty() ? config.noise : flags.noise,
                      {&classifier_->vocabulary(), &classifier_->synonyms(), config.slots});
  spec_ = noise_->spec();
  if ((noise_->sigma() > 0) != config.pool_all_slots)
    throw usage_error(
        fmt::format("noise {} does not fit {}, which was trained under {}: the insertion "
                    "noise needs a model that pools over all slots, and only it does",
                    spec_, flags.model, config.noise));
  candidates_ = flags.candidates.cut(classifier_->synonyms());
  const CertificateContext context = {
      .slots = config.slots,
      .synonyms = &classifier_->synonyms(),
      .candidates = flags.candidates.count > 0 ? &candidates_ : nullptr,
      .vocabulary = &classifier_->vocabulary(),
  };
  sound_ = find_certificate(spec_, CertificateMode::kSound, context);
  paper_ = find_certificate(spec_, CertificateMode::kPaper, context);
  if (!sound_ && !paper_)
    throw usage_error(
        fmt::format("noise {} has no certificate; textcrs evaluate measures its accuracy", spec_));
  const std::optional<uint64_t> outcomes = noise_->outcomes({});
  if (outcomes && *outcomes > kMostOutcomes)
    throw usage_error(fmt::format("noise {} has {} outcomes a text, expected at most {}", spec_,
                                  *outcomes, kMostOutcomes));
  engine_ = make_engine(*classifier_, flags);
  if (noise_->sigma() > 0 && flags.neighbours > 0) {
    rows_ = classifier_->vectors();
    near_.emplace(Embeddings{rows_, config.dimension}, flags.neighbours);
  }
}

std::optional<SingleEdits> SmoothedModel::single_edits(const std::vector<std::string>& words,
                                                       const CertifiedSet& set) {
  if (!near_ || !set.certified) return std::nullopt;
  const ModelConfig& config = classifier_->config();
  const Vocabulary& vocabulary = classifier_->vocabulary();
  const auto text = vocabulary.encode(words);
  const Embeddings known = {rows_, config.dimension};
  if (vocabulary.size() > known.words()) {  // it has learnt words
    const auto more = classifier_->vectors(known.words(), vocabulary.size());
    rows_.insert(rows_.end(), more.begin(), more.end());
    near_->add_rows({rows_, config.dimension});
  }
  return EmbeddingChange({rows_, config.dimension}, config.slots)
      .single_edits(
          text, [&](WordId word) { return near_->of(word); }, set.radius("insertion"));
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
  if (const std::optional<uint64_t> outcomes = noise_->outcomes(text))
    return count_outcomes(text, *outcomes);
  if (noise_->law_size(text) <= largest_law_) return count_law(text);
  return sample(text, example);
}

Certification SmoothedModel::count_outcomes(std::span<const WordId> text, uint64_t outcomes) const {
  Votes votes(classifier_->config().classes.size());
  in_parts(0, outcomes, part_size_, [&](uint64_t begin, uint64_t end) {
    CopyBatch batch;
    for (uint64_t k = begin; k < end; ++k) {
      noise_->outcome(text, k, batch.copies.emplace_back());
      if (batch.copies.back().empty()) batch.copies.pop_back();  // it casts no vote
    }
    for (const int answer : engine_->classify(batch)) ++votes[static_cast<size_t>(answer)];
  });
  return certify_exactly(votes, outcomes, text, sound_.get());
}

Certification SmoothedModel::count_law(std::span<const WordId> text) const {
  const Law law = noise_->law(text);
  Votes votes(classifier_->config().classes.size());
  std::vector<double> shares(votes.size());
  auto outcome = law.begin();
  in_parts(0, law.size(), part_size_, [&](uint64_t begin, uint64_t end) {
    CopyBatch batch;
    std::vector<double> probabilities;
    for (uint64_t k = begin; k < end; ++k, ++outcome) {
      batch.copies.push_back(outcome->first);
      probabilities.push_back(outcome->second);
    }
    const std::vector<int> answers = engine_->classify(batch);
    for (size_t i = 0; i < answers.size(); ++i) {
      ++votes[static_cast<size_t>(answers[i])];
      shares[static_cast<size_t>(answers[i])] += probabilities[i];
    }
  });
  return certify_shares(votes, shares, text, sound_.get(), paper_.get());
}

Certification SmoothedModel::sample(std::span<const WordId> text, uint32_t example) const {
  const VoteSource votes = [&](uint32_t first, uint32_t last) {
    Votes total(classifier_->config().classes.size());
    in_parts(first, last, part_size_, [&](uint64_t begin, uint64_t end) {
      const Votes part = engine_->votes(
          text, *noise_,
          {seed_, example, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)});
      for (size_t c = 0; c < total.size(); ++c) total[c] += part[c];
    });
    return total;
  };
  return certify_text(votes, text, sound_.get(), paper_.get(), options_);
}

}  // namespace textcrs::cli
