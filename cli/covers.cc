#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "assumptions.h"
#include "certificate_flags.h"
#include "certify_flags.h"
#include "commands.h"
#include "terminal.h"
#include "textcrs/base/error.h"
#include "textcrs/report/answers.h"
#include "textcrs/text/check_text.h"

namespace textcrs::cli {
namespace {

struct Flags {
  CertifyFlags certify;
  CertificateFlags given;
  std::string original, edited;
  bool json = false;
};

std::string verdict(const Coverage& coverage) {
  return fmt::format("{}: {}", coverage.covered ? "covered" : "not covered", coverage.why);
}

// The model certifies the original.
void certify_original(Flags flags) {
  if (!flags.certify.given())
    throw usage_error(
        "expected --model or a black box, which certifies the original, or its bounds with --pa");
  if (flags.given.pb) throw usage_error("--pb goes with --pa");
  const bool synonyms = !flags.given.words.synonyms.source.empty();
  if (flags.given.slots > 0 || !flags.given.words.vectors.empty() ||
      (synonyms && !flags.certify.black_box.given()))
    throw usage_error("--slots, --vectors and --synonyms go with --pa; the model has its own");
  if (flags.given.mode != "sound")
    throw usage_error(
        fmt::format("--certificate {} needs given bounds: expected --pa, too", flags.given.mode));
  flags.certify.black_box.synonyms = flags.given.words.synonyms;
  StatusLine status;
  flags.certify.black_box.report = [&](const AskedCounts& counts) {
    status.update(in_words(counts));
  };
  const auto classifier = flags.certify.load();
  const auto words = classifier->words(flags.original);
  const Certification answer = classifier->certify(words, 0, stop_token());
  const Coverage coverage = classifier->covers(words, answer, classifier->words(flags.edited));
  status.clear();
  for (const std::string& line : remarks_on(*classifier)) remark(line);
  if (flags.json) {
    put("{}\n", coverage_to_json(*classifier, words.size(), answer, coverage));
    return;
  }
  put("original: {}\n{}\n", answer_in_words(*classifier, words.size(), answer), verdict(coverage));
  if (const auto how = flags.certify.how_to_repeat(*classifier); !how.empty() && !answer.exact) {
    flush_output();
    remark(how);
  }
}

void compare_by_given_bounds(const Flags& flags) {
  CertificateFlags asked = flags.given;
  asked.words.model = flags.certify.model;
  asked.noise = flags.certify.options.noise;
  asked.candidates = flags.certify.candidates();
  const WordNeeds needs = asked.needs();
  const GivenCertificate given(asked, needs, {flags.original, flags.edited});
  const Certificate& certificate = given.certificate();
  const auto about_text = certificate.for_text(given.words().text(0));
  const Coverage coverage = about_text->covers(given.bounds(), given.words().text(1));
  const auto assumes = assumptions(asked, needs, given, std::nullopt);
  if (flags.json) {
    CertifiedSet set = about_text->certify(given.bounds());
    given.name_clusters(set);
    put("{}\n", coverage_to_json(certificate, given.bounds(), set, coverage, assumes));
    return;
  }
  put("{}\n{}", verdict(coverage), in_words(assumes));
  if (certificate.mode() == CertificateMode::kPaper) put("{}", kPaperWarning);
}

// With given bounds nothing is run.
void check_nothing_is_sampled(const CLI::App& command) {
  for (const char* flag : {"--samples", "--selection-samples", "--alpha", "--bounds", "--exact",
                           "--stop", "--stop-at-radius", "--stop-operation", "--fallback",
                           "--threshold", "--classifier-command", "--classifier-url"})
    if (command.get_option(flag)->count() > 0)
      throw usage_error(fmt::format("{} goes with a model that certifies, not with --pa", flag));
}

void run(const Flags& flags, const CLI::App& command) {
  check_text(flags.original, "--original");
  check_text(flags.edited, "--edited");
  if (!flags.given.pa) return certify_original(flags);
  check_nothing_is_sampled(command);
  compare_by_given_bounds(flags);
}

}  // namespace

void add_covers(CLI::App& app) {
  auto* command =
      app.add_subcommand("covers", "Whether an edited text is inside what is certified");
  auto flags = std::make_shared<Flags>();
  flags->certify.options.certifier.estimation_samples = 10000;
  flags->certify.add(*command, DefaultSeed::kDrawn);
  flags->given.add_given(*command);
  command->add_option("--original", flags->original, "The text that is certified")->required();
  command->add_option("--edited", flags->edited, "What became of it")->required();
  command->add_flag("--json", flags->json, "One JSON object");
  command->footer(
      "With --model and without --pa the model certifies the original itself. With --pa its "
      "bounds\n"
      "are taken as given; then what is assumed is printed. Without a model that is more: how "
      "words\n"
      "are cut, and where they matter the slots, vectors or synonyms, which must be named.\n"
      "Examples:\n"
      "  textcrs covers --model imdb-universal --original \"a warm and funny film\" \\\n"
      "                 --edited \"a funny film\"\n"
      "  textcrs covers --noise universal:p=0.9 --pa 0.99 --original \"a warm and funny film\" \\\n"
      "                 --edited \"a funny film\"");
  command->callback([flags, command] { run(*flags, *command); });
}

}  // namespace textcrs::cli
