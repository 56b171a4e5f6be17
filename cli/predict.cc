#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <memory>

#include "certified_json.h"
#include "commands.h"
#include "smoothed_model.h"
#include "terminal.h"
#include "textcrs/base/error.h"
#include "textcrs/base/spec.h"

namespace textcrs::cli {
namespace {

struct Flags {
  CertifyFlags certify;
  std::vector<std::string> texts;
  bool json = false;
};

std::string in_words(const Certification& c, size_t words, const std::string& prediction,
                     double alpha) {
  if (words == 0) return "no answer: the text has no words";
  if (c.exact && c.abstained) return "no answer: the votes are tied";
  if (c.exact)
    return fmt::format("{}; certified for {}, proved without sampling", prediction,
                       c.sound.in_words());
  const std::string confidence = shortest(std::round((1 - alpha) * 1e8) / 1e6);
  if (c.abstained)
    return fmt::format("no answer: the votes are too close to call at {} % confidence", confidence);
  return fmt::format("{}; certified for {}, at {} % confidence", prediction, c.sound.in_words(),
                     confidence);
}

void answer(SmoothedModel& model, const Flags& flags, const std::string& text, uint32_t number) {
  const auto words = model.classifier().words(text);
  const Certification c = model.certify(words, number);
  const std::string& prediction =
      model.classifier().config().classes[static_cast<size_t>(c.prediction)];
  const auto edits = model.single_edits(words, c.sound);
  std::string said = in_words(c, words.size(), prediction, flags.certify.options.alpha);
  if (edits) said += "; " + edits->in_words();
  if (!flags.json) {
    fmt::print("{}\n", said);
    return;
  }
  nlohmann::ordered_json json = {
      {"prediction", c.abstained ? nlohmann::ordered_json() : nlohmann::ordered_json(prediction)},
      {"abstained", c.abstained},
      {"words", words.size()},
      {"counts", c.counts},
      {"pa", c.bounds.pa},
      {"pb", c.bounds.pb},
      {"exact", c.exact},
      {"alpha", c.exact ? 0 : flags.certify.options.alpha},
      {"noise", model.noise_spec()},
      {"sound", set_json(c.sound)},
      {"samples", c.samples},
      {"paper", set_json(c.paper)}};
  if (flags.certify.options.stop.stops() && !c.exact) json["stop"] = to_string(c.stop);
  if (edits) json["single_edits"] = single_edits_json(*edits);
  json["in_words"] = said;
  fmt::print("{}\n", json.dump());
}

void run(const Flags& flags) {
  SmoothedModel model(flags.certify);
  uint32_t number = 0;
  for (const std::string& text : flags.texts) answer(model, flags, text, number++);
  if (!flags.texts.empty()) return;
  for (std::string line; std::getline(std::cin, line);) {
    answer(model, flags, line, number++);
    std::fflush(stdout);
  }
}

}  // namespace

void add_predict(CLI::App& app) {
  auto* command =
      app.add_subcommand("predict", "Answer for texts, with what is certified about it");
  auto flags = std::make_shared<Flags>();
  flags->certify.options.estimation_samples = 10000;
  flags->certify.add(*command);
  command->add_option("text", flags->texts, "Texts; none: one a line from standard input");
  command->add_flag("--json", flags->json, "One JSON object a text");
  command->footer(
      "Examples:\n"
      "  textcrs predict --model imdb-universal \"A film of rare warmth and wit.\"\n"
      "  textcrs predict --model imdb-universal < reviews.txt");
  command->callback([flags] { run(*flags); });
}

}  // namespace textcrs::cli
