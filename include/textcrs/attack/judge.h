// "Do these two texts mean the same?", asked of a language model behind any OpenAI-compatible chat
// endpoint.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"
#include "textcrs/blackbox/chat_parameters.h"
#include "textcrs/http/client.h"

namespace TEXTCRS_API textcrs {

class KeptAnswers;    // src/blackbox/kept_answers.h
class RequestBudget;  // src/blackbox/request_budget.h

struct JudgeOptions {
  std::string base_url;  // "http://localhost:8080/v1": /chat/completions is appended to its path
  std::string model;
  std::string key;  // may be empty; is never written anywhere
  // With {original} and {edited}, each once, where the texts go; asks for one word, yes or no.
  // Empty: default_judge_prompt().
  std::string prompt;
  // What a request has beside its model and message: a JSON object.
  std::string parameters = kChatParameters;
  // Questions that may be put to the endpoint, attempts included; answers from the cache are free.
  int64_t budget = 10'000;
  // A file of answers, one JSON line each (src/blackbox/kept_answers.h); empty: none is kept. It is
  // one process's at a time.
  std::filesystem::path cache;
  HttpOptions http;
};

enum class Verdict { kSame, kDifferent, kUnclear };  // unclear: neither yes nor no
std::string_view to_string(Verdict verdict);         // "same", "different", "unclear"

std::string_view default_judge_prompt();

// The answer's first word without the marks around it: yes or no in any case ("**Yes**,"); anything
// else is unclear.
Verdict parse_verdict(std::string_view answer);

// Thread-safe. Two threads that ask the same at once may both put it to the endpoint; the cache
// keeps one answer, and both get that.
class Judge {
 public:
  // A usage Error without a url, a model or one of the places in the prompt, or if another process
  // writes the cache; reads the cache, a bad_input Error that names the line for one that is
  // damaged (but for a last line without its end, which is cut off).
  explicit Judge(const JudgeOptions& options);
  ~Judge();
  Judge(const Judge&) = delete;
  Judge& operator=(const Judge&) = delete;

  struct Answer {
    Verdict verdict = Verdict::kUnclear;
    std::string said;  // what the model wrote; "[secret]" where it repeats the key
    bool cached = false;
    int attempts = 0;
  };
  // A failed Error if the budget is spent, a bad_input Error for texts that are not UTF-8, or as
  // HttpClient::post_json() throws. An answer without the content that chat completions have is
  // retried as other faults are.
  Answer ask(const std::string& original, const std::string& edited, StopToken stop = {});

  int64_t asked() const;  // questions put to the endpoint so far

 private:
  JudgeOptions options_;
  HttpClient client_;
  mutable std::mutex mutex_;  // of the cache
  std::unique_ptr<KeptAnswers> cache_;
  std::unique_ptr<RequestBudget> budget_;
};

}  // namespace textcrs
