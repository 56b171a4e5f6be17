#include "black_box_flags.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>

#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/http/client.h"
#include "word_context.h"

namespace textcrs::cli {
namespace {

std::chrono::milliseconds in_milliseconds(double seconds) {
  return std::chrono::milliseconds(static_cast<int64_t>(1000 * seconds));
}

// Whether a flag says anything: a saved configuration has all of them, most at their defaults.
bool is_set(const CLI::App& app, const char* flag) {
  const CLI::Option& option = *app.get_option(flag);
  if (option.count() == 0) return false;
  const std::vector<std::string> said = option.results();
  return said.size() != 1 || (!said[0].empty() && said[0] != option.get_default_str());
}

// The words that have synonyms, and the noise's stop words; the black box knows any word.
void take_words(const std::string& noise, const SynonymFlags& synonyms, BlackBoxOptions& options) {
  const WordNeeds needs = WordNeeds::of_noise(noise);
  if (!needs.synonyms && needs.stop_words.empty()) return;
  WordFlags flags;
  flags.synonyms = synonyms;
  const WordContext context(flags, needs, {});
  const Vocabulary& known = context.vocabulary();
  std::vector<std::string> words;
  for (WordId word = kFirstWord; word < known.size(); ++word) words.push_back(known.word(word));
  options.vocabulary = Vocabulary(words, Vocabulary::Growth::kOpen);
  if (!needs.stop_words.empty())
    options.vocabulary = options.vocabulary.with_stop_words(known.stop_words());
  options.synonyms = context.synonyms();
}

}  // namespace

void BlackBoxFlags::add(CLI::App& app) {
  app_ = &app;
  app.add_option("--classifier-command", program_.command,
                 "A program instead of a model: a JSON text per line in, a label per line out")
      ->type_name("COMMAND");
  app.add_option("--classifier-url", endpoint_.url,
                 "An HTTP endpoint instead of a model, which answers lists of texts with labels")
      ->type_name("URL");
  app.add_option_function<std::vector<std::string>>(
         "--classes",
         [this](const std::vector<std::string>& names) {
           classes = names == std::vector<std::string>{""} ? std::vector<std::string>() : names;
         },
         "Black box: its classes; default: the labels of the data, where there are any")
      ->delimiter(',')
      ->allow_extra_args(false)  // or it would take the texts after it
      ->default_str("")
      ->type_name("NAME,..");
  app.add_option("--classifier-model", endpoint_.chat.model,
                 "Url: it is an OpenAI-compatible chat endpoint, and the model has this name there")
      ->type_name("NAME");
  app.add_option("--classifier-prompt", prompt_file_,
                 "Chat: a file with the question, with {text} and {classes} in it")
      ->type_name("FILE");
  app.add_option("--classifier-parameters", endpoint_.chat.parameters,
                 "Chat: what a request has beside its model and message")
      ->type_name("JSON");
  app.add_option(
         "--classifier-unclear", endpoint_.chat.unclear,
         "Chat: the class of an answer that names none; default: such an answer is an error")
      ->type_name("NAME");
  app.add_option("--classifier-key", endpoint_.key,
                 "Url: its key; better in the environment, where nobody sees it")
      ->type_name("KEY")
      ->configurable(false);
  app.add_option("--classifier-budget", endpoint_.budget,
                 "Url: requests at most, repeated ones included")
      ->check(CLI::Range(int64_t{0}, int64_t{1'000'000'000}));
  app.add_option("--classifier-version", version_,
                 "Black box: what you call this state of it; results of another are not added to")
      ->type_name("NAME");
  app.add_option("--classifier-batch", batch_, "Black box: texts that it is given at a time")
      ->check(CLI::Range(1, 100000));
  app.add_option("--classifier-workers", workers_, "Black box: programs, or requests, at a time")
      ->check(CLI::Range(1, 256));
  app.add_option("--classifier-timeout", timeout_,
                 "Black box: seconds that one batch may take, the start of the program included")
      ->check(CLI::Range(0.001, 86400.0));
  app.add_option("--classifier-attempts", attempts_,
                 "Black box: attempts per batch where it fails, dies or is late")
      ->check(CLI::Range(1, 100));
  app.add_option("--classifier-cache", cache_,
                 "Black box: a folder where its answers are kept for later runs")
      ->type_name("FOLDER");
  app.add_option(
         "--classifier-repeats", repeat_one_of_,
         "Black box: one of so many texts is asked twice, to see whether it is answered the "
         "same way; 0: none")
      ->check(CLI::Range(0, 1000000));
  app.add_option("--classifier-mask", mask_, "Black box: how noise mask spells a masked word")
      ->type_name("WORD");
}

bool BlackBoxFlags::given() const {
  const bool url = !endpoint_.url.empty();
  if (url && !program_.command.empty())
    throw usage_error("expected --classifier-command or --classifier-url, not both");
  const auto expect = [&](bool there, std::initializer_list<const char*> flags, const char* what) {
    for (const char* flag : flags)
      if (!there && is_set(*app_, flag))
        throw usage_error(fmt::format("{} goes with {}", flag, what));
  };
  const bool box = url || !program_.command.empty();
  expect(box,
         {"--classes", "--classifier-version", "--classifier-batch", "--classifier-workers",
          "--classifier-timeout", "--classifier-attempts", "--classifier-cache",
          "--classifier-repeats", "--classifier-mask"},
         "--classifier-command or --classifier-url");
  expect(url, {"--classifier-model", "--classifier-budget"}, "--classifier-url");
  expect(!endpoint_.chat.model.empty(),
         {"--classifier-prompt", "--classifier-parameters", "--classifier-unclear"},
         "--classifier-model, the name of a chat endpoint's model");
  if (box) check_flags_of_models();
  return box;
}

void BlackBoxFlags::check_flags_of_models() const {
  for (const char* flag : {"--model", "--device", "--engine", "--precision", "--isa", "--threads",
                           "--batch-size", "--neighbours", "--fallback", "--threshold"})
    if (is_set(*app_, flag))
      throw usage_error(fmt::format("{} is for models, not for a black box", flag));
  if (!is_set(*app_, "--noise"))
    throw usage_error("a black box needs --noise, such as universal:p=0.9 (textcrs list noises)");
}

EndpointOptions BlackBoxFlags::endpoint(const std::vector<std::string>& names) const {
  EndpointOptions options = endpoint_;
  options.classes = names;
  options.version = version_;
  options.batch = batch_;
  options.at_once = workers_;
  options.kept = cache_;
  options.http.timeout = in_milliseconds(timeout_);
  options.http.attempts = attempts_;
  if (!prompt_file_.empty()) options.chat.prompt = read_file(prompt_file_);
  return options;
}

std::unique_ptr<BlackBox> BlackBoxFlags::make_box(const std::vector<std::string>& names) const {
  if (names.empty())
    throw usage_error(
        "a black box needs --classes, the names that it answers with: the data has no "
        "labels that would say");
  if (!endpoint_.url.empty()) return make_endpoint_box(endpoint(names));
  ProgramOptions options = program_;
  options.classes = names;
  options.version = version_;
  options.batch = batch_;
  options.workers = workers_;
  options.attempts = attempts_;
  options.timeout = in_milliseconds(timeout_);
  return make_program_box(options);
}

std::unique_ptr<BlackBoxClassifier> BlackBoxFlags::load(
    const SmoothedOptions& options, const std::vector<std::string>& classes_of_data) const {
  BlackBoxOptions chosen;
  chosen.noise = options.noise;
  chosen.certifier = options.certifier;
  chosen.seed = options.seed;
  chosen.exact = options.exact;
  chosen.candidates = options.candidates;
  chosen.mask = mask_;
  take_words(options.noise, synonyms, chosen);
  AskedOptions asked;
  asked.folder = cache_;
  asked.repeat_one_of = repeat_one_of_;
  asked.report = report;
  return std::make_unique<BlackBoxClassifier>(
      std::make_unique<AskedTexts>(make_box(classes.empty() ? classes_of_data : classes), asked),
      chosen);
}

std::string BlackBoxFlags::name() const {
  return endpoint_.url.empty() ? program_.command : HttpClient(endpoint_.url, "").url();
}

std::string BlackBoxFlags::without_secrets(std::string config) const {
  const std::string& url = endpoint_.url;
  if (url.empty()) return config;
  const std::string shown = HttpClient(url, "").url();
  for (size_t at = 0; (at = config.find(url, at)) != std::string::npos; at += shown.size())
    config.replace(at, url.size(), shown);
  return config;
}

std::string in_words(const AskedCounts& counts) {
  return fmt::format("{} copies, {} asked", counts.texts, counts.asked);
}

std::vector<std::string> remarks_on(const CertifiedClassifier& classifier) {
  const auto* box = dynamic_cast<const BlackBoxClassifier*>(&classifier);
  if (box == nullptr) return {};
  const AskedCounts counts = box->counts();
  std::string line = in_words(counts);
  if (counts.kept > 0) line += fmt::format(", {} kept from earlier runs", counts.kept);
  if (counts.repeated > 0)
    line += fmt::format("; {} asked twice, {}", counts.repeated,
                        counts.changed == 0 ? "none answered otherwise"
                                            : fmt::format("{} answered otherwise", counts.changed));
  if (const std::string effort = box->effort(); !effort.empty()) line += "; " + effort;
  return {line};
}

}  // namespace textcrs::cli
