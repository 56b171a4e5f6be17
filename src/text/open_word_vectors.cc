#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/sha512.h"
#include "textcrs/base/error.h"
#include "textcrs/text/word_vectors.h"

namespace textcrs {
namespace fs = std::filesystem;

namespace {

constexpr uint64_t kBlocks = 64, kBlockBytes = 4096;

Error unreadable(const fs::path& source, const std::string& why) {
  return bad_input(fmt::format("{}: cannot be read ({})", source.string(), why));
}

// Blocks spread over a file, the first and the last among them; all of a small one.
std::string sample(const fs::path& place, uint64_t size) {
  std::ifstream in(place, std::ios::binary);
  if (!in) throw unreadable(place, std::strerror(errno));
  std::string blocks(std::min(size, kBlocks * kBlockBytes), '\0');
  const uint64_t step = size > blocks.size() ? (size - kBlockBytes) / (kBlocks - 1) : kBlockBytes;
  for (uint64_t at = 0; at < blocks.size(); at += kBlockBytes) {
    in.seekg(static_cast<std::streamoff>(at / kBlockBytes * step));
    in.read(blocks.data() + at,
            static_cast<std::streamsize>(std::min(kBlockBytes, blocks.size() - at)));
  }
  if (!in) throw unreadable(place, "it was cut while it was read");
  return blocks;
}

// Where the caches of a source lie: all have one prefix, and each content a name of its own.
struct CachePath {
  fs::path folder;
  std::string prefix, name;
};

CachePath cache_path(const fs::path& source) {
  std::error_code error;
  const fs::path place = fs::canonical(source, error);
  if (error) throw unreadable(source, error.message());
  struct stat info {};
  if (stat(place.c_str(), &info) != 0) throw unreadable(source, std::strerror(errno));
  if (!S_ISREG(info.st_mode))
    throw bad_input(fmt::format("{}: expected a regular file", source.string()));
  const std::string key =
      fmt::format("{}\n{}\n{}.{:09}\n{}.{:09}\n", info.st_size, info.st_ino, info.st_mtim.tv_sec,
                  info.st_mtim.tv_nsec, info.st_ctim.tv_sec, info.st_ctim.tv_nsec) +
      sample(place, static_cast<uint64_t>(info.st_size));
  const std::string prefix = fmt::format("vectors-{}-{}-", place.stem().string(),
                                         short_name(sha512(place.string())).substr(0, 8));
  return {home_folder() / "cache", prefix, prefix + short_name(sha512(key)) + ".bin"};
}

// Those of contents that the source had before. Who has one mapped keeps it.
void remove_older(const CachePath& path) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(path.folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(path.prefix) && name.ends_with(".bin") && name != path.name)
      fs::remove(entry.path(), ignored);
  }
}

}  // namespace

WordVectors open_word_vectors(const fs::path& source) {
  const bool json = source.extension() == ".json";
  if (!json && source.extension() != ".txt")
    throw bad_input(
        fmt::format("{}: expected word vectors as .txt (GloVe) or .json (wink)", source.string()));
  const CachePath path = cache_path(source);
  const fs::path cache = path.folder / path.name;
  if (std::error_code ignored; fs::exists(cache, ignored)) {
    try {
      return WordVectors::open(cache);
    } catch (const Error&) {
      // Damaged or of another version: made again below.
    }
  }
  json ? convert_wink_json(source, cache) : convert_glove_text(source, cache);
  remove_older(path);
  return WordVectors::open(cache);
}

}  // namespace textcrs
