#include "train_flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "slot_map_flags.h"
#include "textcrs/base/error.h"
#include "textcrs/base/nearest_name.h"
#include "textcrs/base/spec.h"
#include "textcrs/noise/noise.h"

namespace textcrs::cli {
namespace {

constexpr std::pair<const char*, Operation> kAims[] = {
    {"edits", Operation::kEdit},
    {"deletions", Operation::kDeletion},
    {"insertions", Operation::kInsertion},
    {"substitutions", Operation::kSubstitution},
    {"reordering", Operation::kReordering},
};

Operation parse_aim(const std::string& name) {
  if (name.empty()) return Operation::kEdit;
  std::vector<std::string> known;
  for (const auto& [word, operation] : kAims) {
    if (name == word) return operation;
    known.emplace_back(word);
  }
  throw usage_error(fmt::format("--for {}: expected one of: {}{}", name, fmt::join(known, ", "),
                                did_you_mean(name, known)));
}

CLI::Validator known_architecture() {
  const auto complaint = [](std::string& name) -> std::string {
    const auto known = architecture_names();
    if (std::find(known.begin(), known.end(), name) != known.end()) return "";
    return fmt::format("found '{}', expected one of: {}{}", name, fmt::join(known, ", "),
                       did_you_mean(name, known));
  };
  return CLI::Validator(complaint, fmt::format("{{{}}}", fmt::join(architecture_names(), ",")));
}

// Gives an option that was left out a value, as if it had been its default.
template <typename T>
void use(CLI::App& command, const std::string& name, T& field, T value) {
  CLI::Option* const option = command.get_option(name);
  if (option->count() > 0) return;
  field = value;
  option->default_str(shortest(static_cast<double>(value)));
}

}  // namespace

void TrainFlags::add(CLI::App& command) {
  TrainOptions& o = options;
  prepare.model.noise.clear();
  data.add(command, "train");
  command.add_option(
      "--validation", validation,
      "Labelled texts that choose the epoch, as --data (and its test split, where it "
      "has one), instead of a held-out share");
  command.add_option("--out", out, "Folder for the model")->required();
  command.add_flag("--overwrite", overwrite, "Replace the folder if it exists");
  command.add_option("--noise", prepare.model.noise,
                     "Smoothing noise (textcrs list noises); left out, it is chosen by --for and "
                     "the length of the texts");
  command.add_option("--for", aim,
                     "What is to be proved, where --noise is left out: edits (any mixture of "
                     "insertions, deletions and substitutions; the default), deletions, "
                     "insertions, substitutions or reordering");
  synonyms.add(command);
  command.add_option("--canonical", canonical,
                     "TABLE,size=K: clusters of at most K synonyms, each read as one word, so that "
                     "a word may become any other of its cluster; TABLE as in --synonyms");
  command.add_option("--vectors", prepare.vectors, "glove, or a GloVe .txt or wink .json file");
  command.add_flag("--train-vectors", prepare.model.trained_vectors,
                   "Train the word vectors, too (docs/training.md says what it costs)");
  command
      .add_option("--architecture", prepare.model.architecture,
                  "The base classifier (textcrs list models)")
      ->check(known_architecture());
  command
      .add_option_function<std::string>(
          "--units", [this](const std::string& name) { prepare.model.units = parse_units(name); },
          "What casts votes: words, where the architecture has them vote, or sentences, each read "
          "by the network alone (docs/certificates.md, B12)")
      ->check(CLI::IsMember({"words", "sentences"}))
      ->default_str("words");
  command.add_option("--bert", prepare.bert,
                     "bert: the encoder to begin with, minilm (textcrs data fetch minilm) or a "
                     "folder of Hugging Face's library");
  command.add_option("--start-from", start_from,
                     "Begin with the parameters of this trained model, of the same shape: under "
                     "insert, one trained at a small sigma (the paper's PLM)");
  add_slot_map_flags(command, prepare.model, o);
  command
      .add_option_function<std::string>(
          "--precision",
          [this](const std::string& name) { prepare.model.precision = parse_precision(name); },
          "What answers and certificates are computed in: on the CPU, and by a bert on a GPU, "
          "where "
          "it is trained in it, too")
      ->check(CLI::IsMember({"fp32", "bf16"}))
      ->default_str("bf16");
  command
      .add_option("--hidden", prepare.model.hidden,
                  "Units per direction, or filters per width; votes: of the small network on the "
                  "word vectors, 32; a bert brings its own")
      ->check(CLI::Range(0, 10000));
  command
      .add_option_function<std::string>(
          "--edits", [this](const std::string& value) { read_edits(value); },
          "votes, sentences: the number of edits that training prepares for, sentences: 1; more "
          "edits cost accuracy; auto (votes): chosen on held-out texts, with the temperature")
      ->default_str("2");
  command
      .add_option("--temperature", o.votes.temperature,
                  "votes, sentences: the lead at which a text no longer pulls; sentences: 2")
      ->check(CLI::PositiveNumber);
  command
      .add_option("--windows", prepare.model.votes.windows,
                  "votes: the most neighbouring words that vote together, 1 to 3; the order of the "
                  "words then matters")
      ->check(CLI::Range(1, 3));
  command
      .add_option("--window-rows", prepare.model.votes.window_rows,
                  "votes: rows of the table of windows of each width, which share them")
      ->check(CLI::Range(0, 1 << 26));
  command.add_flag("--presence", prepare.model.votes.presence,
                   "votes: a word votes once, however often it stands in a text");
  command.add_option("--score-decay", o.votes.decay, "votes: of the words' free scores")
      ->check(CLI::NonNegativeNumber);
  command.add_flag("--intervals", prepare.model.intervals,
                   "cnn, bilstm: certified by interval bounds over the candidates of all words "
                   "(--synonyms), without noise (docs/certificates.md, B15)");
  command
      .add_option("--interval-weight", o.interval_weight,
                  "Intervals: the share of the worst-case loss, once it has grown")
      ->check(CLI::Range(0.0, 1.0));
  command
      .add_option("--interval-ramp", o.interval_ramp,
                  "Intervals: the share of the steps over which the boxes and the worst-case loss "
                  "grow")
      ->check(CLI::Range(0.0, 1.0));
  command
      .add_option("--encoder-weight", o.encoder_weight,
                  "Under Gaussian noise: train an encoder that draws every word and its candidates "
                  "(--synonyms) together, with this weight; 0: none (docs/training.md, CISS)")
      ->check(CLI::NonNegativeNumber);
  command
      .add_option("--encoder-hidden", o.encoder_hidden,
                  "Its hidden units; 0: twice the dimension of the word vectors")
      ->check(CLI::Range(0, 100000));
  command.add_option("--slots", prepare.model.slots, "A noisy copy is cut to this many words")
      ->check(CLI::Range(1, 100000));
  command
      .add_option("--dropout", prepare.model.dropout,
                  "Dropout of the pooled features; bert: and of hidden states, 0.1")
      ->check(CLI::Range(0.0, 0.99));
  command.add_option("--input-dropout", prepare.model.input_dropout, "Dropout of the word vectors")
      ->check(CLI::Range(0.0, 0.99));
  command
      .add_option("--min-count", prepare.min_count,
                  "Words seen less often are unknown (to a bert: have no synonyms)")
      ->check(CLI::PositiveNumber);
  command
      .add_option("--epochs", o.epochs,
                  "Passes over the texts; left out, enough for a number of steps")
      ->default_str("10, more for few texts; bert: 3")
      ->check(CLI::Range(1, 10000));
  command
      .add_option("--batch-size", o.batch_size,
                  "Texts per step; left out, it depends on the number of texts")
      ->default_str("32 to 128; bert: 32")
      ->check(CLI::Range(1, 100000));
  command
      .add_option("--accumulate", o.accumulate,
                  "A step's texts go through in so many parts, for less memory")
      ->check(CLI::Range(1, 100000));
  command.add_option("--learning-rate", o.learning_rate, "Peak of the schedule; bert: 5e-05")
      ->check(CLI::PositiveNumber);
  command.add_option("--warm-up", o.warm_up, "Share of the steps until the peak; bert: 0.1")
      ->check(CLI::Range(0.0, 1.0));
  command.add_option("--weight-decay", o.weight_decay, "Decoupled, as in AdamW; bert: 0.01")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--gradient-clip", o.gradient_clip, "Largest gradient norm; 0: none")
      ->check(CLI::NonNegativeNumber);
  noisy.add(command, o);
  command.add_option("--freeze-layers", o.freeze_layers, "bert: the first layers that stay")
      ->check(CLI::Range(0, 1000));
  command.add_option("--seed", o.seed, "Seed of everything random");
  command
      .add_option("--validation-share", o.validation_share,
                  "Share of the texts, held out to choose the epoch")
      ->check(CLI::Range(0.0, 0.9));
  command.add_option("--validation-copies", o.validation_copies, "Noisy copies per held-out text")
      ->check(CLI::Range(1, 100000));
  command.add_option("--loader-threads", o.loader_threads, "Threads that draw noise ahead")
      ->check(CLI::Range(1, 256));
  command.add_option("--threads", o.threads, "CPU threads of the training step; 0: all cores")
      ->check(CLI::Range(0, 4096));
  command.add_option("--device", o.device, "Where to compute")
      ->check(CLI::IsMember({"cpu", "cuda"}));
  command.add_flag("--resume", o.resume, "Go on with an interrupted run of the same flags");
}

void TrainFlags::read_edits(const std::string& value) {
  choose_setting = value == "auto";
  if (choose_setting) return;
  double& edits = options.votes.edits;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), edits);
  if (error != std::errc() || end != value.data() + value.size() || !(edits >= 0 && edits <= 1000))
    throw CLI::ValidationError(
        "--edits", fmt::format("found '{}', expected auto or a number up to 1000", value));
}

