// Requests to an HTTP endpoint that may be slow, busy or broken: time-outs, and retries with
// back-off and jitter.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"

namespace TEXTCRS_API textcrs {

struct HttpOptions {  // all positive
  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::milliseconds timeout{60'000};  // of one attempt, connecting included
  int attempts = 5;                           // of one request, the first included
  // Doubled from attempt to attempt, up to the other one; each is shortened at random by up to
  // half.
  std::chrono::milliseconds first_back_off{1'000}, most_back_off{60'000};
  size_t most_bytes = 16u << 20;  // an answer of more fails
};

struct HttpAnswer {
  int status = 0;  // 2xx
  std::string body;
  int attempts = 1;
};

// A JSON document posted, and its answer. Thread-safe; connections are kept open for the next
// request. Proxies are those of the environment (https_proxy, no_proxy and so on). Certificates are
// verified.
class HttpClient {
 public:
  // `url` is http or https; a usage Error for anything else. `bearer`, unless empty, is sent as the
  // Authorization header to the url's host alone. Neither it nor the url's user, password or query
  // appears in a message, also where the endpoint says them. Redirections are not followed.
  HttpClient(const std::string& url, const std::string& bearer, const HttpOptions& options = {});
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // As messages name it: without user, password and query.
  const std::string& url() const;
  // The text with "[secret]" where the key or the password was.
  std::string without_secrets(std::string text) const;

  // Posts until an attempt is answered with 2xx and `accepts` does not throw for the body: an
  // Error of kind kBadInput from there ("half a JSON") is retried as other faults are. Retried:
  // no connection, a connection that breaks, no HTTP, a time-out, 408, 425, 429 and 5xx, after the
  // back-off, or a longer Retry-After (at most most_back_off). Any other status, an answer that is
  // too large, and the last attempt, is a failed Error that names the url, the status or the fault,
  // the start of the body in printable characters, and the number of attempts. An Error of kind
  // kInterrupted within a second once `stop` asks for it. `before_attempt` is told the fault of the
  // attempt before, empty for the first; what it throws ends the request.
  HttpAnswer post_json(
      const std::string& body, const std::function<void(const std::string& body)>& accepts = {},
      StopToken stop = {},
      const std::function<void(const std::string& fault)>& before_attempt = {}) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace textcrs
