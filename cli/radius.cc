#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <optional>

#include "assumptions.h"
#include "certificate_flags.h"
#include "commands.h"
#include "terminal.h"
#include "textcrs/base/error.h"
#include "textcrs/base/spec.h"
#include "textcrs/certified/nearest_words.h"
#include "textcrs/report/answers.h"
#include "textcrs/text/check_text.h"

namespace textcrs::cli {
namespace {

struct Flags {
  CertificateFlags certificate;
  std::optional<int> words;
  std::optional<std::string> text;
  int neighbours = 0;
  bool json = false;
};

std::string radius_text(const Guarantee& guarantee) {
  if (std::isinf(guarantee.radius)) return "unlimited";
  return fmt::format("{} ({})", shortest(guarantee.radius), guarantee.unit);
}

// The insertion certificate in words: single edits by the nearest neighbours of the text's words.
std::optional<SingleEdits> single_edits(const GivenCertificate& given, const CertifiedSet& set,
                                        int neighbours) {
  const Guarantee* insertion = set.find(Operation::kInsertion);
  if (neighbours == 0 || !set.certified) return std::nullopt;
  if (insertion == nullptr || insertion->unit != kUnitEmbedding)
    throw usage_error("--neighbours goes with the noise insert only");
  const Embeddings& embeddings = given.words().embeddings();
  return single_edits_by(NearestWords(embeddings, neighbours), embeddings, given.slots(),
                         given.words().text(0), insertion->radius);
}

void run(const Flags& flags) {
  if (!flags.certificate.pa)
    throw usage_error(
        "expected --pa, a bound of the top class's probability; textcrs predict finds it for a "
        "model and a text");
  if (flags.words.has_value() == flags.text.has_value())
    throw usage_error("expected either --words or --text");
  if (flags.text) check_text(*flags.text, "--text");
  WordNeeds needs = flags.certificate.needs();
  if (needs.synonyms && flags.certificate.mode == "sound" && !flags.text)
    throw usage_error(fmt::format("the certificate of {} depends on the words: expected --text",
                                  flags.certificate.noise));
  needs.synonyms = needs.synonyms && flags.text.has_value() && flags.certificate.mode == "sound";
  needs.vectors = needs.neighbours = flags.neighbours > 0;
  const GivenCertificate given(flags.certificate, needs, {flags.text.value_or("")}, flags.words);
  const Bounds bounds = given.bounds();
  const Text text = given.words().text(0);
  const int words = flags.words.value_or(static_cast<int>(text.size()));
  CertifiedSet set = flags.text ? given.certificate().certify(bounds, text)
                                : given.certificate().certify(bounds, words);
  given.name_clusters(set);
  const auto edits = single_edits(given, set, flags.neighbours);
  const auto assumes = assumptions(flags.certificate, needs, given, flags.words);
  if (flags.json) {
    put("{}\n", certificate_to_json(given.certificate(), bounds, words, set, edits, assumes));
    return;
  }
  if (set.certified)
    put("certified for {}\n", set.in_words());
  else
    put("nothing is certified: pA = {} is not above pB = {}\n", shortest(bounds.pa),
        shortest(bounds.pb));
  for (const Guarantee& guarantee : set.guarantees)
    put("  {:<13} {}\n", to_string(guarantee.operation), radius_text(guarantee));
  if (edits) put("  {}\n", edits->in_words());
  put("{}", in_words(assumes));
  if (given.certificate().mode() == CertificateMode::kPaper) put("{}", kPaperWarning);
}

}  // namespace

void add_radius(CLI::App& app) {
  auto* command =
      app.add_subcommand("radius", "What a pair of bounds certifies, without running a model");
  auto flags = std::make_shared<Flags>();
  flags->certificate.add(*command);
  command->add_option("--words", flags->words, "Words of the text, where their number is enough");
  command->add_option("--text", flags->text, "The text itself");
  command
      ->add_option("--neighbours", flags->neighbours,
                   "insert: which single edits by the words' K nearest neighbours are covered")
      ->check(CLI::Range(0, 1000));
  command->add_flag("--json", flags->json, "One JSON object");
  command->footer(
      "Examples:\n"
      "  textcrs radius --noise universal:p=0.9 --pa 0.99 --words 200\n"
      "  textcrs radius --noise insert:sigma=0.2 --slots 256 --pa 0.99 --words 200\n"
      "  textcrs radius --model imdb-substitute --pa 0.99 --text \"a good film\"\n"
      "What is assumed is printed. Without a model, slots, vectors and synonyms must be named "
      "where\n"
      "they matter. The bounds of a model for a text, and what they certify: textcrs predict.\n"
      "For hash and reorder:block=L,order=sorted, pA and pB are shares of all outcomes (T K\n"
      "pieces, L offsets), those of empty pieces included, which vote for nobody.");
  command->callback([flags] { run(*flags); });
}

}  // namespace textcrs::cli