void TrainFlags::settle(CLI::App& command) {
  const Architecture& architecture = prepare.model.kind();
  const TrainingDefaults& best = architecture.training;
  use(command, "--learning-rate", options.learning_rate, best.learning_rate);
  use(command, "--warm-up", options.warm_up, best.warm_up);
  use(command, "--weight-decay", options.weight_decay, best.weight_decay);
  use(command, "--dropout", prepare.model.dropout, best.dropout);
  use(command, "--input-dropout", prepare.model.input_dropout, best.input_dropout);
  use(command, "--hidden", prepare.model.hidden, best.hidden);
  use(command, "--validation-share", options.validation_share, best.validation_share);
  if (prepare.model.units == Units::kSentences) {
    const VoteOptions best_votes = VoteOptions::for_sentences();
    use(command, "--edits", options.votes.edits, best_votes.edits);
    use(command, "--temperature", options.votes.temperature, best_votes.temperature);
    if (choose_setting) throw usage_error("--edits auto is for words that vote");
    if (options.votes.edits != std::floor(options.votes.edits))
      throw usage_error("--edits of sentences is a whole number");
    if (!aim.empty()) throw usage_error("--for chooses a noise; --units sentences has none");
    if (prepare.model.noise.empty()) prepare.model.noise = kNoNoise;
    if (const auto complaint = units_complaint(prepare.model)) throw usage_error(*complaint);
  }
  options.votes.hidden = prepare.model.hidden;
  VoteShape& votes = prepare.model.votes;
  check_votes(architecture);
  use(command, "--window-rows", votes.window_rows, votes.windows > 1 ? 1 << 18 : 0);
  use(command, "--score-decay", options.votes.decay, best.score_decay);
  if (prepare.model.units == Units::kWords) {
    use(command, "--temperature", options.votes.temperature, best.temperature);
    use(command, "--edits", options.votes.edits, best.edits);
  }
  if (architecture.casts_votes && synonyms.given()) settle_synonyms(command);
  settle_intervals(command);
  settle_encoder();
  if (architecture.name == "votes" && prepare.model.noise.empty()) prepare.model.noise = kNoNoise;
  if (architecture.reads_pieces && prepare.model.input_dropout > 0)
    throw usage_error("--input-dropout is for word vectors; a bert has --dropout");
  if (architecture.reads_pieces && prepare.model.trained_vectors)
    throw usage_error("--train-vectors is for word vectors; the embeddings of a bert stay");
  check_slot_map_flags(prepare.model, options);
  noisy.settle(prepare.model, options);
  const Operation wanted = parse_aim(aim);
  if (!aim.empty() && !prepare.model.noise.empty())
    throw usage_error("--for chooses a noise and --noise names one: expected one of the two");
  if (prepare.model.noise.empty())
    prepare.choose_noise = [this, wanted](int words) {
      chosen = default_noise(wanted, words);
      return chosen->noise;
    };
  if (validation.empty()) return;
  use(command, "--validation-share", options.validation_share, 0.0);
  if (options.validation_share > 0)
    throw usage_error(
        "--validation-share holds texts out and --validation brings its own: expected one of the "
        "two");
}

