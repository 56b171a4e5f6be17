#include "text/abbreviations.h"

#include <algorithm>
#include <array>

namespace textcrs {
namespace {

constexpr auto kTitles = std::to_array<std::string_view>(
    {"adm",  "capt", "cf",  "cmdr", "col",    "cpl",  "dr",   "eg",  "esp", "gen", "gov", "hon",
     "ie",   "insp", "lt",  "maj",  "messrs", "mlle", "mme",  "mr",  "mrs", "ms",  "mx",  "ph",
     "pres", "prof", "rep", "rev",  "sen",    "sgt",  "supt", "viz", "vs",  "www"});
constexpr auto kNumbered = std::to_array<std::string_view>(
    {"apr", "aug", "ch",  "dec", "ep",  "eps", "feb", "fig", "figs", "jan", "jul", "jun",
     "mar", "no",  "nos", "nov", "oct", "op",  "pg",  "pp",  "sept", "sep", "vol", "vols"});
constexpr auto kNames = std::to_array<std::string_view>(
    {"assn", "ave", "blvd", "bros", "co", "corp", "dept", "esq", "est", "ft", "inc", "jr", "ltd",
     "mt", "pt", "sr", "st", "univ"});
constexpr auto kEndsOfListings = std::to_array<std::string_view>({"al", "approx", "etc", "incl"});

constexpr auto kStarters = std::to_array<std::string_view>(
    {"a",     "after", "all",   "also",  "although", "an",    "and",   "as",     "at",   "but",
     "by",    "did",   "do",    "does",  "each",     "even",  "every", "for",    "from", "he",
     "her",   "here",  "his",   "how",   "however",  "i",     "if",    "in",     "is",   "it",
     "its",   "just",  "many",  "maybe", "most",     "my",    "not",   "now",    "on",   "one",
     "or",    "our",   "she",   "since", "so",       "some",  "still", "such",   "that", "the",
     "their", "then",  "there", "these", "they",     "this",  "those", "though", "to",   "was",
     "we",    "well",  "were",  "what",  "when",     "where", "which", "while",  "who",  "why",
     "with",  "yes",   "yet",   "you",   "your"});

constexpr auto kDomains =
    std::to_array<std::string_view>({"co", "com", "edu", "gov", "info", "net", "org"});

template <size_t n>
bool holds(const std::array<std::string_view, n>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

Abbreviation abbreviation(std::string_view word) {
  if (holds(kTitles, word)) return Abbreviation::kTitle;
  if (holds(kNumbered, word)) return Abbreviation::kNumbered;
  if (holds(kNames, word)) return Abbreviation::kName;
  if (holds(kEndsOfListings, word)) return Abbreviation::kEndOfAListing;
  return Abbreviation::kNone;
}

bool starts_sentences(std::string_view word) { return holds(kStarters, word); }

bool is_top_level_domain(std::string_view word) { return holds(kDomains, word); }

}  // namespace textcrs
