// The common irregular forms of English, which WordNet knows by lists that not every copy has.
#pragma once

#include <string_view>

namespace textcrs {

// "begin began begun; bend bent": a lemma and its forms, for each word.
std::string_view irregular_nouns();
std::string_view irregular_verbs();
std::string_view irregular_adjectives();
std::string_view irregular_adverbs();

}  // namespace textcrs
