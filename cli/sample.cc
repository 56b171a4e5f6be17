#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.h"
#include "terminal.h"
#include "textcrs/base/spec.h"
#include "textcrs/noise/noise.h"
#include "word_context.h"

namespace textcrs::cli {
namespace {

struct Flags {
  std::string noise, text;
  WordFlags words;
  uint32_t count = 5;
  uint64_t seed = 1;
  int slots = 0;
};

void run(const Flags& flags) {
  WordNeeds needs = WordNeeds::of_noise(flags.noise);
  needs.vectors = false;  // the copies are shown in words
  const WordContext context(flags.words, needs, {flags.text});
  const Text text = context.text(0);
  const Vocabulary& vocabulary = context.vocabulary();
  const int slots = flags.slots > 0              ? flags.slots
                    : context.model() != nullptr ? context.model()->config().slots
                                                 : std::max(1, static_cast<int>(text.size()));
  const auto noise = make_noise(flags.noise, {&vocabulary, &context.synonyms(), slots});
  Words copy;
  for (uint32_t sample = 0; sample < flags.count; ++sample) {
    Stream stream(flags.seed, 0, sample);
    noise->sample(text, stream, copy);
    std::vector<std::string_view> shown;
    for (WordId id : copy) shown.push_back(vocabulary.word(id, text.own));
    put("{}\n", fmt::join(shown, " "));
  }
  if (noise->sigma() > 0)
    put("(and N(0, {}^2) on every coordinate of every slot's vector)\n", shortest(noise->sigma()));
}

}  // namespace

void add_sample(CLI::App& app) {
  auto* command = app.add_subcommand("sample", "Show noisy copies of a text");
  auto flags = std::make_shared<Flags>();
  command->add_option("--noise", flags->noise, "Smoothing noise (textcrs list noises)")->required();
  command->add_option("--text", flags->text, "The text")->required();
  command->add_option("--count", flags->count, "How many copies")->check(CLI::Range(1, 1000000));
  command->add_option("--seed", flags->seed, "Seed of the noise");
  command
      ->add_option("--slots", flags->slots,
                   "insert, gaussian: the model's slots; default: --model's, or the words")
      ->check(CLI::Range(0, 100000));
  flags->words.add(*command);
  command->footer(
      "Example:\n"
      "  textcrs sample --noise universal:p=0.5 --text \"a film of rare warmth and wit\"");
  command->callback([flags] { run(*flags); });
}

}  // namespace textcrs::cli
