// How attacks choose among the edits that are proposed. What is pointed to must outlive the search.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "textcrs/attack/attack.h"
#include "textcrs/attack/class_words.h"
#include "textcrs/attack/recipes.h"

namespace textcrs {

// The places of the text once, those first whose word the answer needs most (its deletion brings
// the goal nearest); at each the best edit, if it brings the goal nearer.
std::unique_ptr<const Search> make_ranked_search();

// Steps of `proposals` edits, each at a random place, of which the best is made; ends when
// `patience` steps in a row have brought nothing nearer.
std::unique_ptr<const Search> make_random_search(size_t proposals, size_t patience);

// Deletes the words that the answer needs least, each if the answer holds without it, until no more
// than `words` are left, or none can go.
std::unique_ptr<const Search> make_reduction_search(size_t words);

// Words that speak for other classes behind the text, of `candidates` those that turn it most,
// until the goal is reached.
std::unique_ptr<const Search> make_appending_search(const ClassWords& words, size_t candidates);

// A phrase in front of the text, if that brings the goal nearer.
std::unique_ptr<const Search> make_phrase_search(std::vector<std::string> phrase);

// The text that somebody else proposes, if that is nearer to the goal.
std::unique_ptr<const Search> make_proposal_search(TextProposal proposal);

// For each budget of the text: as many words deleted as it says, those the answer needs most, and
// as many inserted, of `candidates` that speak for other classes the one that turns the text most,
// or the best ones. With `beyond`, budgets of more and more words lost and gained follow, up to the
// text's own length, until the goal is reached.
std::unique_ptr<const Search> make_frontier_search(EditBudgets budgets, const ClassWords& words,
                                                   size_t candidates, bool beyond);

}  // namespace textcrs
