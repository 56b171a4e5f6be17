#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <set>

#include "commands.h"
#include "inputs.h"
#include "textcrs/base/error.h"
#include "textcrs/base/spec.h"
#include "textcrs/noise/noise.h"
#include "textcrs/text/tokenizer.h"

namespace textcrs::cli {
namespace {

struct Flags {
  std::string noise, text, vectors = "glove";
  SynonymFlags synonyms;
  uint32_t count = 5;
  uint64_t seed = 1;
  int slots = 0;
};

// The words of the text, and for substitution noises the 50,000 most frequent of the vectors, so
// that they have synonyms.
Vocabulary vocabulary_for(const Flags& flags, const std::vector<std::string>& words) {
  constexpr int kMostFrequent = 50000;
  std::set<std::string, std::less<>> seen;
  std::vector<std::string> list;
  const auto add = [&](std::string_view word) {
    if (seen.emplace(word).second) list.emplace_back(word);
  };
  for (const auto& word : words) add(word);
  if (Spec::parse(flags.noise).name() == "substitute") {
    const WordVectors vectors = open_vectors(flags.vectors);
    for (int row = 0; row < std::min(kMostFrequent, vectors.size()); ++row) add(vectors.word(row));
  }
  return Vocabulary(list);
}

void run(const Flags& flags) {
  const auto words = tokenize(flags.text);
  const Vocabulary vocabulary = vocabulary_for(flags, words);
  const SynonymTable synonyms = flags.synonyms.load(flags.noise, vocabulary, flags.vectors);
  const int slots = flags.slots > 0 ? flags.slots : std::max(1, static_cast<int>(words.size()));
  const auto noise = make_noise(flags.noise, {&vocabulary, &synonyms, slots});
  const auto text = vocabulary.encode(words);
  Words copy;
  for (uint32_t sample = 0; sample < flags.count; ++sample) {
    Stream stream(flags.seed, 0, sample);
    noise->sample(text, stream, copy);
    std::vector<std::string_view> shown;
    for (WordId id : copy) shown.push_back(vocabulary.word(id));
    fmt::print("{}\n", fmt::join(shown, " "));
  }
  if (noise->sigma() > 0)
    fmt::print("(and N(0, {}^2) on every coordinate of every slot's vector)\n",
               shortest(noise->sigma()));
}

}  // namespace

void add_sample(CLI::App& app) {
  auto* command = app.add_subcommand("sample", "Show noisy copies of a text");
  auto flags = std::make_shared<Flags>();
  command->add_option("--noise", flags->noise, "Smoothing noise (textcrs list noises)")->required();
  command->add_option("--text", flags->text, "The text")->required();
  command->add_option("--count", flags->count, "Copies")->check(CLI::Range(1, 1000000));
  command->add_option("--seed", flags->seed, "Of the noise");
  command->add_option("--slots", flags->slots, "insert: the model's slots; default: the words")
      ->check(CLI::Range(0, 100000));
  command->add_option("--vectors", flags->vectors, "substitute: glove, or a vectors file");
  flags->synonyms.add(*command);
  command->footer(
      "Example:\n"
      "  textcrs sample --noise universal:p=0.5 --text \"a film of rare warmth and wit\"");
  command->callback([flags] { run(*flags); });
}

}  // namespace textcrs::cli