void TrainFlags::check_votes(const Architecture& architecture) const {
  const VoteShape& votes = prepare.model.votes;
  if (!architecture.casts_votes && (votes.windows > 1 || votes.presence))
    throw usage_error("--windows and --presence are for --architecture votes and linear");
  if (votes.windows > 1 && votes.presence)
    throw usage_error("--windows and --presence can not be combined");
  if (architecture.casts_votes && synonyms.given() && (votes.windows > 1 || votes.presence))
    throw usage_error("--synonyms can not be combined with --windows or --presence");
  if (choose_setting && architecture.name != "votes")
    throw usage_error("--edits auto is for --architecture votes");
  if (architecture.name != "votes") return;
  if (!aim.empty()) throw usage_error("--for chooses a noise; --architecture votes has none");
  if (!prepare.model.noise.empty() && prepare.model.noise != kNoNoise)
    throw usage_error(
        "--architecture votes has no noise; --architecture linear is the same under noise");
}

// Every score then hangs on those of its candidates: smaller steps, more of them; the word vectors
// add nothing (docs/results/votes.md).
void TrainFlags::settle_synonyms(CLI::App& command) {
  use(command, "--learning-rate", options.learning_rate, 0.003);
  use(command, "--temperature", options.votes.temperature, 3.0);
  use(command, "--hidden", prepare.model.hidden, 0);
  options.votes.hidden = prepare.model.hidden;
}

