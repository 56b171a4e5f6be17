// What the targets share.
//
// A target is a file x_fuzz.cc with the function that libFuzzer calls for every input. It reads the
// input as the library reads a file, and checks what the library promises of what it makes of it.
// The same file is linked with replay.cc into a test that feeds it fuzz/corpus/x.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "textcrs/base/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace textcrs::fuzz {

inline std::string_view text_of(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Ends the process unless the property holds: that is how a finding is told.
void require(bool holds, std::string_view property);

// The input without its first byte, which chooses: '0' is 0, '1' is 1, ..
struct Choice {
  unsigned which = 0;
  std::string_view rest;

  Choice(std::string_view input, unsigned count);
};

// The input before its first NUL, and what is behind that.
struct Halves {
  std::string_view first, second;

  explicit Halves(std::string_view input);
};

// A file of that name in a folder of this process, with that content; the next one of the same name
// replaces it.
std::filesystem::path file_with(std::string_view content, const std::string& name = "input");

void check_refusal(const Error& error, std::initializer_list<ErrorKind> kinds);

// What `read` makes of the input; nothing if it refuses it as it should: by an Error of one of
// these kinds, or for want of memory. What else is thrown is a finding.
template <typename Read>
std::optional<std::invoke_result_t<Read>> accepted(Read read,
                                                   std::initializer_list<ErrorKind> kinds = {
                                                       ErrorKind::kBadInput}) {
  try {
    return read();
  } catch (const Error& error) {
    check_refusal(error, kinds);
  } catch (const std::bad_alloc&) {
  }
  return std::nullopt;
}

}  // namespace textcrs::fuzz
