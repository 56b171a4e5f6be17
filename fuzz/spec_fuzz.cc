// Spec strings, and the noises and attacks that they name.
#include <unistd.h>

#include "fuzz.h"
#include "textcrs/attack/recipes.h"
#include "textcrs/base/spec.h"
#include "textcrs/noise/noise.h"

namespace {

using namespace textcrs;

void check_noise(std::string_view spec) {
  static const Vocabulary vocabulary({"the", "good", "bad", "film"});
  static const SynonymTable synonyms =
      SynonymTable("pairs", {{}, {}, {}, {}, {5}, {4}, {}}).symmetric();
  const NoiseContext context{&vocabulary, &synonyms, 4};
  const auto made = fuzz::accepted([&] { return make_noise(spec, context); }, {ErrorKind::kUsage});
  if (!made) return;
  const Noise& noise = **made;
  fuzz::require(make_noise(noise.spec(), context)->spec() == noise.spec(), "a noise has one spec");

  const std::vector<WordId> text = {3, 4, 6, kUnk};
  Stream stream(1, 2, 3, 0);
  Words copy;
  noise.sample(text, stream, copy);
  for (const WordId word : copy)
    fuzz::require(word >= 0 && word < vocabulary.size(), "a noisy copy has words");
}

void check_recipe(std::string_view spec) {
  const auto full = fuzz::accepted([&] { return full_spec(spec); }, {ErrorKind::kUsage});
  fuzz::require(full.has_value() ==
                    fuzz::accepted([&] { return needs_of(spec); }, {ErrorKind::kUsage}).has_value(),
                "a recipe that has a spec has needs");
  if (full) fuzz::require(full_spec(*full) == *full, "a recipe's full spec is its own");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  if (text.find('/') != text.npos) return 0;  // the path of a list of words
  const auto spec = fuzz::accepted([&] { return Spec::parse(text); }, {ErrorKind::kUsage});
  if (spec) fuzz::require(text.starts_with(spec->name()), "a spec starts with its name");
  check_noise(text);
  check_recipe(text);
  return 0;
}
