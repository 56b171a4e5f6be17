// The cache of neighbours. The input is the counts of the header and what follows the header, with
// the right digests, as no random change would have them.
#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/sha512.h"
#include "fuzz.h"
#include "text/word_vectors_writer.h"
#include "textcrs/base/files.h"
#include "textcrs/text/neighbours.h"

namespace {

using namespace textcrs;

constexpr int kCount = 2;
constexpr std::array<int, 3> kQueries = {0, 2, 4};

WordVectors small_table() {
  const auto path = fuzz::file_with("", "table.bin");
  write_file_atomically(path, [](std::ostream& out) {
    WordVectorsWriter writer(out, 2);
    for (int row = 0; row < 5; ++row)
      writer.add(std::string(1, static_cast<char>('a' + row)),
                 std::array{static_cast<float>(row), 1.0f});
    writer.finish();
  });
  return WordVectors::open(path);
}

// The bytes of a header up to the counts, and of the digest of the request (neighbours.h).
constexpr size_t kCountsAt = 12, kCountBytes = 20, kRequestAt = 32, kContentAt = 96, kHeader = 160;

std::string with_sound_digests(std::string_view sound, std::string_view input) {
  std::string counts(input.substr(0, kCountBytes));
  counts.resize(kCountBytes);
  const std::string_view content = input.substr(std::min(input.size(), kCountBytes));
  const auto digest = sha512(content);
  std::string bytes(sound.substr(0, kCountsAt));
  bytes += counts;
  bytes += sound.substr(kRequestAt, kContentAt - kRequestAt);
  bytes.append(reinterpret_cast<const char*>(digest.data()), digest.size());
  fuzz::require(bytes.size() == kHeader, "the header is as the target takes it to be");
  return bytes.append(content);
}

void check(const std::vector<std::vector<Neighbour>>& lists, const WordVectors& vectors) {
  fuzz::require(lists.size() == kQueries.size(), "every query has a list");
  for (const auto& list : lists) {
    fuzz::require(list.size() <= kCount, "a list is not too long");
    for (const Neighbour& neighbour : list)
      fuzz::require(neighbour.row >= 0 && neighbour.row < vectors.size(), "neighbours are rows");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const WordVectors vectors = [] {
    setenv("TEXTCRS_HOME", fuzz::file_with("", "home").parent_path().c_str(), 1);
    return small_table();
  }();
  static const std::string sound = [] {
    load_or_build_neighbours(vectors, kQueries, kCount, 1);
    return read_file(neighbours_cache_file(vectors, kQueries, kCount));
  }();
  const auto load = [] { return load_or_build_neighbours(vectors, kQueries, kCount, 1); };
  const auto path = neighbours_cache_file(vectors, kQueries, kCount);
  const std::string_view input = fuzz::text_of(data, size);

  for (const std::string& bytes : {std::string(input), with_sound_digests(sound, input)}) {
    write_file_atomically(path, bytes);
    check(load(), vectors);
    const std::string kept = read_file(path);
    fuzz::require(kept == bytes || kept == sound, "a damaged file is made again");
    check(load(), vectors);
    fuzz::require(read_file(path) == kept, "a file is made again once");
  }
  return 0;
}
