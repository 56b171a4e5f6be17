#include "textcrs/blackbox/program_box.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>

#include "blackbox/answers.h"
#include "blackbox/fingerprint_of.h"
#include "blackbox/line_program.h"
#include "http/printable.h"
#include "text/utf8.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

using nlohmann::ordered_json;

const ProgramOptions& checked(const ProgramOptions& options) {
  check_classes(options.classes);
  if (options.command.find_first_not_of(" \t\n") == std::string::npos)
    throw usage_error("the command of the black box: found none, expected a program");
  if (options.batch < 1 || options.workers < 1 || options.attempts < 1 ||
      options.timeout.count() < 1)
    throw usage_error("the black box: its batch, workers, attempts and time must be positive");
  return options;
}

std::string lines_of(std::span<const std::string> texts, uint64_t first) {
  std::string lines;
  try {
    for (size_t i = 0; i < texts.size(); ++i)
      lines += ordered_json{{"id", first + i}, {"text", texts[i]}}.dump() + "\n";
  } catch (const ordered_json::type_error&) {
    throw bad_input("a text for the black box: found bytes that are not UTF-8, expected text");
  }
  return lines;
}

std::string_view first_line_of(std::string_view text) {
  return text.substr(0, text.find_first_of("\r\n"));
}

// One program and its successors. Not thread-safe.
class Worker {
 public:
  explicit Worker(const ProgramOptions& options) : options_(options) {}

  void close_input() {
    if (program_) program_->close_input();
  }

  // How often it had to be started anew. Thread-safe.
  uint64_t restarts() const {
    const uint64_t starts = starts_;
    return starts > 0 ? starts - 1 : 0;
  }

  std::vector<int> ask(std::span<const std::string> texts, StopToken stop) {
    for (int attempt = 1;; ++attempt) {
      stop.check();
      try {
        if (!program_) start();
        return attempt_to_ask(texts, stop);
      } catch (const Gone& gone) {
        const std::string said = program_->last_errors();
        end_now();
        if (gone.hopeless || attempt == options_.attempts)
          throw failed(name() + gone.what() + fmt::format(" ({})", counted(attempt, "attempt")) +
                       said_in_words(said));
      } catch (...) {  // what it has not said yet would be the answers to others
        end_now();
        throw;
      }
    }
  }

 private:
  // It died or was late: another attempt may do.
  struct Gone : std::runtime_error {
    Gone(const std::string& what, bool is_hopeless)
        : std::runtime_error(what), hopeless(is_hopeless) {}
    bool hopeless;
  };

  void start() {
    program_ = std::make_unique<LineProgram>(options_.command);
    asked_ = 0;
    ++starts_;
  }

  // It is late, or its answers are no longer wanted: nobody waits for it to see that by itself.
  void end_now() {
    if (program_) program_->end(std::chrono::milliseconds(0));
    program_.reset();
  }

  std::vector<int> attempt_to_ask(std::span<const std::string> texts, StopToken stop) {
    const uint64_t first = asked_ + 1;
    asked_ += texts.size();
    const LineProgram::Answers answers =
        program_->exchange(lines_of(texts, first), texts.size(), options_.timeout, stop);
    // A wrong answer is the reason for whatever comes after it.
    std::vector<int> classes;
    for (size_t i = 0; i < answers.lines.size(); ++i)
      classes.push_back(class_of(answers.lines[i], first + i));
    const std::string so_far =
        fmt::format("after {} of {} answers", answers.lines.size(), texts.size());
    switch (answers.end) {
      case LineProgram::End::kTooLong:
        throw refusal(
            first + answers.lines.size(),
            fmt::format("found more than {} bytes, expected a label or scores", kLongestAnswer));
      case LineProgram::End::kDied:
        throw Gone(fmt::format("it {} {}", program_->obituary(), so_far), false);
      case LineProgram::End::kLate:
        throw Gone(fmt::format("it was late: {:g} s were over {}{}",
                               static_cast<double>(options_.timeout.count()) / 1000, so_far,
                               ever_answered_    ? ""
                               : classes.empty() ? kNeverAnswered
                                                 : kTooFewAnswers),
                   !ever_answered_ && classes.empty());
      case LineProgram::End::kAnswered:
        break;
    }
    if (!answers.unasked.empty())
      throw refusal(
          first + answers.lines.size(),
          fmt::format("found {}, which nothing was asked for, expected one answer for "
                      "each of {}",
                      in_quotes(first_line_of(answers.unasked)), counted(asked_, "text")));
    ever_answered_ = true;
    return classes;
  }

