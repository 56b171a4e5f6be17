#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "certificate_flags.h"
#include "commands.h"
#include "textcrs/report/answers.h"

namespace textcrs::cli {
namespace {

struct Flags {
  CertificateFlags certificate;
  std::string original, edited;
  bool json = false;
};

void run(const Flags& flags) {
  const GivenCertificate given(flags.certificate, flags.certificate.needs(),
                               {flags.original, flags.edited});
  const Certificate& certificate = given.certificate();
  const auto about_text = certificate.for_text(given.words().text(0));
  const Coverage coverage = about_text->covers(given.bounds(), given.words().text(1));
  if (flags.json) {
    const CertifiedSet set = about_text->certify(given.bounds());
    fmt::print("{}\n", coverage_to_json(certificate, given.bounds(), set, coverage));
    return;
  }
  fmt::print("{}: {}\n", coverage.covered ? "covered" : "not covered", coverage.why);
  if (certificate.mode() == CertificateMode::kPaper) fmt::print("{}", kPaperWarning);
}

}  // namespace

void add_covers(CLI::App& app) {
  auto* command = app.add_subcommand(
      "covers", "Whether an edited text is inside what a pair of bounds certifies");
  auto flags = std::make_shared<Flags>();
  flags->certificate.add(*command);
  command->add_option("--original", flags->original, "The text that is certified")->required();
  command->add_option("--edited", flags->edited, "What became of it")->required();
  command->add_flag("--json", flags->json, "One JSON object");
  command->footer(
      "Examples:\n"
      "  textcrs covers --noise universal:p=0.9 --pa 0.99 --original \"a warm and funny film\" \\\n"
      "                 --edited \"a funny film\"\n"
      "  textcrs covers --noise substitute:kernel=graph --synonyms wordnet --pa 0.99 \\\n"
      "                 --original \"a good film\" --edited \"a full film\"");
  command->callback([flags] { run(*flags); });
}

}  // namespace textcrs::cli
