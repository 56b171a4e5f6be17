#include "text/word_vectors_writer.h"

#include <array>
#include <cstring>
#include <stdexcept>

#include "text/word_vectors_format.h"
#include "textcrs/base/error.h"

namespace textcrs {

WordVectorsWriter::WordVectorsWriter(std::ostream& out, size_t dimension)
    : out_(out), dimension_(dimension), slots_(64) {
  const std::array<uint64_t, 1> seed = {dimension};
  fingerprint_.update(std::span<const uint64_t>(seed));
  const VectorsHeader unfinished{};
  out_.write(reinterpret_cast<const char*>(&unfinished), sizeof(unfinished));
  written_ = sizeof(unfinished);
}

std::string_view WordVectorsWriter::word(uint64_t row) const {
  return std::string_view(words_).substr(offsets_[row], offsets_[row + 1] - offsets_[row]);
}

bool WordVectorsWriter::add(std::string_view word, std::span<const float> row) {
  if (row.size() != dimension_) throw std::logic_error("WordVectorsWriter: wrong dimension");
  if (size() == kMaxWords) throw bad_input("a table of more than 2^31 - 1 words is not supported");
  uint64_t slot = first_slot(word, slots_.size());
  while (slots_[slot] != 0) {
    if (this->word(slots_[slot] - 1) == word) return false;
    slot = (slot + 1) & (slots_.size() - 1);
  }
  words_ += word;
  offsets_.push_back(words_.size());
  slots_[slot] = static_cast<uint32_t>(size());
  if (slots_.size() < 2 * size()) grow_index();

  const std::array<uint64_t, 1> length = {word.size()};
  fingerprint_.update(std::span<const uint64_t>(length));
  fingerprint_.update(word);
  fingerprint_.update(row);
  write(row.data(), row.size_bytes());
  return true;
}

void WordVectorsWriter::grow_index() {
  slots_.assign(2 * slots_.size(), 0);
  for (uint64_t row = 0; row < size(); ++row) {
    uint64_t slot = first_slot(word(row), slots_.size());
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = static_cast<uint32_t>(row + 1);
  }
}

void WordVectorsWriter::finish() {
  if (size() == 0) throw std::logic_error("WordVectorsWriter: no word was added");
  pad_to_section();
  write(offsets_.data(), offsets_.size() * sizeof(uint64_t));
  pad_to_section();
  write(slots_.data(), slots_.size() * sizeof(uint32_t));
  pad_to_section();
  write(words_.data(), words_.size());

  VectorsHeader header{};
  header.magic = kVectorsMagic;
  header.version = kVectorsVersion;
  header.dimension = static_cast<uint32_t>(dimension_);
  header.count = size();
  header.word_bytes = words_.size();
  header.slots = slots_.size();
  const Digest digest = fingerprint_.finish();
  std::memcpy(&header.fingerprint, digest.data(), sizeof(header.fingerprint));
  header.content = content_.finish();
  header.checksum = header_checksum(header);
  out_.seekp(0);
  out_.write(reinterpret_cast<const char*>(&header), sizeof(header));
}

void WordVectorsWriter::pad_to_section() {
  const std::array<char, 64> zeros{};
  write(zeros.data(), aligned(written_) - written_);
}

void WordVectorsWriter::write(const void* data, size_t bytes) {
  out_.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  content_.update({static_cast<const char*>(data), bytes});
  written_ += bytes;
}

}  // namespace textcrs
