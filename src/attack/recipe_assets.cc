#include "textcrs/attack/recipe_assets.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "textcrs/base/error.h"
#include "textcrs/base/files.h"
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

// The lists of WordNet's lemmas and irregular forms; a list may be missing.
std::string fingerprint(const std::filesystem::path& dict) {
  uint64_t hash = kHashStart;
  for (const char* name : {"index.noun", "index.verb", "index.adj", "index.adv", "noun.exc",
                           "verb.exc", "adj.exc", "adv.exc"}) {
    hash = fnv1a(name, hash);
    if (std::filesystem::exists(dict / name)) hash = hash_bulk(read_file(dict / name), hash);
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
  if (needs.parts_of_speech) {
    const auto dict = asset_or_path(sources.wordnet);
    parts_of_speech_ = PartsOfSpeech::load(dict);
    keep("parts_of_speech", fingerprint(dict));
  }
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
  if (sources.replacements == "glove") {
    const WordVectors vectors = open_vectors(sources.vectors);
    std::vector<std::string> words;
    for (int row = 0; row < std::min(kMostFrequent, vectors.size()); ++row)
      words.emplace_back(vectors.word(row));
    vocabulary = Vocabulary(words);
    table = SynonymTable::from_vectors(vectors, vocabulary, needs.candidates, needs.cosine);
  } else if (sources.replacements == "wordnet") {
    const auto dict = asset_or_path(sources.wordnet);
    vocabulary = Vocabulary(SynonymTable::wordnet_words(dict));
    table = SynonymTable::from_wordnet(dict, vocabulary);
  } else {
    // An adversary has no need of a symmetric table: the lists of a file are taken as they are.
    vocabulary = Vocabulary(SynonymTable::json_words(sources.replacements));
    table = SynonymTable::from_json(sources.replacements, vocabulary);
  }
  fingerprints_.emplace_back("replacements", fingerprint(vocabulary, table));
  replacements_.emplace(std::move(vocabulary), std::move(table),
                        static_cast<size_t>(needs.candidates));
}

void RecipeAssets::add_to(RecipeParts& parts) const {
  if (replacements_) parts.replacements = &*replacements_;
  if (synonyms_) parts.synonyms = &*synonyms_;
  if (parts_of_speech_) parts.parts_of_speech = &*parts_of_speech_;
  if (encoder_) parts.encoder = encoder_.get();
  if (masked_words_) parts.masked_words = masked_words_.get();
}

}  // namespace textcrs
