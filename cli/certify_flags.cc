#include "certify_flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <random>

#include "textcrs/base/error.h"

namespace textcrs::cli {
namespace {

EngineChoice engine_choice(const std::string& name) {
  if (name == "cpu") return EngineChoice::kCpu;
  if (name == "cuda") return EngineChoice::kCuda;
  return name == "reference" ? EngineChoice::kReference : EngineChoice::kAuto;
}

// 53 bits of the system's entropy: what every reader of JSON takes as a whole number.
uint64_t drawn_seed() {
  std::random_device entropy;
  return (uint64_t{entropy()} << 32 | entropy()) >> 11;
}

// CLI11 would print the least value as 0.000000.
CLI::Validator alpha_in_range() {
  static constexpr double kLeast = 1e-12, kMost = 0.5;
  return CLI::Validator(
      [](std::string& text) -> std::string {
        double alpha = 0;
        if (CLI::detail::lexical_cast(text, alpha) && alpha >= kLeast && alpha <= kMost) return "";
        return fmt::format("found {}, expected {} to {}", text, kLeast, kMost);
      },
      "FLOAT in [1e-12 - 0.5]");
}

}  // namespace

void CertifyFlags::add(CLI::App& app, DefaultSeed seed) {
  CertifierOptions& certifier = options.certifier;
  app.add_option("--model", model, "A model folder, made by textcrs train");
  black_box.add(app);
  cascade_.add(app);
  app.add_option("--noise", options.noise, "Smoothing noise; default: the one it was trained with");
  app.add_option("--samples", certifier.estimation_samples, "N: noisy copies per text")
      ->check(CLI::Range(1, 1000000000));
  app.add_option("--selection-samples", certifier.selection_samples,
                 "N0: copies that choose the class")
      ->check(CLI::Range(1, 1000000000));
  app.add_option("--alpha", certifier.alpha, "Probability that a text's certificate is wrong")
      ->check(alpha_in_range());
  add_bounds(app);
  candidates_.add(app);
  app.add_option("--neighbours", options.neighbours,
                 "insert: say which single edits by each word's K nearest neighbours are covered")
      ->check(CLI::Range(0, 1000));
  add_seed(app, seed);
  add_engine(app);
}

void CertifyFlags::add_synonyms(CLI::App& app) {
  black_box.synonyms.add(app);
  own_synonyms_ = true;
}

void CertifyFlags::add_seed(CLI::App& app, DefaultSeed seed) {
  default_seed_ = seed;
  if (seed == DefaultSeed::kDrawn)
    seed_ =
        app.add_option("--seed", options.seed,
                       "Of the noise; default: drawn, as whoever knows it can search for a text "
                       "with a lucky sample")
            ->default_str("");
  else
    seed_ = app.add_option("--seed", options.seed,
                           "Of the noise; for texts by an adversary one that nobody else knows");
}

bool CertifyFlags::draws_seed() const {
  return default_seed_ == DefaultSeed::kDrawn && seed_->count() == 0;
}

std::string CertifyFlags::how_to_repeat(const CertifiedClassifier& classifier) const {
  const std::optional<uint64_t> seed = classifier.description().seed();
  return seed && draws_seed() ? fmt::format("the same answers again: --seed {}", *seed) : "";
}

void CertifyFlags::add_engine(CLI::App& app) {
  app.add_option("--threads", options.engine.threads, "CPU threads; 0: all cores")
      ->check(CLI::Range(0, 4096));
  app.add_option("--batch-size", options.engine.batch_size,
                 "Copies per forward pass; 0: what suits the device")
      ->check(CLI::Range(0, 1000000));
  app.add_option("--device", options.device, "Where to compute")
      ->check(CLI::IsMember({"cpu", "cuda"}));
  app.add_option(
         "--engine", engine_,
         "cpu, cuda: own kernels; reference: LibTorch; auto: own kernels where there are any")
      ->check(CLI::IsMember({"auto", "cpu", "cuda", "reference"}));
  app.add_option("--precision", precision_, "Precision of the cpu engine; default: the model's")
      ->check(CLI::IsMember({"", "fp32", "bf16"}));
  app.add_option("--isa", options.engine.isa,
                 "Instructions of the cpu engine; auto: the fastest there are");
}

void CertifyFlags::add_bounds(CLI::App& app) {
  CertifierOptions& certifier = options.certifier;
  app.add_option_function<std::string>(
         "--bounds",
         [&certifier](const std::string& name) { certifier.bounds = parse_bounds_method(name); },
         "complement: pB = 1 - pA; joint: pB from the other classes' votes; auto: joint for more "
         "than two classes, else complement")
      ->check(CLI::IsMember({"auto", "complement", "joint"}))
      ->default_str("auto");
  app.add_option_function<std::string>(
         "--exact", [this](const std::string& name) { options.exact = name == "auto"; },
         "auto: where the noise has at most N outcomes, run them all and draw none; never: draw")
      ->check(CLI::IsMember({"auto", "never"}))
      ->default_str("auto");
  app.add_option_function<std::string>(
         "--stop",
         [&certifier](const std::string& name) { certifier.stop.automatic = name == "auto"; },
         "auto: draw no more copies once they would not raise the radius; never: draw all N")
      ->check(CLI::IsMember({"never", "auto"}))
      ->default_str("never");
  app.add_option("--stop-at-radius", certifier.stop.at_radius,
                 "Draw no more copies once this radius is certified or out of reach");
  app.add_option("--stop-operation", stop_operation_,
                 "Whose radius that is; default: edit, or the noise's own")
      ->check(CLI::IsMember({"", "deletion", "insertion", "substitution", "reordering", "edit"}));
}

std::unique_ptr<CertifiedClassifier> CertifyFlags::load(
    const std::vector<std::string>& classes_of_data) const {
  CertifiedOptions chosen = options;
  if (draws_seed()) chosen.seed = drawn_seed();
  if (!stop_operation_.empty()) chosen.certifier.stop.operation = parse_operation(stop_operation_);
  chosen.candidates = candidates_.count;
  if (black_box.given()) return black_box.load(chosen, classes_of_data);
  if (model.empty())
    throw usage_error(
        "expected --model, or a black box with --classifier-command or --classifier-url");
  if (own_synonyms_ && black_box.synonyms.given())
    throw usage_error("--synonyms goes with a black box; a model has its own");
  chosen.engine_choice = engine_choice(engine_);
  if (engine_ == "cpu" && options.device != "cpu")
    throw usage_error("--engine cpu runs on the CPU, not on --device " + options.device);
  if (engine_ == "cuda" && options.device != "cuda")
    throw usage_error("--engine cuda runs on --device cuda, not on " + options.device);
  const bool reference = engine_ == "reference" || options.device != "cpu";
  if (reference && (!precision_.empty() || options.engine.isa != "auto"))
    throw usage_error("--precision and --isa are for the cpu engine");
  if (!precision_.empty()) chosen.precision = parse_precision(precision_);
  if (cascade_.given()) return cascade_.load(model, chosen);
  return load_certified(model, chosen);
}

}  // namespace textcrs::cli
