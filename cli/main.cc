// textcrs: trains text classifiers under smoothing noise and certifies their predictions.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <exception>

#include "commands.h"
#include "failure_message.h"
#include "terminal.h"
#include "textcrs/base/error.h"
#include "textcrs/base/version.h"
#include "textcrs/kernels/isa.h"

namespace {

constexpr const char* kFooter = R"(
A flag may also come from the environment (--learning-rate: TEXTCRS_LEARNING_RATE) or from a TOML file
given with --config, one section per command ([train] learning-rate = 0.002). A flag on the command line
wins over the file, and the file over the environment. Data and caches live in $TEXTCRS_HOME
(default ~/.cache/textcrs).
Exit codes: 0 done, 1 failed, 2 usage, 3 bad input, 4 interrupted (train, pretrain and certify can go on).)";

// --learning-rate is also TEXTCRS_LEARNING_RATE, for every flag of every command.
void add_environment_twins(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_lnames().empty() || option->get_lnames()[0] == "help") continue;
    std::string name = "TEXTCRS_" + option->get_lnames()[0];
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) {
      return c == '-' ? '_' : static_cast<char>(std::toupper(c));
    });
    option->envname(name);
  }
  for (CLI::App* command : app.get_subcommands({})) add_environment_twins(*command);
}

// "textcrs 0.2.0 (commit abc1234, avx512)"
std::string version_line() {
  const std::string_view commit = textcrs::commit();
  return fmt::format("textcrs {} ({}{})", textcrs::version(),
                     commit.empty() ? "" : fmt::format("commit {}, ", commit),
                     textcrs::to_string(textcrs::best_isa(textcrs::Precision::kBf16)));
}

int run(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {  // also a call for help
    if (app.exit(error) != 0) return static_cast<int>(textcrs::ErrorKind::kUsage);
  }
  textcrs::cli::flush_output();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  textcrs::cli::install_stop_handler();

  CLI::App app(
      "Certified robustness of text classifiers against word substitution, reordering,\n"
      "insertion and deletion, by randomized smoothing.",
      "textcrs");
  app.option_defaults()->always_capture_default();
  app.footer(kFooter);
  app.require_subcommand(1);
  app.fallthrough();
  app.set_config("--config", "", "A TOML file with flags");
  app.allow_config_extras(CLI::config_extras_mode::error);
  app.failure_message(textcrs::cli::failure_message);
  app.set_version_flag("-v,--version", version_line);

  textcrs::cli::add_train(app);
  textcrs::cli::add_pretrain(app);
  textcrs::cli::add_evaluate(app);
  textcrs::cli::add_certify(app);
  textcrs::cli::add_predict(app);
  textcrs::cli::add_radius(app);
  textcrs::cli::add_covers(app);
  textcrs::cli::add_sample(app);
  textcrs::cli::add_data(app);
  textcrs::cli::add_list(app);
  textcrs::cli::add_help(app);
  add_environment_twins(app);

  try {
    return run(app, argc, argv);
  } catch (const textcrs::Error& error) {
    std::cerr << "textcrs: " << error.what() << '\n';
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    std::cerr << "textcrs: out of memory\n";
  } catch (const std::exception& error) {
    std::cerr << "textcrs: " << error.what() << '\n';
  }
  return static_cast<int>(textcrs::ErrorKind::kFailed);
}
