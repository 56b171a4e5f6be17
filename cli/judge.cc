#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "commands.h"
#include "terminal.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
#include "textcrs/report/judge_run.h"

namespace textcrs::cli {
namespace {

struct Flags {
  std::string run, prompt_file, cache;
  JudgeOptions judge;
  JudgeRunOptions options;
  double timeout = 60;
};

// What stopped it, and that nothing is lost.
JudgeSummary judge_all(const Flags& flags, Judge& judge, const JudgeRunOptions& options) {
  StatusLine status;
  try {
    return judge_run(
        flags.run, judge, options,
        [&](size_t done, size_t texts) {
          status.update(fmt::format("{}/{}", done, counted(texts, "text")));
        },
        stop_token());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted && error.kind() != ErrorKind::kFailed) throw;
    throw Error(
        error.kind(),
        fmt::format("{}; the answers so far are kept, and the same command goes on", error.what()));
  }
}

void run(Flags flags) {
  if (!flags.prompt_file.empty()) flags.judge.prompt = read_file(flags.prompt_file);
  flags.judge.cache = flags.cache.empty() ? flags.run + "/judge-answers.jsonl" : flags.cache;
  flags.judge.http.timeout = std::chrono::milliseconds(static_cast<int64_t>(1000 * flags.timeout));
  flags.options.endpoint = flags.judge.model;
  Judge judge(flags.judge);
  const JudgeSummary summary = judge_all(flags, judge, flags.options);
  put("{}{} asked this time\nresults: {}/judge.json\n", in_words(summary),
      counted(static_cast<size_t>(summary.asked), "question"), flags.run);
}

}  // namespace

void add_judge(CLI::App& app) {
  auto* command =
      app.add_subcommand("judge", "Ask a language model whether edited texts still mean the same");
  auto flags = std::make_shared<Flags>();
  flags->judge.prompt = default_judge_prompt();
  command->add_option("run", flags->run, "A folder that attack --out wrote")
      ->required()
      ->type_name("FOLDER");
  command
      ->add_option("--url", flags->judge.base_url,
                   "An OpenAI-compatible endpoint, such as http://localhost:8080/v1")
      ->required()
      ->type_name("URL");
  command->add_option("--judge-model", flags->judge.model, "The model to ask, by its name there")
      ->required()
      ->type_name("NAME");
  command
      ->add_option("--key", flags->judge.key,
                   "The endpoint's key; better in the environment, where nobody sees it")
      ->type_name("KEY")
      ->configurable(false);
  command
      ->add_option("--prompt", flags->prompt_file,
                   "A file with the question, with {original} and {edited} in it")
      ->type_name("FILE");
  command
      ->add_option("--parameters", flags->judge.parameters,
                   "What a request has beside its model and message")
      ->type_name("JSON");
  command->add_option("--limit", flags->options.limit, "Only the first so many successes; 0: all");
  command->add_option("--budget", flags->judge.budget, "Questions at most, repeated ones included")
      ->check(CLI::Range(int64_t{0}, int64_t{1'000'000'000}));
  command->add_option("--at-once", flags->options.at_once, "Questions at a time")
      ->check(CLI::Range(1, 64));
  command->add_option("--timeout", flags->timeout, "Seconds that one attempt may take")
      ->check(CLI::Range(0.001, 86400.0));
  command->add_option("--attempts", flags->judge.http.attempts, "Attempts per question")
      ->check(CLI::Range(1, 100));
  command
      ->add_option("--cache", flags->cache,
                   "A file of answers, for several runs; default: in the run's folder")
      ->type_name("FILE");
  command->footer(
      "Example:\n"
      "  TEXTCRS_KEY=.. textcrs judge imdb-textfooler --url http://localhost:8080/v1 \\\n"
      "                               --judge-model llama-3\n"
      "The answers are kept as they come: after an interruption, or an endpoint that failed, the\n"
      "same command goes on, and asks nothing twice.");
  command->callback([flags] { run(*flags); });
}

}  // namespace textcrs::cli