  int class_of(const std::string& line, uint64_t id) {
    try {
      return class_of_line(line, id, options_.classes);
    } catch (const Error& error) {
      throw refusal(id, error.what());
    }
  }

  std::string name() const { return printable_start(options_.command) + ": "; }

  static std::string said_in_words(const std::string& said) {
    return said.empty() ? "" : fmt::format("; its standard error ends in \"{}\"", said);
  }

  Error refusal(uint64_t line, const std::string& why) {
    return bad_input(fmt::format("{}line {} of its answers: {}{}", name(), line, why,
                                 said_in_words(program_->last_errors())));
  }

  static constexpr const char* kNeverAnswered =
      "; it has never answered: it has to write, and flush, a line for every line it reads, "
      "without waiting for the end of its input";
  static constexpr const char* kTooFewAnswers =
      "; it has to write, and flush, a line for every line it reads";

  const ProgramOptions& options_;
  std::unique_ptr<LineProgram> program_;
  std::atomic<uint64_t> starts_ = 0;
  uint64_t asked_ = 0;          // lines that this program was given
  bool ever_answered_ = false;  // all texts of a batch
};

class ProgramBox : public BlackBox {
 public:
  explicit ProgramBox(const ProgramOptions& options)
      : options_(checked(options)), facts_({{"classifier_command", options.command}}) {
    if (!options.version.empty()) facts_.emplace_back("classifier_version", options.version);
    for (int i = 0; i < options.workers; ++i) idle_.push_back(&workers_.emplace_back(options_));
  }
  ~ProgramBox() override {
    for (Worker& worker : workers_) worker.close_input();  // so that all end at the same time
  }

  const std::vector<std::string>& classes() const override { return options_.classes; }
  std::string kind() const override { return "program"; }
  const Facts& facts() const override { return facts_; }
  std::string fingerprint() const override {
    return fingerprint_of(kind(), facts_, options_.classes);
  }
  size_t batch() const override { return options_.batch; }
  int at_once() const override { return options_.workers; }
  std::string effort() const override {
    uint64_t restarts = 0;
    for (const Worker& worker : workers_) restarts += worker.restarts();
    return restarts == 0 ? "" : "the program was started anew " + counted(restarts, "time");
  }

  std::vector<int> ask(std::span<const std::string> texts, StopToken stop) override {
    std::vector<int> classes;
    const Loan worker(*this);
    while (!texts.empty()) {
      const auto part = texts.first(std::min(texts.size(), options_.batch));
      const std::vector<int> some = worker.get().ask(part, stop);
      classes.insert(classes.end(), some.begin(), some.end());
      texts = texts.subspan(part.size());
    }
    return classes;
  }

 private:
  // A worker for one thread. The one that was used last comes first: few programs are started where
  // few are needed.
  class Loan {
   public:
    explicit Loan(ProgramBox& box) : box_(box) {
      std::unique_lock lock(box_.mutex_);
      box_.returned_.wait(lock, [&] { return !box_.idle_.empty(); });
      worker_ = box_.idle_.back();
      box_.idle_.pop_back();
    }
    ~Loan() {
      const std::lock_guard lock(box_.mutex_);
      box_.idle_.push_back(worker_);
      box_.returned_.notify_one();
    }
    Loan(const Loan&) = delete;
    Loan& operator=(const Loan&) = delete;
    Worker& get() const { return *worker_; }

   private:
    ProgramBox& box_;
    Worker* worker_ = nullptr;
  };

  ProgramOptions options_;
  Facts facts_;
  std::deque<Worker> workers_;
  std::mutex mutex_;
  std::condition_variable returned_;
  std::vector<Worker*> idle_;
};

}  // namespace

std::unique_ptr<BlackBox> make_program_box(const ProgramOptions& options) {
  return std::make_unique<ProgramBox>(options);
}

}  // namespace textcrs
