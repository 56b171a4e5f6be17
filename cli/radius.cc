#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "certified_json.h"
#include "commands.h"
#include "textcrs/base/error.h"
#include "textcrs/base/spec.h"
#include "textcrs/certify/certificate.h"

namespace textcrs::cli {
namespace {

struct Flags {
  std::string noise, certificate = "sound";
  double pa = 0, pb = -1;
  int words = 0, slots = 0;
  bool json = false;
};

std::string radius_text(const Guarantee& guarantee) {
  if (std::isinf(guarantee.radius)) return "unlimited";
  return fmt::format("{} ({})", shortest(guarantee.radius), guarantee.unit);
}

// The edit distance where there is one, else the first guarantee with a limit, else the first.
const Guarantee* headline_of(const CertifiedSet& set) {
  if (const Guarantee* edit = set.find("edit")) return edit;
  for (const Guarantee& guarantee : set.guarantees)
    if (!std::isinf(guarantee.radius)) return &guarantee;
  return set.guarantees.empty() ? nullptr : &set.guarantees.front();
}

void run(const Flags& flags, bool has_pb) {
  // pB = 1 - pA, rounded up, is always a bound.
  const double pb = has_pb ? flags.pb : std::min(flags.pa, std::nextafter(1 - flags.pa, 1.0));
  const auto mode = parse_certificate_mode(flags.certificate);
  const auto certificate =
      make_certificate(flags.noise, mode, flags.slots > 0 ? flags.slots : std::max(flags.words, 1));
  const CertifiedSet set = certificate->certify({flags.pa, pb}, flags.words);
  if (flags.json) {
    nlohmann::ordered_json json = {{"noise", certificate->noise()},
                                   {"certificate", to_string(mode)},
                                   {"pa", flags.pa},
                                   {"pb", pb},
                                   {"words", flags.words},
                                   {"certified", set.certified}};
    const Guarantee* headline = headline_of(set);
    json["operation"] = headline != nullptr ? headline->operation : "none";
    json["radius"] = radius_json(headline != nullptr && set.certified ? headline->radius : 0);
    json["guarantees"] = nlohmann::ordered_json::array();
    for (const Guarantee& guarantee : set.guarantees)
      json["guarantees"].push_back({{"operation", guarantee.operation},
                                    {"radius", radius_json(guarantee.radius)},
                                    {"unit", guarantee.unit}});
    if (const Guarantee* edit = set.find("edit")) {
      json["edit_distance"] = radius_json(edit->radius);
      json["frontier"] = set.frontier;
    }
    if (set.window > 0) json["window"] = set.window;
    json["in_words"] = set.in_words();
    fmt::print("{}\n", json.dump());
    return;
  }
  if (!set.certified) {
    fmt::print("nothing is certified: pA = {} is not above pB = {}\n", shortest(flags.pa),
               shortest(pb));
    return;
  }
  fmt::print("certified for {}\n", set.in_words());
  for (const Guarantee& guarantee : set.guarantees)
    fmt::print("  {:<13} {}\n", guarantee.operation, radius_text(guarantee));
  if (mode == CertificateMode::kPaper)
    fmt::print("(the paper's formula; not every one of them holds: docs/certificates.md)\n");
}

}  // namespace

void add_radius(CLI::App& app) {
  auto* command = app.add_subcommand("radius", "What a pair of bounds certifies, without a model");
  auto flags = std::make_shared<Flags>();
  command->add_option("--noise", flags->noise, "Smoothing noise (textcrs list noises)")->required();
  command->add_option("--pa", flags->pa, "Lower bound of the top class's probability")->required();
  auto* pb =
      command->add_option("--pb", flags->pb, "Upper bound of the runner-up's; default 1 - pA");
  pb->default_str("");
  command->add_option("--words", flags->words, "Words of the text")->required();
  command->add_option("--slots", flags->slots, "The model's slots; default: the words")
      ->check(CLI::Range(0, 1000000));
  command->add_option("--certificate", flags->certificate,
                      "sound (proved) or paper (as published)");
  command->add_flag("--json", flags->json, "One JSON object");
  command->footer(
      "Example:\n  textcrs radius --noise universal:p=0.9 --pa 0.99 --words 200\n"
      "For hash and reorder:block=L,order=sorted, pA and pB are shares of all outcomes (T K\n"
      "pieces, L offsets), those of empty pieces included, which vote for nobody.");
  command->callback([flags, pb] { run(*flags, pb->count() > 0); });
}

}  // namespace textcrs::cli
