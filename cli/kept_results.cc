#include "kept_results.h"

#include <fmt/format.h>

#include "textcrs/base/error.h"
#include "textcrs/report/results_file.h"

namespace textcrs::cli {

void rethrow_with_flags(FlagOf flag_of) {
  try {
    throw;
  } catch (const OtherRun& other) {
    throw usage_error(
        fmt::format("{}: holds the results of another run ({} was {}, now {}); choose another "
                    "--out or add --overwrite",
                    other.file().string(), flag_of(other.setting()), other.before(), other.now()));
  } catch (const OtherVersion& other) {
    throw usage_error(
        fmt::format("{}; finish them with that version, choose another --out, or start anew with "
                    "--overwrite",
                    other.problem()));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted) throw;
    throw Error(error.kind(), fmt::format("{}; the same command goes on", error.what()));
  }
}

}  // namespace textcrs::cli
