#include "textcrs/http/client.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "http/connection.h"
#include "http/endpoint.h"
#include "http/printable.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

using std::chrono::milliseconds;

constexpr int kRequestTimeout = 408, kTooEarly = 425, kTooManyRequests = 429;

bool may_be_retried(int status) {
  return status == kRequestTimeout || status == kTooEarly || status == kTooManyRequests ||
         status >= 500;
}

bool is_good(int status) { return status >= 200 && status < 300; }

// Between half and all of first_back_off doubled `attempt` - 1 times.
milliseconds back_off(int attempt, const HttpOptions& options) {
  milliseconds wait = std::min(options.first_back_off, options.most_back_off);
  for (int i = 1; i < attempt && wait < options.most_back_off; ++i)
    wait = wait > options.most_back_off / 2 ? options.most_back_off : wait * 2;
  std::random_device device;
  const double share = std::uniform_real_distribution<double>(0.5, 1)(device);
  return milliseconds(static_cast<int64_t>(static_cast<double>(wait.count()) * share));
}

void sleep(milliseconds wait, StopToken stop) {
  constexpr milliseconds kSlice{50};
  const auto end = std::chrono::steady_clock::now() + wait;
  while (true) {
    stop.check();
    const auto now = std::chrono::steady_clock::now();
    if (now >= end) return;
    std::this_thread::sleep_until(std::min(end, now + kSlice));
  }
}

HttpOptions checked(const HttpOptions& options) {
  if (options.attempts < 1 || options.most_bytes < 1 || options.timeout.count() < 1 ||
      options.connect_timeout.count() < 1 || options.first_back_off.count() < 1 ||
      options.most_back_off.count() < 1)
    throw std::logic_error("HttpClient: its options must be positive");
  return options;
}

// A line break in it would be a header of its own.
std::string checked_bearer(const std::string& bearer) {
  if (!std::all_of(bearer.begin(), bearer.end(), [](char c) { return c > ' ' && c < 127; }))
    throw usage_error(
        "found a key with blanks, line breaks or other special bytes, expected one "
        "of printable ASCII");
  return bearer;
}

}  // namespace

struct HttpClient::State {
  Endpoint endpoint;
  std::string bearer;
  HttpOptions options;
  std::vector<std::string> secrets;
  std::mutex mutex;
  std::vector<std::unique_ptr<Connection>> idle;

  std::unique_ptr<Connection> take() {
    {
      const std::lock_guard lock(mutex);
      if (!idle.empty()) {
        std::unique_ptr<Connection> connection = std::move(idle.back());
        idle.pop_back();
        return connection;
      }
    }
    return std::make_unique<Connection>(endpoint, bearer, options);
  }

  void give_back(std::unique_ptr<Connection> connection) {
    const std::lock_guard lock(mutex);
    idle.push_back(std::move(connection));
  }

  // For a message.
  std::string quote(const std::string& text) const {
    return printable_start(textcrs::without_secrets(text, secrets));
  }

  // What is wrong with an attempt; empty if nothing is. Sets `hopeless` for what another attempt
  // would not change.
  std::string fault_of(const Attempt& attempt,
                       const std::function<void(const std::string&)>& accepts,
                       bool& hopeless) const {
    hopeless = attempt.hopeless;
    if (attempt.status == 0) return quote(attempt.fault);
    if (!is_good(attempt.status)) {
      hopeless = !may_be_retried(attempt.status);
      const std::string said =
          attempt.body.empty() ? "" : fmt::format(" \"{}\"", quote(attempt.body));
      const bool elsewhere = attempt.status / 100 == 3;
      return fmt::format("found the status {}{}, expected 2xx{}", attempt.status, said,
                         elsewhere ? " (redirections are not followed)" : "");
    }
    try {
      if (accepts) accepts(attempt.body);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kBadInput) throw;
      return fmt::format("{}; the answer was \"{}\"", quote(error.what()), quote(attempt.body));
    }
    return "";
  }
};

HttpClient::HttpClient(const std::string& url, const std::string& bearer,
                       const HttpOptions& options)
    : state_(std::make_unique<State>()) {
  state_->endpoint = parse_endpoint(url);
  state_->bearer = checked_bearer(bearer);
  state_->options = checked(options);
  state_->secrets = state_->endpoint.secrets;
  state_->secrets.push_back(bearer);
  if (!bearer.empty() && !state_->endpoint.user.empty())
    throw usage_error(
        fmt::format("{}: found a key and also a user in the url, expected one of them",
                    state_->endpoint.shown));
}

HttpClient::~HttpClient() = default;

const std::string& HttpClient::url() const { return state_->endpoint.shown; }

std::string HttpClient::without_secrets(std::string text) const {
  return textcrs::without_secrets(std::move(text), state_->secrets);
}

HttpAnswer HttpClient::post_json(
    const std::string& body, const std::function<void(const std::string&)>& accepts, StopToken stop,
    const std::function<void(const std::string&)>& before_attempt) const {
  const HttpOptions& options = state_->options;
  stop.check();
  std::unique_ptr<Connection> connection = state_->take();
  std::string fault;
  for (int attempt = 1;; ++attempt) {
    if (before_attempt) before_attempt(fault);
    Attempt result = connection->post_json(body, stop);
    bool hopeless = false;
    fault = state_->fault_of(result, accepts, hopeless);
    if (fault.empty()) {
      state_->give_back(std::move(connection));
      return {result.status, std::move(result.body), attempt};
    }
    if (hopeless || attempt == options.attempts)
      throw failed(
          fmt::format("{}: {} ({} attempt{})", url(), fault, attempt, attempt == 1 ? "" : "s"));
    const milliseconds asked =
        std::min(result.retry_after.value_or(milliseconds(0)), options.most_back_off);
    sleep(std::max(back_off(attempt, options), asked), stop);
  }
}

}  // namespace textcrs
