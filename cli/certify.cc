#include <fmt/format.h>

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
#include "textcrs/base/spec.h"

namespace textcrs::cli {
namespace {

using nlohmann::ordered_json;

struct Flags {
  CertifyFlags certify;
  DataFlags data;
  std::string out;
};

class Fingerprint {  // FNV-1a
 public:
  void add(std::string_view bytes) {
    for (unsigned char c : bytes) hash_ = (hash_ ^ c) * 1099511628211ULL;
  }
  std::string text() const { return fmt::format("{:016x}", hash_); }

 private:
  uint64_t hash_ = 14695981039346656037ULL;
};

// Results belong to one model and to certain texts, not to the name of a folder or a file.
std::string fingerprint(const std::filesystem::path& model) {
  Fingerprint print;
  for (const char* name : {"config.json", "vocab.txt", "model.safetensors", "synonyms.json"})
    if (std::filesystem::exists(model / name)) {
      const MappedFile file(model / name);
      print.add(file.text());
    }
  return print.text();
}

std::string fingerprint(const Dataset& dataset) {
  Fingerprint print;
  for (const Example& example : dataset.examples) {
    print.add(fmt::format("{} {} {} ", example.id, example.label, example.text.size()));
    print.add(example.text);
  }
  return print.text();
}

ordered_json record_of(const Example& example, size_t words, const Certification& c,
                       const std::vector<std::string>& classes, double seconds) {
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
  record["samples"] = c.samples;
  record["seconds"] = seconds;
  return record;
}

void run(const Flags& flags, const std::string& resolved) {
  const SmoothedModel model(flags.certify);
  const auto& classes = model.classifier().config().classes;
  const Dataset dataset = flags.data.load(classes, flags.certify.seed);
  const CertifierOptions& o = flags.certify.options;
  const ordered_json run = {{"model", fingerprint(flags.certify.model)},
                            {"noise", model.noise_spec()},
                            {"split", flags.data.split},
                            {"limit", flags.data.limit},
                            {"samples", o.estimation_samples},
                            {"selection_samples", o.selection_samples},
                            {"alpha", o.alpha},
                            {"seed", flags.certify.seed},
                            {"device", flags.certify.device},
                            {"data", fmt::format("{} {}", dataset.name, fingerprint(dataset))}};
  ResultsFile results(flags.out, run);
  write_file_atomically(std::filesystem::path(flags.out) / "certify.toml",
                        "[certify]\n" + resolved);
  const auto words = tokenize_all(dataset);
  StatusLine status;
  if (!results.records().empty())
    status.print(fmt::format("going on: {} of {} texts are done", results.records().size(),
                             dataset.examples.size()));
  const auto start = std::chrono::steady_clock::now();
  const auto seconds_so_far = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
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
    results.append(record_of(example, words[i].size(), c, classes, seconds_so_far() - before));
    ++done, --left;
    const double rate = static_cast<double>(done) / seconds_so_far();
    status.update(fmt::format("{}/{} texts  {:.2f} texts/s  {:.0f} passes/s  {} left",
                              results.records().size(), dataset.examples.size(), rate,
                              rate * (o.estimation_samples + o.selection_samples),
                              duration(static_cast<double>(left) / rate)));
  }
  status.clear();
  const ordered_json summary = summarize(results.records());
  write_file_atomically(std::filesystem::path(flags.out) / "summary.json", summary.dump(2) + "\n");
  fmt::print("{} under {}: {} texts of {} ({}), N = {}, alpha = {}\n", flags.certify.model,
             model.noise_spec(), summary["texts"].get<size_t>(), dataset.name, flags.data.split,
             o.estimation_samples, shortest(o.alpha));
  if (summary.contains("accuracy"))
    fmt::print(
        "smoothed accuracy {:.1f} %, abstained {}\n\nCertified accuracy: right, and no edit up "
        "to the radius can change it\n{}",
        100 * summary["accuracy"].get<double>(), summary["abstained"].get<size_t>(),
        table(summary, "sound"));
  if (summary.contains("paper") && !summary.contains("sound"))
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
      "One JSON line a text goes to OUT/results.jsonl as soon as it is done; after an\n"
      "interruption the same command goes on where it stopped.");
  command->callback([flags, command] { run(*flags, command->config_to_str(true)); });
}

}  // namespace textcrs::cli
