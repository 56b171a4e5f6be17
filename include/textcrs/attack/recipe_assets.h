// What a recipe is made of, loaded from fetched data and folders.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "textcrs/attack/recipes.h"
#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

// Each a fetched asset by name, or a path.
struct RecipeSources {
  std::string vectors = "glove";  // of the replacements
  // "glove": the nearest words by the vectors; "wordnet"; or a JSON file of lists.
  std::string replacements = "glove";
  std::string wordnet = "wordnet";  // a dict folder: synonyms and parts of speech
  std::string encoder = "minilm";   // a pretrained BERT: sentence similarity
  std::string masked_words;         // a BERT with the head that guesses words
};

class RecipeAssets {
 public:
  // Loads what the needs name, but for class words, phrase, budgets and worst texts, which are not
  // assets. A usage Error for a source that is needed and empty; throws as the readers do.
  RecipeAssets(const RecipeNeeds& needs, const RecipeSources& sources,
               const EngineOptions& engine = {});

  // Sets those that were loaded; they point into this object.
  void add_to(RecipeParts& parts) const;
  // What an attack's results depend on, of all that were loaded: {"encoder", "a4e1..."}.
  const std::vector<std::pair<std::string, std::string>>& fingerprints() const {
    return fingerprints_;
  }

 private:
  void load_replacements(const RecipeNeeds& needs, const RecipeSources& sources);

  std::optional<WordSynonyms> replacements_, synonyms_;
  std::optional<PartsOfSpeech> parts_of_speech_;
  std::unique_ptr<const SentenceEncoder> encoder_;
  std::unique_ptr<const MaskedWords> masked_words_;
  std::vector<std::pair<std::string, std::string>> fingerprints_;
};

}  // namespace textcrs
