// The verbs of the program. Each function adds one to the command line; its work runs as the verb's
// callback and throws textcrs::Error, which main() turns into a message and an exit code.
#pragma once

#include "cli11.h"

namespace textcrs::cli {

void add_train(CLI::App& app);
void add_pretrain(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_threshold(CLI::App& app);
void add_certify(CLI::App& app);
void add_compare(CLI::App& app);
void add_report(CLI::App& app);
void add_attack(CLI::App& app);
void add_judge(CLI::App& app);
void add_suite(CLI::App& app);
void add_predict(CLI::App& app);
void add_radius(CLI::App& app);
void add_covers(CLI::App& app);
void add_sample(CLI::App& app);
void add_data(CLI::App& app);
void add_list(CLI::App& app);
void add_help(CLI::App& app);
void add_completion(CLI::App& app);

}  // namespace textcrs::cli
