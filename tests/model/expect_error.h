// The Error a piece of work must end with.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "textcrs/base/error.h"

namespace textcrs {

// The message of the Error that `work` throws. Another kind, more than one line, or no Error at all
// fails the test; any other exception passes through.
inline std::string expect_error(ErrorKind kind, const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "expected an Error";
  return "";
}

}  // namespace textcrs
