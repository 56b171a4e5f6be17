#include <fmt/format.h>

#include <memory>

#include "certificate_flags.h"
#include "certified_json.h"
#include "commands.h"

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
  const Vocabulary& vocabulary = given.words().vocabulary();
  const auto text = vocabulary.encode(given.words().texts()[0]);
  const auto edited = vocabulary.encode(given.words().texts()[1]);
  const CertifiedSet set = certificate.certify(given.bounds(), text);
  const Coverage coverage = certificate.covers(given.bounds(), text, edited);
  if (flags.json) {
    nlohmann::ordered_json json = {
        {"noise", certificate.noise()},    {"certificate", to_string(certificate.mode())},
        {"operation", coverage.operation}, {"radius", radius_json(set.radius(coverage.operation))},
        {"pa", given.bounds().pa},         {"pb", given.bounds().pb},
        {"covered", coverage.covered},     {"why", coverage.why}};
    add_edits(set, json);
    if (!set.candidates.empty()) json["candidates"] = set.candidates;
    fmt::print("{}\n", json.dump());
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
