#include <fmt/format.h>

#include "base/sha512.h"
#include "textcrs/base/error.h"
#include "textcrs/text/word_vectors.h"

namespace textcrs {
namespace fs = std::filesystem;

namespace {

fs::path cache_path(const fs::path& source) {
  std::error_code error;
  const fs::path place = fs::canonical(source, error);
  if (error)
    throw bad_input(fmt::format("{}: cannot be read ({})", source.string(), error.message()));
  if (!fs::is_regular_file(place))
    throw bad_input(fmt::format("{}: expected a regular file", source.string()));
  const std::string key = fmt::format("{}\n{}\n{}", place.string(), fs::file_size(place),
                                      fs::last_write_time(place).time_since_epoch().count());
  return home_folder() / "cache" /
         fmt::format("vectors-{}-{}.bin", place.stem().string(), short_name(sha512(key)));
}

}  // namespace

WordVectors open_word_vectors(const fs::path& source) {
  const bool json = source.extension() == ".json";
  if (!json && source.extension() != ".txt")
    throw bad_input(
        fmt::format("{}: expected word vectors as .txt (GloVe) or .json (wink)", source.string()));
  const fs::path cache = cache_path(source);
  if (std::error_code ignored; fs::exists(cache, ignored)) {
    try {
      return WordVectors::open(cache);
    } catch (const Error&) {
      // Damaged or of another version: made again below.
    }
  }
  json ? convert_wink_json(source, cache) : convert_glove_text(source, cache);
  return WordVectors::open(cache);
}

}  // namespace textcrs
