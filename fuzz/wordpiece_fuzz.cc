// BERT's tokenizer from files: '0' a tokenizer.json; '1' a vocab.txt, and behind a NUL the
// tokenizer_config.json beside it.
#include <filesystem>

#include "fuzz.h"
#include "textcrs/text/wordpiece.h"

namespace {

using textcrs::WordPiece;

constexpr const char* kText =
    "Unaffable [MASK] caf\xc3\xa9, \xe4\xb8\xad\xe6\x96\x87 don't U.S.\xff";

bool same(const WordPiece& a, const WordPiece& b) {
  if (a.size() != b.size() || !(a.rules() == b.rules())) return false;
  for (int32_t id = 0; id < a.size(); ++id)
    if (a.piece(id) != b.piece(id)) return false;
  return a.encode(kText) == b.encode(kText);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace textcrs;
  const fuzz::Choice input(fuzz::text_of(data, size), 2);
  std::filesystem::path path;
  if (input.which == 0) {
    path = fuzz::file_with(input.rest, "tokenizer.json");
  } else {
    const fuzz::Halves halves(input.rest);
    path = fuzz::file_with(halves.first, "vocab.txt");
    const auto beside = fuzz::file_with(halves.second, "tokenizer_config.json");
    if (halves.second.empty()) std::filesystem::remove(beside);
  }
  const auto wordpiece = fuzz::accepted([&] { return WordPiece::load(path); });
  if (!wordpiece) return 0;

  std::vector<int32_t> pieces = {wordpiece->cls()};
  for (const std::string& word : wordpiece->words(kText)) wordpiece->append_pieces(word, pieces);
  pieces.push_back(wordpiece->sep());
  fuzz::require(wordpiece->encode(kText) == pieces, "a text's pieces are those of its words");

  const auto copy = fuzz::file_with("", "copy.json");
  wordpiece->save(copy);
  fuzz::require(same(WordPiece::load(copy), *wordpiece), "a tokenizer is read back");
  return 0;
}
