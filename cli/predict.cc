#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "certify_flags.h"
#include "commands.h"
#include "terminal.h"
#include "textcrs/report/answers.h"
#include "textcrs/text/check_text.h"

namespace textcrs::cli {
namespace {

struct Flags {
  CertifyFlags certify;
  std::vector<std::string> texts;
  bool json = false;
};

void answer(const CertifiedClassifier& classifier, const std::string& text, uint32_t number,
            bool json) {
  const auto words = classifier.words(text);
  const Certification c = classifier.certify(words, number, stop_token());
  fmt::print("{}\n", json ? answer_to_json(classifier, words.size(), c)
                          : answer_in_words(classifier, words.size(), c));
}

void run(const Flags& flags) {
  for (size_t i = 0; i < flags.texts.size(); ++i)
    check_text(flags.texts[i], fmt::format("argument {}", i + 1));
  const auto classifier = flags.certify.load();
  if (!flags.json)
    for (const std::string& caveat : classifier->description().caveats)
      fmt::print(stderr, "note: {}\n", caveat);
  uint32_t number = 0;
  for (const std::string& text : flags.texts) answer(*classifier, text, number++, flags.json);
  if (!flags.texts.empty()) return;
  for (std::string line; std::getline(std::cin, line);) {
    check_text(line, fmt::format("standard input:{}", number + 1));
    answer(*classifier, line, number++, flags.json);
    flush_output();
  }
}

}  // namespace

void add_predict(CLI::App& app) {
  auto* command =
      app.add_subcommand("predict", "Answer for texts, with what is certified about it");
  auto flags = std::make_shared<Flags>();
  flags->certify.options.certifier.estimation_samples = 10000;
  flags->certify.add(*command);
  command->add_option("text", flags->texts, "Texts; none: one per line from standard input");
  command->add_flag("--json", flags->json, "One JSON object per text");
  command->footer(
      "Examples:\n"
      "  textcrs predict --model imdb-universal \"A film of rare warmth and wit.\"\n"
      "  textcrs predict --model imdb-universal < reviews.txt");
  command->callback([flags] { run(*flags); });
}

}  // namespace textcrs::cli
