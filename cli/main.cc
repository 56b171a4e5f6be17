// textcrs: trains text classifiers under smoothing noise and certifies their predictions.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>

#include "bus_error.h"
#include "commands.h"
#include "failure_message.h"
#include "flag_values.h"
#include "help_format.h"
#include "program_flags.h"
#include "terminal.h"
#include "textcrs/base/error.h"
#include "textcrs/text/printable_name.h"

namespace {

int run(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {  // also a call for help
    if (app.exit(error) != 0) {
      textcrs::cli::warn_of_unknown_variables(app);  // one may be what is missing
      return static_cast<int>(textcrs::ErrorKind::kUsage);
    }
  }
  textcrs::cli::flush_output();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  textcrs::cli::install_stop_handler();  // before all else
  textcrs::cli::install_bus_error_handler();

  CLI::App app(
      "Certified robustness of text classifiers against word substitution, reordering,\n"
      "insertion and deletion, by randomized smoothing.",
      "textcrs");
  app.option_defaults()->always_capture_default();
  app.footer(fmt::format("\n{}\nExit codes: {}", textcrs::cli::kWhereFlagsComeFrom,
                         textcrs::cli::kExitCodes));
  app.require_subcommand(1);
  app.fallthrough();
  app.formatter(textcrs::cli::help_format());
  app.failure_message(textcrs::cli::failure_message);
  textcrs::cli::add_program_flags(app);

  textcrs::cli::add_train(app);
  textcrs::cli::add_pretrain(app);
  textcrs::cli::add_evaluate(app);
  textcrs::cli::add_threshold(app);
  textcrs::cli::add_certify(app);
  textcrs::cli::add_compare(app);
  textcrs::cli::add_report(app);
  textcrs::cli::add_attack(app);
  textcrs::cli::add_judge(app);
  textcrs::cli::add_suite(app);
  textcrs::cli::add_predict(app);
  textcrs::cli::add_radius(app);
  textcrs::cli::add_covers(app);
  textcrs::cli::add_sample(app);
  textcrs::cli::add_data(app);
  textcrs::cli::add_list(app);
  textcrs::cli::add_help(app);
  textcrs::cli::add_completion(app);
  textcrs::cli::name_values(app);
  textcrs::cli::add_environment_twins(app);

  try {
    return run(app, argc, argv);
  } catch (const textcrs::Error& error) {
    const std::string what = textcrs::printable_line(error.what());
    const bool interrupted = error.kind() == textcrs::ErrorKind::kInterrupted;
    std::cerr << (interrupted ? fmt::format("textcrs: {}\n", what)
                              : textcrs::cli::error_line(what));
    return error.exit_code();
  } catch (const std::bad_alloc&) {
    std::cerr << textcrs::cli::error_line("out of memory");
  } catch (const std::exception& error) {
    std::cerr << textcrs::cli::error_line(error.what());
  }
  return static_cast<int>(textcrs::ErrorKind::kFailed);
}
