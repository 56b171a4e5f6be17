#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>

#include "certified_json.h"
#include "commands.h"
#include "inputs.h"
#include "results_file.h"
#include "smoothed_model.h"
#include "summary.h"
#include "terminal.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/base/hash.h"
#include "textcrs/base/spec.h"

namespace textcrs::cli {
namespace {

using nlohmann::ordered_json;

struct Flags {
  CertifyFlags certify;
  DataFlags data;
  std::string out;
};

// Results belong to one model and to certain texts, not to the name of a folder or a file.
std::string fingerprint(const std::filesystem::path& model) {
  uint64_t hash = kHashStart;
  for (const char* name :
       {"config.json", "vocab.txt", "model.safetensors", "synonyms.json", "tokenizer.json"})
    if (std::filesystem::exists(model / name)) {
      const MappedFile file(model / name);
      hash = fnv1a(file.text(), hash);
    }
  return fmt::format("{:016x}", hash);
}

std::string fingerprint(const Dataset& dataset) {
  uint64_t hash = kHashStart;
  for (const Example& example : dataset.examples) {
    hash = fnv1a(fmt::format("{} {} {} ", example.id, example.label, example.text.size()), hash);
    hash = fnv1a(example.text, hash);
  }
  return fmt::format("{:016x}", hash);
}

ordered_json record_of(const Example& example, size_t words, const Certification& c,
                       const std::vector<std::string>& classes, bool stops) {
  ordered_json record = {{"id", example.id}};
  const std::string& prediction = classes[static_cast<size_t>(c.prediction)];
  if (example.label != kNoLabel) record["label"] = classes[static_cast<size_t>(example.label)];
  record["prediction"] = prediction;
  record["abstained"] = c.abstained;
  if (example.label != kNoLabel) record["correct"] = !c.abstained && example.label == c.prediction;
  record["words"] = words;
  record["counts"] = c.counts;
  record["pa"] = c.bounds.pa;
  record["pb"] = c.bounds.pb;
  if (!c.sound.guarantees.empty() || c.sound.certified) record["sound"] = set_json(c.sound);
  if (!c.paper.guarantees.empty() || c.paper.certified) record["paper"] = set_json(c.paper);
  if (c.exact) record["exact"] = true;
  record["samples"] = c.samples;
  if (stops && c.samples > 0 && !c.exact) record["stop"] = to_string(c.stop);
  return record;
}

// Flags that contradict one another or the noise are refused before anything is written.
void check_stop_rule(const CertifierOptions& options, const SmoothedModel& model) {
  check_options(options);
  if (options.stop.stops()) watched_operation(model.certificate(), options.stop.operation);
}

// Adds what stopping early saved to the summary of a run.
void add_saved(const std::vector<ordered_json>& records, const CertifierOptions& options,
               ordered_json& summary) {
  uint64_t saved = 0;
  ordered_json reasons = ordered_json::object();
  for (const ordered_json& record : records) {
    if (!record.contains("stop")) continue;
    saved += uint64_t{options.selection_samples} + options.estimation_samples -
             record["samples"].get<uint64_t>();
    auto& count = reasons[record["stop"].get<std::string>()];
    count = count.is_null() ? 1 : count.get<int>() + 1;
  }
  summary["samples_saved"] = saved;
  summary["stops"] = reasons;
}

std::string saved_in_words(const ordered_json& summary) {
  const auto used = summary["samples"].get<uint64_t>();
  const auto saved = summary["samples_saved"].get<uint64_t>();
  const double all = static_cast<double>(std::max<uint64_t>(used + saved, 1));
  std::string text = fmt::format("samples: {} used ({:.1f} %), {} saved;", used,
                                 100 * static_cast<double>(used) / all, saved);
  for (const auto& [reason, count] : summary["stops"].items())
    text += fmt::format(" {} {}", reason, count.get<int>());
  return text + "\n";
}

void run(const Flags& flags, const std::string& resolved) {
  SmoothedModel model(flags.certify);
  const CertifierOptions& o = flags.certify.options;
  check_stop_rule(o, model);
  const auto& classes = model.classifier().config().classes;
  const Dataset dataset = flags.data.load(classes, flags.certify.seed);
  const ordered_json stop_radius =
      o.stop.at_radius ? radius_json(*o.stop.at_radius) : ordered_json();
  ordered_json run = {{"model", fingerprint(flags.certify.model)},
                      {"noise", model.noise_spec()},
                      {"split", flags.data.split},
                      {"limit", flags.data.limit},
                      {"samples", o.estimation_samples},
                      {"selection_samples", o.selection_samples},
                      {"alpha", o.alpha},
                      {"bounds", to_string(o.bounds)},
                      {"exact", flags.certify.exact ? "auto" : "never"},
                      {"stop", o.stop.automatic ? "auto" : "never"},
                      {"stop_at_radius", stop_radius},
                      {"stop_operation", o.stop.operation},
                      {"candidates", flags.certify.candidates.count},
                      {"neighbours", flags.certify.neighbours},
                      {"seed", flags.certify.seed},
                      {"device", flags.certify.device},
                      {"engine", model.engine_name()},
                      {"data", fmt::format("{} {}", dataset.name, fingerprint(dataset))}};
  if (flags.certify.device == "cuda") run["batch_size"] = flags.certify.engine.batch_size;
  ResultsFile results(flags.out, run);
  write_file_atomically(std::filesystem::path(flags.out) / "certify.toml",
                        "[certify]\n" + resolved);
  const auto words = split_all(dataset, model.classifier());
  StatusLine status;
  if (!results.records().empty())
    status.print(fmt::format("going on: {} of {} texts are done", results.records().size(),
                             dataset.examples.size()));
  const auto start = std::chrono::steady_clock::now();
  const auto seconds_so_far = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  uint64_t passes = 0;
  size_t done = 0, left = dataset.examples.size() - results.records().size();
  for (size_t i = 0; i < dataset.examples.size(); ++i) {
    const Example& example = dataset.examples[i];
    if (results.has(example.id)) continue;
    if (stop_requested)
      throw Error(ErrorKind::kInterrupted,
                  fmt::format("interrupted after {} of {} texts; the same command goes on",
                              results.records().size(), dataset.examples.size()));
    const double before = seconds_so_far();
    const Certification c = model.certify(words[i], example.id);
    ordered_json record = record_of(example, words[i].size(), c, classes, o.stop.stops());
    if (const auto edits = model.single_edits(words[i], c.sound))
      record["single_edits"] = single_edits_json(*edits);
    record["seconds"] = seconds_so_far() - before;
    results.append(record);
    ++done, --left;
    passes += c.samples;
    const double rate = static_cast<double>(done) / seconds_so_far();
    status.update(fmt::format("{}/{} texts  {:.2f} texts/s  {:.0f} passes/s  {} left",
                              results.records().size(), dataset.examples.size(), rate,
                              static_cast<double>(passes) / seconds_so_far(),
                              duration(static_cast<double>(left) / rate)));
  }
  status.clear();
  ordered_json summary = summarize(results.records());
  if (o.stop.stops()) add_saved(results.records(), o, summary);
  write_file_atomically(std::filesystem::path(flags.out) / "summary.json", summary.dump(2) + "\n");
  fmt::print("{} under {}: {} texts of {} ({}), {}\n", flags.certify.model, model.noise_spec(),
             summary["texts"].get<size_t>(), dataset.name, flags.data.split,
             model.is_finite()
                 ? "all outcomes counted, no sampling"
                 : fmt::format("N = {}, alpha = {}", o.estimation_samples, shortest(o.alpha)));
  if (o.stop.stops()) fmt::print("{}", saved_in_words(summary));
  if (summary.contains("accuracy"))
    fmt::print("smoothed accuracy {:.1f} %, abstained {}\n",
               100 * summary["accuracy"].get<double>(), summary["abstained"].get<size_t>());
  if (summary.contains("sound"))
    fmt::print("\nCertified accuracy: right, and no edit up to the radius can change it\n{}",
               table(summary, "sound"));
  else if (summary.contains("paper"))
    fmt::print("\nOnly the paper's formula applies to this noise; it is not proved:\n{}",
               table(summary, "paper"));
  fmt::print("\nresults: {}\n", flags.out);
}

}  // namespace

void add_certify(CLI::App& app) {
  auto* command = app.add_subcommand("certify", "Certify the predictions for many texts");
  auto flags = std::make_shared<Flags>();
  flags->certify.add(*command);
  flags->data.add(*command, "test");
  command->add_option("--out", flags->out, "Folder for the results")->required();
  command->footer(
      "Example:\n"
      "  textcrs certify --model imdb-universal --data imdb --limit 500 --samples 10000 \\\n"
      "                  --out imdb-certified\n"
      "  textcrs certify --model imdb-universal --data imdb --samples 100000 \\\n"
      "                  --stop-at-radius 1 --out imdb-one-edit\n"
      "One JSON line a text goes to OUT/results.jsonl as soon as it is done; after an\n"
      "interruption the same command goes on where it stopped.");
  command->callback([flags, command] { run(*flags, command->config_to_str(true)); });
}

}  // namespace textcrs::cli
