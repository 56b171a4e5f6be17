#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.h"
#include "style.h"
#include "terminal.h"
#include "textcrs/attack/recipes.h"
#include "textcrs/base/spec.h"
#include "textcrs/certify/certificate.h"
#include "textcrs/data/dataset.h"
#include "textcrs/model/architecture.h"
#include "textcrs/noise/noise.h"
#include "textcrs/noise/substitution_kernel.h"
#include "word_context.h"

namespace textcrs::cli {
namespace {

struct SynonymsFlags {
  std::vector<std::string> words;
  WordFlags source;
  CandidateFlags candidates;
  std::string noise;
};

// The adversary's candidates of a word, best first, and what the noise makes of it.
void show_synonyms(const SynonymsFlags& flags) {
  const WordContext context(flags.source, {.synonyms = true}, {flags.words});
  const Vocabulary& vocabulary = context.vocabulary();
  const SynonymTable candidates = flags.candidates.cut(context);
  std::unique_ptr<SubstitutionKernel> kernel;
  if (!flags.noise.empty())
    kernel = std::make_unique<SubstitutionKernel>(SubstitutionRule::parse(Spec::parse(flags.noise)),
                                                  context.synonyms());
  put("candidates from {}{}\n", candidates.source(),
      context.model() != nullptr ? ""
                                 : "; a model has only those that are in its vocabulary, "
                                   "--model shows them");
  const Clusters clusters = vocabulary.clusters();
  for (const std::string& word : flags.words) {
    OwnWords own;  // to a model that reads every word, none is unknown
    const WordId id = vocabulary.encode({word}, own)[0];
    std::vector<std::string_view> others;
    for (const WordId other : candidates.of(id)) others.push_back(vocabulary.word(other));
    if (id == kUnk)
      put("{}: not in the vocabulary\n", word);
    else if (others.empty())
      put("{}: none\n", word);
    else
      put("{}: {}\n", word, fmt::join(others, " "));
    for (const std::vector<std::string>& cluster : clusters)
      if (vocabulary.id(cluster[0]) == id)
        put("  its cluster, read as one word: {}\n", fmt::join(cluster, " "));
    if (!kernel || id == kUnk) continue;
    put("  {} makes of it:", flags.noise);
    for (const auto& [other, probability] : kernel->of(id))
      put(" {} {:.4f}", vocabulary.word(other, own.list()), probability);
    put("\n");
  }
}

void add_synonyms(CLI::App& list) {
  auto* command = list.add_subcommand("synonyms", "Which words may replace a word");
  auto flags = std::make_shared<SynonymsFlags>();
  flags->source.synonyms.source = "wordnet";
  command->add_option("word", flags->words, "Words, as the tokenizer spells them")->required();
  flags->source.add(*command);
  flags->candidates.add(*command);
  command->add_option("--noise", flags->noise, "Show also what this substitution noise draws");
  command->footer(
      "Examples:\n"
      "  textcrs list synonyms good\n"
      "  textcrs list synonyms good film --model imdb-substitute --candidates 10");
  command->callback([flags] { show_synonyms(*flags); });
}

}  // namespace

void add_list(CLI::App& app) {
  auto* command = app.add_subcommand("list", "List what is built in");
  command->require_subcommand(1);
  command->footer("Examples:\n  textcrs list noises\n  textcrs list formats");
  command->add_subcommand("noises", "Smoothing noises and their parameters")->callback([] {
    for (const NoiseKind& kind : noise_kinds())
      put("{}\n    {}\n", styled(Style::kHeading, kind.usage), kind.summary);
  });
  command->add_subcommand("attacks", "Attacks and their thresholds")->callback([] {
    for (const RecipeKind& kind : recipe_kinds())
      put("{}\n    {}\n", styled(Style::kHeading, kind.usage), kind.summary);
  });
  command->add_subcommand("certificates", "Noises that have a certificate, by mode")->callback([] {
    for (const auto mode : {CertificateMode::kSound, CertificateMode::kPaper})
      put("{}: {}\n", to_string(mode), fmt::join(certified_noises(mode), ", "));
  });
  add_synonyms(*command);
  command->add_subcommand("formats", "Data formats that can be read")->callback([] {
    for (const DatasetFormat& format : dataset_formats())
      put("{:<10} {}\n", format.name, format.summary);
  });
  command->add_subcommand("models", "Base classifiers that can be trained")->callback([] {
    for (const Architecture& one : architectures()) put("{:<10} {}\n", one.name, one.summary);
  });
}

}  // namespace textcrs::cli
