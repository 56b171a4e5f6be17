// The attacks that have a name. A recipe is a spec string with the thresholds as parameters:
// "textfooler:candidates=50,similarity=0.84". docs/attacks.md has them all.
//
// They follow what the literature describes, not another program's bits: sentence similarity is
// that of MiniLM-L6, mean-pooled (others use the Universal Sentence Encoder), and parts of speech
// are WordNet's, without a tagger.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/attack/attack.h"
#include "textcrs/attack/class_words.h"
#include "textcrs/attack/universal_trigger.h"
#include "textcrs/attack/word_synonyms.h"
#include "textcrs/base/api.h"
#include "textcrs/engine/masked_words.h"
#include "textcrs/engine/sentence_encoder.h"
#include "textcrs/text/parts_of_speech.h"

namespace TEXTCRS_API textcrs {

// Words an attack may delete and insert, together.
struct EditBudget {
  size_t lost = 0, gained = 0;
};
// Of a text by its words and its example; empty: nothing is known of it, and it is left alone.
using EditBudgets =
    std::function<std::vector<EditBudget>(const std::vector<std::string>& words, uint32_t example)>;
// Another text to put in this one's place, or the same.
using TextProposal = std::function<std::vector<std::string>(const std::vector<std::string>& words,
                                                            uint32_t example)>;

// What recipes are made of. What a recipe does not ask for (RecipeNeeds) may be null; what it does
// must outlive the attack.
struct RecipeParts {
  const WordSynonyms* replacements = nullptr;  // by word vectors
  const WordSynonyms* synonyms = nullptr;      // of WordNet
  const PartsOfSpeech* parts_of_speech = nullptr;
  const SentenceEncoder* encoder = nullptr;
  const MaskedWords* masked_words = nullptr;
  const ClassWords* class_words = nullptr;
  std::vector<std::string> phrase = {};  // universal-trigger
  EditBudgets budgets = {};              // frontier
  TextProposal worst = {};               // worst-case
};

struct RecipeNeeds {
  bool replacements = false, synonyms = false, parts_of_speech = false, encoder = false,
       masked_words = false, class_words = false, phrase = false, budgets = false, worst = false;
  // Of the replacements: how many, and the least cosine similarity.
  int candidates = 50;
  double cosine = 0.5;
  TriggerOptions trigger = {};  // of the phrase
};

// A usage Error for an unknown recipe, parameter or value.
RecipeNeeds needs_of(std::string_view recipe);
// The spec with all its parameters: what an attack's results depend on.
std::string full_spec(std::string_view recipe);
// The same, and std::logic_error for a part that is needed and null.
Attack make_attack(std::string_view recipe, const RecipeParts& parts, const AttackLimits& limits);

struct RecipeKind {
  std::string name;     // textfooler
  std::string usage;    // textfooler:candidates=50,cosine=0.5,similarity=0.84,window=15
  std::string summary;  // one line in plain words
};
const std::vector<RecipeKind>& recipe_kinds();

}  // namespace textcrs
