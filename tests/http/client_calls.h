// Requests and how they end, for the tests of what asks an endpoint.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>

#include "textcrs/base/error.h"
#include "textcrs/http/client.h"

namespace textcrs {

// Nearly no back-off; time-outs that no test waits for.
inline HttpOptions quick() {
  HttpOptions options;
  options.attempts = 3;
  options.first_back_off = std::chrono::milliseconds(2);
  options.most_back_off = std::chrono::milliseconds(10);
  return options;
}

// The message of the Error that `call` throws; "" and a failed test for none or one of another
// kind.
inline std::string message_of(const std::function<void()>& call, ErrorKind kind) {
  try {
    call();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    if (error.kind() == kind) return error.what();
    ADD_FAILURE() << "another kind: " << error.what();
  }
  return "";
}

inline std::string refusal(const std::function<void()>& call) {
  return message_of(call, ErrorKind::kUsage);
}

inline std::string failure(const HttpClient& client,
                           const std::function<void(const std::string&)>& accepts = {}) {
  return message_of([&] { client.post_json("{}", accepts); }, ErrorKind::kFailed);
}

}  // namespace textcrs
