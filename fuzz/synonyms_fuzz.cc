// synonyms.json: the table over all its words is read back, and its closure is symmetric.
#include <algorithm>

#include "fuzz.h"
#include "textcrs/text/synonyms.h"

namespace {

bool same(const textcrs::SynonymTable& a, const textcrs::SynonymTable& b) {
  for (textcrs::WordId word = 0; word < std::max(a.size(), b.size()); ++word)
    if (!std::ranges::equal(a.of(word), b.of(word))) return false;
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace textcrs;
  const auto path = fuzz::file_with(fuzz::text_of(data, size));
  const auto vocabulary =
      fuzz::accepted([&] { return Vocabulary(SynonymTable::json_words(path)); });
  if (!vocabulary) return 0;
  const SynonymTable table = SynonymTable::from_json(path, *vocabulary);
  const auto copy = fuzz::file_with("", "copy");
  table.save_json(copy, *vocabulary);
  fuzz::require(same(SynonymTable::from_json(copy, *vocabulary), table), "a table is read back");

  const SynonymTable symmetric = table.symmetric();
  fuzz::require(symmetric.is_symmetric() && !symmetric.one_sided(), "its closure is symmetric");
  fuzz::require(table.is_symmetric() == !table.one_sided().has_value() &&
                    (!table.is_symmetric() || same(symmetric, table)),
                "a symmetric table is its closure");
  return 0;
}
