#include "textcrs/text/word_vectors.h"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>
#include <utility>

#include "text/block_hash.h"
#include "text/word_vectors_format.h"
#include "textcrs/base/error.h"

namespace textcrs {

WordVectors WordVectors::open(const std::filesystem::path& cache) {
  return WordVectors(cache, MappedFile(cache));
}

WordVectors::WordVectors(const std::filesystem::path& path, MappedFile file)
    : path_(path), file_(std::move(file)) {
  const std::span<const std::byte> bytes = file_.bytes();
  VectorsHeader header{};
  if (bytes.size() < sizeof(header))
    damaged(fmt::format("found {} bytes, expected a header of {}", bytes.size(), sizeof(header)));
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.magic != kVectorsMagic) damaged("it does not start like a word-vector cache");
  if (header.version != kVectorsVersion)
    damaged(fmt::format("found version {}, expected {}", header.version, kVectorsVersion));
  if (header.checksum != header_checksum(header)) damaged("the header's checksum is wrong");
  const auto sections = vectors_sections(header);
  if (!sections) damaged("the sizes in the header are out of range");
  if (bytes.size() != sections->end)
    damaged(fmt::format("found {} bytes, expected {}", bytes.size(), sections->end));
  if (header.content != block_hash(file_.text().substr(sizeof(header))))
    damaged("what follows the header is not what was written");

  size_ = static_cast<int>(header.count);
  dimension_ = static_cast<int>(header.dimension);
  fingerprint_ = header.fingerprint;
  const std::byte* base = bytes.data();
  matrix_ = reinterpret_cast<const float*>(base + sections->matrix);
  offsets_ = {reinterpret_cast<const uint64_t*>(base + sections->offsets), header.count + 1};
  slots_ = {reinterpret_cast<const uint32_t*>(base + sections->index), header.slots};
  words_ = {reinterpret_cast<const char*>(base + sections->words), header.word_bytes};
}

void WordVectors::damaged(std::string_view what) const {
  throw bad_input(fmt::format("{}: not a sound word-vector cache ({}); delete it to make it again",
                              path_.string(), what));
}

std::string_view WordVectors::word(int row) const {
  if (row < 0 || row >= size_) throw std::logic_error("WordVectors::word: no such row");
  const uint64_t begin = offsets_[static_cast<size_t>(row)];
  const uint64_t end = offsets_[static_cast<size_t>(row) + 1];
  if (begin > end || end > words_.size())
    damaged(fmt::format("word {} lies at bytes {} to {} of {}", row, begin, end, words_.size()));
  return words_.substr(begin, end - begin);
}

std::optional<int> WordVectors::find(std::string_view word) const {
  uint64_t slot = first_slot(word, slots_.size());
  for (size_t probes = 0; probes < slots_.size(); ++probes) {
    const uint32_t entry = slots_[slot];
    if (entry == 0) return std::nullopt;
    if (entry > static_cast<uint32_t>(size_))
      damaged(fmt::format("slot {} names row {} of {}", slot, entry - 1, size_));
    const int row = static_cast<int>(entry - 1);
    if (this->word(row) == word) return row;
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return std::nullopt;
}

std::span<const float> WordVectors::row(int row) const {
  if (row < 0 || row >= size_) throw std::logic_error("WordVectors::row: no such row");
  const auto width = static_cast<size_t>(dimension_);
  return {matrix_ + static_cast<size_t>(row) * width, width};
}

std::span<const float> WordVectors::matrix() const {
  return {matrix_, static_cast<size_t>(size_) * static_cast<size_t>(dimension_)};
}

}  // namespace textcrs
