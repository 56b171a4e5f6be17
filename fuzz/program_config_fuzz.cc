// The program's configuration file (TOML), read with the flags of its verbs. No verb is run.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "../cli/commands.h"
#include "../cli/program_flags.h"
#include "fuzz.h"

namespace {

using namespace textcrs;

struct Verb {
  const char* name;
  void (*add)(CLI::App& app);
};
constexpr std::array<Verb, 6> kVerbs = {{{"certify", cli::add_certify},
                                         {"train", cli::add_train},
                                         {"pretrain", cli::add_pretrain},
                                         {"attack", cli::add_attack},
                                         {"predict", cli::add_predict},
                                         {"radius", cli::add_radius}}};

// What a verb does, and holds the flags that its options write to.
struct Callback : CLI::App {
  static std::function<void()> of(const CLI::App& app) { return app.*(&Callback::final_callback_); }
};

// The flags of the verb as the file leaves them, in the form that runs keep; nothing if the program
// refuses the file.
std::optional<std::string> resolved(const Verb& verb, const std::string& file) {
  CLI::App app("", "textcrs");
  app.option_defaults()->always_capture_default();  // as the program does
  app.require_subcommand(1);
  app.fallthrough();
  cli::add_program_flags(app);
  verb.add(app);
  CLI::App* command = app.get_subcommand(verb.name);
  command->callback([held = Callback::of(*command)] {});
  const std::array<const char*, 4> arguments = {"textcrs", verb.name, "--config", file.c_str()};
  const auto parsed = fuzz::accepted(
      [&] {
        try {
          app.parse(arguments.size(), arguments.data());
        } catch (const CLI::ParseError&) {
          return false;
        }
        return true;
      },
      {ErrorKind::kBadInput, ErrorKind::kUsage});
  if (parsed != true) return std::nullopt;
  // Train's defaults say how it chooses; what it chose is put in their place before they are kept.
  const bool chooses = std::string_view(verb.name) == "train";
  return fmt::format("[{}]\n{}", verb.name, command->config_to_str(!chooses));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const fuzz::Choice input(fuzz::text_of(data, size), kVerbs.size());
  const Verb& verb = kVerbs[input.which];
  const auto kept = resolved(verb, fuzz::file_with(input.rest, "textcrs.toml").string());
  if (kept)
    fuzz::require(resolved(verb, fuzz::file_with(*kept, "kept.toml").string()) == kept,
                  "the flags that a run keeps are read back");
  return 0;
}