void TrainFlags::settle_intervals(CLI::App& command) {
  if (!prepare.model.intervals) {
    const TrainOptions usual;  // what a saved run of another kind says, too
    if (options.interval_weight != usual.interval_weight ||
        options.interval_ramp != usual.interval_ramp)
      throw usage_error("--interval-weight and --interval-ramp need --intervals");
    return;
  }
  if (!synonyms.given())
    throw usage_error("--intervals needs --synonyms: glove, wordnet or a JSON file");
  if (!aim.empty()) throw usage_error("--for chooses a noise; --intervals has none");
  if (prepare.model.noise.empty()) prepare.model.noise = kNoNoise;
  if (prepare.model.noise != kNoNoise)
    throw usage_error(fmt::format("--noise {}: --intervals has none", prepare.model.noise));
  if (command.count("--precision") > 0) return;
  prepare.model.precision = Precision::kFp32;  // nearer to the double precision that answers
  command.get_option("--precision")->default_str("fp32");
}

void TrainFlags::settle_encoder() {
  if (options.encoder_weight == 0) {
    if (options.encoder_hidden > 0) throw usage_error("--encoder-hidden needs --encoder-weight");
    return;
  }
  if (!synonyms.given())
    throw usage_error("--encoder-weight needs --synonyms: glove, wordnet or a JSON file");
  if (prepare.model.noise.empty())
    throw usage_error("--encoder-weight needs --noise, a Gaussian one on the word vectors");
  prepare.model.trained_vectors = true;
}

void TrainFlags::settle(CLI::App& command, const PreparedClassifier& prepared) {
  auto best = TrainOptions::recommended(prepare.model.kind(), trained_texts(prepared.texts));
  if (prepare.model.kind().casts_votes && synonyms.given()) best.epochs *= 3;
  if (prepare.model.intervals) best.epochs *= 2;  // a BiLSTM learns nothing while boxes grow fast
  use(command, "--batch-size", options.batch_size, best.batch_size);
  use(command, "--epochs", options.epochs, best.epochs);
  if (!chosen) return;
  command.get_option("--noise")->default_str(chosen->noise);
  command.get_option("--for")->clear();
}

void TrainFlags::read_canonical() {
  if (canonical.empty()) return;
  constexpr std::string_view kSize = ",size=";
  const size_t at = canonical.rfind(kSize);
  const auto fail = [&] {
    throw usage_error(
        fmt::format("--canonical {}: expected TABLE,size=K, where TABLE is glove, "
                    "wordnet or a JSON file and K is 2 or more",
                    canonical));
  };
  if (at == std::string::npos || at == 0) fail();
  const char* const begin = canonical.data() + at + kSize.size();
  const char* const end = canonical.data() + canonical.size();
  const auto [rest, error] = std::from_chars(begin, end, prepare.cluster_size);
  if (error != std::errc() || rest != end || prepare.cluster_size < 2) fail();
  prepare.canonical = synonyms;
  prepare.canonical.source = canonical.substr(0, at);
}

Dataset TrainFlags::load_validation(const std::vector<std::string>& classes) const {
  DataFlags flags = data;
  flags.flag = "--validation";
  flags.data = validation;
  flags.split = "test";
  flags.limit = 0;
  Dataset dataset = flags.load(classes, options.seed);
  check_labels(dataset, validation, "validation (--label-column)");
  return dataset;
}

size_t TrainFlags::trained_texts(const std::vector<EncodedText>& texts) const {
  return texts.size() - held_out_count(texts, options.validation_share);
}

}  // namespace textcrs::cli
