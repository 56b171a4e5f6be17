// The edits that attacks propose. What is pointed to must outlive the transformation.
#pragma once

#include <memory>

#include "textcrs/attack/attack.h"
#include "textcrs/attack/word_synonyms.h"
#include "textcrs/engine/masked_words.h"

namespace textcrs {

// The word replaced by each of its synonyms.
std::unique_ptr<const Transformation> make_synonym_replacement(const WordSynonyms& synonyms);

// The word deleted.
std::unique_ptr<const Transformation> make_word_deletion();

// The word and another one, chosen at random, in each other's place.
std::unique_ptr<const Transformation> make_word_swap();

// In front of the word a synonym, chosen at random, of a word of the text that has some.
std::unique_ptr<const Transformation> make_synonym_insertion(const WordSynonyms& synonyms);

// In front of the word each of the `count` words that fit there best.
std::unique_ptr<const Transformation> make_masked_insertion(const MaskedWords& masked, int count);

}  // namespace textcrs
