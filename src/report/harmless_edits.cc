#include "report/harmless_edits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/safe_decimals.h"

namespace textcrs {
namespace {

// What a text is made of, and a guarantee counts.
struct Unit {
  const char* one;
  const char* many;
  const char* replaced;
  const char* any_order;

  static const Unit& of(const Guarantee& guarantee) {
    static const Unit words = {"word", "words", "replaced", "in any word order"};
    static const Unit sentences = {"sentence", "sentences", "rewritten",
                                   "in any order of its sentences"};
    return guarantee.unit == kUnitSentences ? sentences : words;
  }
  // Of the guarantees that count units; all count the same.
  static const Unit& of(const CertifiedSet& set) {
    for (const Guarantee& guarantee : set.guarantees)
      if (guarantee.unit == kUnitSentences) return of(guarantee);
    return of(Guarantee());
  }
};

bool counts_units(const Guarantee& guarantee) {
  return guarantee.unit == kUnitWords || guarantee.unit == kUnitSentences;
}

std::string participle(Operation operation, const Unit& unit = Unit::of(Guarantee())) {
  if (operation == Operation::kDeletion) return "deleted";
  return operation == Operation::kInsertion ? "inserted" : unit.replaced;
}

std::string units_inserted(double radius, const Unit& unit) {
  return radius == 1 ? fmt::format("any one {} inserted", unit.one)
                     : fmt::format("up to {:.0f} {} inserted", radius, unit.many);
}

std::string units_changed(double radius, size_t units, Operation operation, const Unit& unit) {
  if (units == 1) return fmt::format("its only {} {}", unit.one, participle(operation, unit));
  const std::string how_many = radius == 1 ? "any one" : fmt::format("up to {:.0f}", radius);
  return fmt::format("{} of its {} {} {}", how_many, units, unit.many, participle(operation, unit));
}

// A mixture of edits, with a positive radius.
std::string units_edited(const Guarantee& guarantee) {
  const double radius = guarantee.radius;
  if (std::isinf(radius)) return "any edits";
  if (guarantee.unit == kUnitSentences)  // an edit of a word may touch several
    return radius == 1
               ? "any one sentence rewritten, inserted or deleted"
               : fmt::format("up to {:.0f} sentences rewritten, inserted or deleted", radius);
  return radius == 1 ? "any one edit" : fmt::format("up to {:.0f} edits of any kind", radius);
}

// The words that have candidates, replaced by them; there is at least one such word.
std::string replaced_by_candidates(double radius, const CertifiedSet& set) {
  const double most = std::min<double>(radius, set.replaceable);
  std::string said = "its only word that has candidates";
  if (set.replaceable > 1)
    said = fmt::format("{} of its {} words that have candidates",
                       most == 1 ? "any one" : fmt::format("up to {:.0f}", most), set.replaceable);
  return fmt::format("{} replaced{} by one of its own (the model's, from {})", said,
                     most == 1 ? "" : ", each", set.candidates);
}

// One guarantee that counts units and has a positive radius.
std::string of_units(const Guarantee& guarantee, const CertifiedSet& set, size_t units) {
  const Unit& unit = Unit::of(guarantee);
  const Operation operation = guarantee.operation;
  const double radius = guarantee.radius;
  if (operation == Operation::kEdit) return units_edited(guarantee);
  if (operation == Operation::kSubstitution && !set.candidates.empty())
    return replaced_by_candidates(radius, set);
  if (std::isinf(radius)) return fmt::format("any {} {}", unit.many, participle(operation, unit));
  if (operation == Operation::kInsertion) return units_inserted(radius, unit);
  return units_changed(radius, units, operation, unit);
}

// Of a substitution by candidates that no word has.
bool is_vacuous(const Guarantee& guarantee, const CertifiedSet& set) {
  return guarantee.operation == Operation::kSubstitution && !set.candidates.empty() &&
         set.replaceable == 0;
}

// The guarantees in embedding space, which share one radius; empty if there are none.
std::string of_embeddings(const CertifiedSet& set) {
  std::vector<std::string> operations;
  double radius = kUnlimited;
  for (const Guarantee& guarantee : set.guarantees) {
    if (guarantee.unit != kUnitEmbedding || guarantee.operation == Operation::kReordering) continue;
    operations.push_back(participle(guarantee.operation));
    radius = std::min(radius, guarantee.radius);
  }
  if (operations.empty() || radius == 0) return "";
  std::string words = "words " + operations[0];
  for (size_t i = 1; i < operations.size(); ++i)
    words += (i + 1 < operations.size() ? ", " : " or ") + operations[i];
  if (std::isinf(radius)) return "any " + words;
  return fmt::format("{} that move the text by up to {} in embedding space", words,
                     rounded_down(radius, 3));
}

// Reorderings up to a limit, by their displacement and inside a window.
void add_reorderings(const CertifiedSet& set, size_t words, std::vector<std::string>& parts) {
  const double moved = set.radius(Operation::kReordering);
  if (moved > 0)
    parts.push_back(
        fmt::format("its {} words moved by up to {} places in all", words, rounded_down(moved, 6)));
  const int farthest = set.window * set.window / 2;  // what turning the window round moves
  if (set.window > 1 && farthest > moved)
    parts.push_back(fmt::format("one run of {} neighbouring words reordered", set.window));
}

// Every word replaced by one of its candidates, and edits on top.
std::string beside_synonyms(const CertifiedSet& set) {
  const double edits = *set.edits_beside_synonyms;
  const std::string all =
      fmt::format("every word replaced by any of its candidates ({})", set.synonyms);
  if (edits == 0) return all;
  if (std::isinf(edits)) return all + " and any edits on top";
  return fmt::format("{} and {} on top", all,
                     edits == 1 ? "any one edit" : fmt::format("up to {:.0f} edits", edits));
}

}  // namespace

std::string harmless_edits(const CertifiedSet& set, size_t words) {
  if (!set.certified) return "";
  const bool any_order = std::isinf(set.radius(Operation::kReordering));
  const double mixture = set.radius(Operation::kEdit);
  std::vector<std::string> parts;
  if (!any_order) add_reorderings(set, words, parts);
  for (const Guarantee& guarantee : set.guarantees) {
    const bool included = guarantee.operation != Operation::kEdit && guarantee.radius <= mixture;
    if (!counts_units(guarantee) || guarantee.radius == 0 || included || is_vacuous(guarantee, set))
      continue;
    parts.push_back(of_units(guarantee, set, words));
  }
  if (std::string part = of_embeddings(set); !part.empty()) parts.push_back(std::move(part));
  if (set.edits_beside_synonyms) parts.push_back(beside_synonyms(set));
  const std::vector<std::string> free = set.free_edits();
  const std::string order = any_order ? Unit::of(set).any_order : "";
  if (parts.empty() && free.empty()) return order;
  const std::string counted = fmt::format("{}", fmt::join(parts, ", or "));
  const std::string besides = fmt::format("{}", fmt::join(free, ", and besides "));
  return fmt::format("{} {}{}{}", any_order ? order + ", even with" : "with", counted,
                     parts.empty() || free.empty() ? "" : ", and besides ", besides);
}

std::string no_harmless_edits(const CertifiedSet& set) {
  if (set.candidates.empty() || set.replaceable > 0) return "; no number of edits is certified";
  return fmt::format(": no word of it has candidates (the model's, from {})", set.candidates);
}

}  // namespace textcrs
