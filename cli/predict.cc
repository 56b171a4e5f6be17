#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "certify_flags.h"
#include "commands.h"
#include "input_lines.h"
#include "style.h"
#include "terminal.h"
#include "textcrs/report/answers.h"
#include "textcrs/text/check_text.h"
#include "textcrs/text/printable_name.h"

namespace textcrs::cli {
namespace {

struct Flags {
  CertifyFlags certify;
  std::vector<std::string> texts;
  bool json = false, explains = false;
  ExplainOptions explain;
};

// With the class, or that there is none, in colour.
std::string sentence(const CertifiedClassifier& classifier, size_t words, const Certification& c) {
  const std::string said = answer_in_words(classifier, words, c);
  if (c.abstained) return styled_start(Style::kNoAnswer, "no answer", said);
  const std::string& name = classifier.classes()[static_cast<size_t>(c.prediction)];
  return styled_start(Style::kAnswer, printable_name(name), said);
}

// Answers one text after the other.
class Answers {
 public:
  explicit Answers(Flags& flags) : flags_(flags) {
    flags.certify.black_box.report = [this](const AskedCounts& counts) {
      status_.update(in_words(counts));
    };
    classifier_ = flags.certify.load();
  }
  // What is to be said of all of them.
  void end() {
    for (const std::string& line : remarks_on(*classifier_)) remark(line);
  }

  // On standard output when it returns.
  void answer(const std::string& text) {
    stop_token().check();
    print_answer(text);
    flush_output();
  }

 private:
  void print_answer(const std::string& text) {
    const auto words = classifier_->words(text);
    const Certification c = classifier_->certify(words, number_, stop_token());
    std::optional<Explanation> explanation;
    if (flags_.explains && !words.empty())
      explanation =
          classifier_->explain(words, c.prediction, number_, flags_.explain, stop_token());
    ++number_;
    status_.clear();
    if (flags_.json) {
      put("{}\n",
          answer_to_json(*classifier_, words.size(), c, explanation ? &*explanation : nullptr));
      return;
    }
    put("{}\n", sentence(*classifier_, words.size(), c));
    if (explanation) put("{}\n", explanation_in_words(*classifier_, c, *explanation));
    const bool explained_by_samples = explanation && explanation->drawn;
    if (explained_by_samples || (!c.exact && c.samples > 0)) say_seed();
  }

  // The seed that was drawn, once, for people; JSON has it.
  void say_seed() {
    const std::string how = flags_.certify.how_to_repeat(*classifier_);
    if (seed_said_ || how.empty()) return;
    seed_said_ = true;
    flush_output();
    remark(how);
  }

  const Flags& flags_;
  StatusLine status_;
  std::unique_ptr<CertifiedClassifier> classifier_;
  uint32_t number_ = 0;
  bool seed_said_ = false;
};

void run(Flags& flags) {
  for (size_t i = 0; i < flags.texts.size(); ++i)
    check_text(flags.texts[i], fmt::format("argument {}", i + 1));
  Answers answers(flags);
  for (const std::string& text : flags.texts) answers.answer(text);
  if (!flags.texts.empty()) return answers.end();
  size_t number = 0;
  InputLines lines;
  for (std::string line; lines.next(line);) {
    check_text(line, fmt::format("standard input:{}", ++number));
    answers.answer(line);
  }
  answers.end();
}

}  // namespace

void add_predict(CLI::App& app) {
  auto* command = app.add_subcommand(
      "predict", "Classify texts, and say which edits can not change the answer");
  auto flags = std::make_shared<Flags>();
  flags->certify.options.certifier.estimation_samples = 10000;
  flags->certify.add(*command, DefaultSeed::kDrawn);
  flags->certify.add_synonyms(*command);
  command->add_option("text", flags->texts, "Texts; none: one per line from standard input");
  command->add_flag("--json", flags->json, "One JSON object per text");
  command->add_flag(
      "--explain", flags->explains,
      "Also the words, or sentences, whose removal moves the votes most: measured, not proved");
  command->add_option("--explain-words", flags->explain.words, "How many --explain lists")
      ->check(CLI::Range(1, 1000));
  command
      ->add_option(
          "--explain-copies", flags->explain.copies,
          "Noisy copies that --explain measures each word with, where it does not count all")
      ->check(CLI::Range(1, 1000000));
  command->footer(
      "Examples:\n"
      "  textcrs predict --model imdb-universal \"A film of rare warmth and wit.\"\n"
      "  textcrs predict --model imdb-universal --explain \"What a waste of two hours.\"\n"
      "  textcrs predict --model imdb-universal < reviews.txt");
  command->callback([flags] { run(*flags); });
}

}  // namespace textcrs::cli
