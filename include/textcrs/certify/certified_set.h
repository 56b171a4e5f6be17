// What a certificate promises: the edits of one text that can not change the smoothed prediction.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "textcrs/base/api.h"

namespace TEXTCRS_API textcrs {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();

// A kind of edit. kEdit: any mixture of inserted, deleted and substituted words.
enum class Operation { kSubstitution, kReordering, kInsertion, kDeletion, kEdit };
std::string_view to_string(Operation operation);   // substitution, reordering, ...
Operation parse_operation(std::string_view name);  // a usage Error that names the known ones

// What a radius counts.
constexpr const char* kUnitWords = "words";
constexpr const char* kUnitSentences = "sentences";
constexpr const char* kUnitDisplacement = "l1 displacement";  // sum over words of |new - old place|
constexpr const char* kUnitEmbedding = "l2 embedding change";
constexpr const char* kUnitRanks = "l1 synonym ranks";

// One guarantee about one kind of edit, used alone: it holds up to and including the radius. An
// unlimited reordering is the exception: it comes free with every other guarantee of its set.
struct Guarantee {
  Operation operation = Operation::kEdit;
  std::string unit;   // one of the kUnit names above
  double radius = 0;  // kUnlimited: any amount
};

struct CertifiedSet {
  bool certified = false;  // false: abstain; nothing below holds
  std::vector<Guarantee> guarantees;
  // docs/certificates.md, B2, B3, B13: the maximal pairs (words lost, words gained), lost
  // ascending; every pair below one of them is certified too. Empty for the other noises.
  std::vector<std::pair<int, int>> frontier;
  // docs/certificates.md, B4: any reordering inside one window of this many neighbouring words,
  // wherever the window lies; 0 when it does not apply.
  int window = 0;
  // docs/certificates.md, B6, B14: the table of the words that may replace each other; empty for
  // the other noises.
  std::string candidates;
  // The same: how many words of the text have candidates. Nothing is promised about the others, and
  // a radius beyond this number means: all of these may be replaced.
  int replaceable = 0;
  // docs/certificates.md, B10: beside what is said above, every word may at once be replaced by any
  // of its candidates in the table `synonyms`, and so many edits of any kind made on top. No
  // number: the candidates alone may change the answer. An empty name: nothing is said of them.
  std::string synonyms;
  std::optional<double> edits_beside_synonyms;
  // docs/certificates.md, B16: beside whatever is said above, and free with it, every word may be
  // replaced by another of its cluster; the name of the clusters. Empty: there are none.
  std::string canonical;
  // docs/certificates.md, B2 and B3: beside whatever is said above, and free with it, any number of
  // the words of this list may be inserted, deleted, moved, and replaced by one another; the
  // frontier counts the other words. An empty name: there is no list.
  std::string stop_list;
  int stop_words = 0;  // on the list

  // The guarantee about an operation, nullptr if the certificate says nothing about it.
  const Guarantee* find(Operation operation) const;
  // The radius of that guarantee, 0 if there is none or the set is not certified.
  double radius(Operation operation) const;
  // What is free beside everything else, in words: "any word replaced by another of its cluster
  // (WordNet synsets, of at most 8 words)", "any number of the 160 stop words of english inserted,
  // deleted, moved or replaced by one another".
  std::vector<std::string> free_edits() const;
  // What may follow "certified for": "any reordering, together with up to 3 deleted words", "the
  // text as it is, but for no edit"; "nothing" if not certified. Candidates are counted by the
  // words that have them: "up to 2 of the 3 words that have candidates (WordNet synsets)
  // substituted, each by one of its own".
  std::string in_words() const;
};

// The answer to "is this edited text inside the certified set?" (docs/certificates.md, B8).
struct Coverage {
  bool covered = false;
  // The guarantee it was measured against; none if the bounds certify nothing.
  std::optional<Operation> operation;
  std::string why;  // one sentence with the numbers that decided

  std::string_view operation_name() const;  // "none" without one
};

}  // namespace textcrs
