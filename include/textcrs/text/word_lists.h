// Lists of words in files, and those that are built in.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/text/vocabulary.h"

namespace TEXTCRS_API textcrs {

// canonical.txt: UTF-8, one cluster per line, its words with a space between them, the first one
// first. A bad_input Error for a cluster of less than two words.
void save_clusters(const std::filesystem::path& path, const Clusters& clusters);
Clusters load_clusters(const std::filesystem::path& path);

// stop_words.txt, and a list of one's own: UTF-8, one word per line. Empty lines are left out; a
// bad_input Error for a word with white space in it, for one that comes twice and for no word at
// all.
void save_stop_words(const std::filesystem::path& path, const StopWords& stop_words);
StopWords load_stop_words(const std::filesystem::path& path, std::string name);

// The list that a spec names: "english", or a file. A usage Error for neither.
StopWords find_stop_words(const std::string& list);
// What it is called from then on: "english", or the name of the file without folders and extension.
// A usage Error for a name of other characters than letters, digits, '-' and '_', and for a file
// that is called as a built-in list.
std::string stop_list_name(std::string_view list);

// Function words of English: articles, pronouns, prepositions, conjunctions, auxiliary verbs and
// a few adverbs, as tokenize() spells them. Negations (not, no, never, nor, without, ..) and words
// that compare or limit (but, only, too, very, more, most, ..) are not on it: they turn meanings.
const std::vector<std::string>& english_stop_words();

}  // namespace textcrs
