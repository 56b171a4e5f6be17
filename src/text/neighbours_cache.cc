#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <string>

#include "base/sha512.h"
#include "textcrs/base/files.h"
#include "textcrs/text/neighbours.h"

namespace textcrs {
namespace fs = std::filesystem;

namespace {

static_assert(std::endian::native == std::endian::little && sizeof(Neighbour) == 8);

using Lists = std::vector<std::vector<Neighbour>>;

struct Header {
  std::array<char, 8> magic = {'T', 'C', 'R', 'S', 'N', 'B', 'R', '\0'};
  uint32_t version = 1;
  uint32_t count = 0;
  uint64_t queries = 0;
  uint64_t neighbours = 0;
  Digest request{};
  Digest content{};
};
static_assert(sizeof(Header) == 160);

Digest request_digest(const WordVectors& vectors, std::span<const int> queries, int count,
                      std::span<const int> candidates) {
  const std::array<uint64_t, 4> sizes = {vectors.fingerprint(), static_cast<uint64_t>(count),
                                         queries.size(), candidates.size()};
  Sha512 hash;
  hash.update(std::span<const uint64_t>(sizes));
  hash.update(queries);
  hash.update(candidates);
  return hash.finish();
}

fs::path cache_file(const Digest& request) {
  return home_folder() / "cache" / fmt::format("neighbours-{}.bin", short_name(request));
}

std::string to_bytes(const Lists& lists, int count, const Digest& request) {
  Header header;
  header.count = static_cast<uint32_t>(count);
  header.queries = lists.size();
  header.request = request;
  std::string lengths, pairs;
  for (const auto& list : lists) {
    const auto length = static_cast<uint32_t>(list.size());
    lengths.append(reinterpret_cast<const char*>(&length), sizeof(length));
    pairs.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(Neighbour));
    header.neighbours += length;
  }
  const std::string content = lengths + pairs;
  header.content = sha512(content);
  return std::string(reinterpret_cast<const char*>(&header), sizeof(header)) + content;
}

// Nothing if the bytes are not a whole and unchanged answer to the request.
std::optional<Lists> from_bytes(std::string_view bytes, size_t queries, int count, int rows,
                                const Digest& request) {
  Header header;
  if (bytes.size() < sizeof(header)) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof(header));
  const std::string_view content = bytes.substr(sizeof(header));
  const bool sound = header.magic == Header{}.magic && header.version == Header{}.version &&
                     header.count == static_cast<uint32_t>(count) && header.queries == queries &&
                     header.request == request && content.size() / sizeof(uint32_t) >= queries &&
                     header.content == sha512(content);
  if (!sound) return std::nullopt;
  if ((content.size() - queries * sizeof(uint32_t)) / sizeof(Neighbour) != header.neighbours)
    return std::nullopt;

  std::vector<uint32_t> lengths(queries);
  std::memcpy(lengths.data(), content.data(), queries * sizeof(uint32_t));
  std::string_view pairs = content.substr(queries * sizeof(uint32_t));
  Lists lists;
  lists.reserve(queries);
  for (const uint32_t length : lengths) {
    if (length > header.count || pairs.size() / sizeof(Neighbour) < length) return std::nullopt;
    std::vector<Neighbour>& list = lists.emplace_back(length);
    if (length > 0) std::memcpy(list.data(), pairs.data(), length * sizeof(Neighbour));
    pairs.remove_prefix(length * sizeof(Neighbour));
    const auto outside = [&](const Neighbour& n) { return n.row < 0 || n.row >= rows; };
    if (std::any_of(list.begin(), list.end(), outside)) return std::nullopt;
  }
  return pairs.empty() ? std::optional(std::move(lists)) : std::nullopt;
}

}  // namespace

fs::path neighbours_cache_file(const WordVectors& vectors, std::span<const int> queries, int count,
                               std::span<const int> candidates) {
  return cache_file(request_digest(vectors, queries, count, candidates));
}

Lists load_or_build_neighbours(const WordVectors& vectors, std::span<const int> queries, int count,
                               int threads, std::span<const int> candidates) {
  const Digest request = request_digest(vectors, queries, count, candidates);
  const fs::path path = cache_file(request);
  if (std::error_code ignored; fs::is_regular_file(path, ignored)) {
    auto lists =
        from_bytes(MappedFile(path).text(), queries.size(), count, vectors.size(), request);
    if (lists) return std::move(*lists);
  }
  Lists lists = nearest_neighbours(vectors, queries, count, threads, candidates);
  write_file_atomically(path, to_bytes(lists, count, request));
  return lists;
}

}  // namespace textcrs
