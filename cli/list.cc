#include <fmt/format.h>
#include <fmt/ranges.h>

#include "commands.h"
#include "textcrs/certify/certificate.h"
#include "textcrs/noise/noise.h"
#include "textcrs/text/dataset.h"

namespace textcrs::cli {

void add_list(CLI::App& app) {
  auto* command = app.add_subcommand("list", "List what is built in");
  command->require_subcommand(1);
  command->footer("Examples:\n  textcrs list noises\n  textcrs list formats");
  command->add_subcommand("noises", "Smoothing noises and their parameters")->callback([] {
    for (const NoiseKind& kind : noise_kinds())
      fmt::print("{}\n    {}\n", kind.usage, kind.summary);
  });
  command->add_subcommand("certificates", "Noises that have a certificate, by mode")->callback([] {
    for (const auto mode : {CertificateMode::kSound, CertificateMode::kPaper})
      fmt::print("{}: {}\n", to_string(mode), fmt::join(certified_noises(mode), ", "));
  });
  command->add_subcommand("formats", "Data formats that can be read")->callback([] {
    for (const DatasetFormat& format : dataset_formats())
      fmt::print("{:<10} {}\n", format.name, format.summary);
  });
  command->add_subcommand("models", "Base classifiers that can be trained")->callback([] {
    fmt::print(
        "bilstm     one bidirectional LSTM layer, max-pooled, over frozen word vectors\n"
        "cnn        filters over 3, 4 and 5 words, max-pooled, over frozen word vectors\n");
  });
}

}  // namespace textcrs::cli
