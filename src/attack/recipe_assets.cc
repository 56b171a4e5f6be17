#include "textcrs/attack/recipe_assets.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "textcrs/base/error.h"
#include "textcrs/base/hash.h"
#include "textcrs/data/sources.h"
#include "textcrs/text/word_vectors.h"

namespace textcrs {
namespace {

constexpr int kMostFrequent = 50'000;  // words of the vectors that have replacements and are some

// The lists of a table, whatever file they came from.
std::string fingerprint(const Vocabulary& vocabulary, const SynonymTable& table) {
  uint64_t hash = kHashStart;
  for (WordId word = kFirstWord; word < vocabulary.size(); ++word) {
    hash = fnv1a(fmt::format("{} {} ", vocabulary.word(word), table.of(word).size()), hash);
    for (const WordId other : table.of(word)) hash = fnv1a(vocabulary.word(other) + " ", hash);
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace

RecipeAssets::RecipeAssets(const RecipeNeeds& needs, const RecipeSources& sources,
                           const EngineOptions& engine) {
  const auto keep = [&](const char* name, const std::string& fingerprint) {
    fingerprints_.emplace_back(name, fingerprint);
  };
  if (needs.masked_words) {
    if (sources.masked_words.empty())
      throw usage_error(
          "the attack proposes words by a masked language model, and none was named: expected a "
          "folder that pretrain made");
    masked_words_ =
        std::make_unique<const MaskedWords>(asset_or_path(sources.masked_words), engine);
    keep("masked_words", masked_words_->fingerprint());
  }
  if (needs.encoder) {
    encoder_ = std::make_unique<const SentenceEncoder>(asset_or_path(sources.encoder), engine);
    keep("encoder", encoder_->fingerprint());
  }
  if (needs.replacements) load_replacements(needs, sources);
  if (needs.parts_of_speech) parts_of_speech_ = PartsOfSpeech::load(asset_or_path(sources.wordnet));
  if (needs.synonyms) {
    const auto dict = asset_or_path(sources.wordnet);
    const Vocabulary vocabulary(SynonymTable::wordnet_words(dict));
    SynonymTable table = SynonymTable::from_wordnet(dict, vocabulary);
    keep("synonyms", fingerprint(vocabulary, table));
    synonyms_.emplace(vocabulary, std::move(table), std::numeric_limits<size_t>::max());
  }
}

void RecipeAssets::load_replacements(const RecipeNeeds& needs, const RecipeSources& sources) {
  Vocabulary vocabulary;
  SynonymTable table;
  const SynonymSource source{
      .source = sources.replacements, .count = needs.candidates, .floor = needs.cosine};
  if (sources.replacements == "glove") {
    const WordVectors vectors = open_vectors(sources.vectors);
    std::vector<std::string> words;
    for (int row = 0; row < std::min(kMostFrequent, vectors.size()); ++row)
      words.emplace_back(vectors.word(row));
    vocabulary = Vocabulary(words);
    table = SynonymTable::from_vectors(vectors, vocabulary, needs.candidates, needs.cosine);
  } else {
    vocabulary = Vocabulary(source.words());
    table = source.load(vocabulary, sources.vectors);
  }
  fingerprints_.emplace_back("replacements", fingerprint(vocabulary, table));
  replacements_.emplace(std::move(vocabulary), std::move(table),
                        static_cast<size_t>(needs.candidates));
}

RecipeParts RecipeAssets::parts() const {
  RecipeParts parts;
  parts.replacements = replacements_ ? &*replacements_ : nullptr;
  parts.synonyms = synonyms_ ? &*synonyms_ : nullptr;
  parts.parts_of_speech = parts_of_speech_ ? &*parts_of_speech_ : nullptr;
  parts.encoder = encoder_.get();
  parts.masked_words = masked_words_.get();
  return parts;
}

}  // namespace textcrs
