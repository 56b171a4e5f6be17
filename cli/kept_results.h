// Runs that keep their results in --out and go on with them.
#pragma once

#include <string>

namespace textcrs::cli {

// The flag that decides a setting of a run, by the setting's name.
using FlagOf = std::string (*)(const std::string& setting);

// Within a handler: throws the exception again. An OtherRun and an OtherVersion become usage Errors
// that name the flag and say what can be done; an interruption says that the same command goes on.
[[noreturn]] void rethrow_with_flags(FlagOf flag_of);

// What work() returns, or throws by rethrow_with_flags().
template <typename Work>
auto keeping_results(FlagOf flag_of, const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (...) {
    rethrow_with_flags(flag_of);
  }
}

}  // namespace textcrs::cli
