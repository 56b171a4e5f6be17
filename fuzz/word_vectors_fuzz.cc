// The cache of word vectors. Its header gets the version and the hashes that are right for it
// first, as no random change would.
#include <cstring>

#include "fuzz.h"
#include "text/block_hash.h"
#include "text/word_vectors_format.h"
#include "textcrs/text/word_vectors.h"

namespace {

std::string with_sound_header(std::string bytes) {
  textcrs::VectorsHeader header;
  if (bytes.size() < sizeof(header)) return bytes;
  std::memcpy(&header, bytes.data(), sizeof(header));
  header.version = textcrs::kVectorsVersion;
  header.content = textcrs::block_hash(std::string_view(bytes).substr(sizeof(header)));
  header.checksum = textcrs::header_checksum(header);
  std::memcpy(bytes.data(), &header, sizeof(header));
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace textcrs;
  const std::string bytes(fuzz::text_of(data, size));
  fuzz::accepted([&] { return WordVectors::open(fuzz::file_with(bytes)).size(); });

  const auto path = fuzz::file_with(with_sound_header(bytes));
  const auto vectors = fuzz::accepted([&] { return WordVectors::open(path); });
  if (!vectors) return 0;
  fuzz::require(vectors->size() >= 1 && vectors->dimension() >= 1, "a table is not empty");
  for (int row = 0; row < vectors->size(); ++row) {
    fuzz::require(vectors->row(row).size() == static_cast<size_t>(vectors->dimension()),
                  "a row is as wide as the table");
    fuzz::accepted([&] {
      const std::string_view word = vectors->word(row);
      if (const auto found = vectors->find(word))
        fuzz::require(vectors->word(*found) == word, "a word that is found is that word");
      return true;
    });
  }
  fuzz::accepted([&] { return vectors->find("no such word").has_value(); });
  return 0;
}
