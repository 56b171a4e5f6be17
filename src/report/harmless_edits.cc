#include "report/harmless_edits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/safe_decimals.h"

namespace textcrs {
namespace {

std::string participle(Operation operation) {
  if (operation == Operation::kDeletion) return "deleted";
  return operation == Operation::kInsertion ? "inserted" : "replaced";
}

std::string words_inserted(double radius) {
  return radius == 1 ? "any one word inserted" : fmt::format("up to {:.0f} words inserted", radius);
}

std::string words_changed(double radius, size_t words, Operation operation) {
  if (words == 1) return "its only word " + participle(operation);
  const std::string how_many = radius == 1 ? "any one" : fmt::format("up to {:.0f}", radius);
  return fmt::format("{} of its {} words {}", how_many, words, participle(operation));
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

// One guarantee that counts words and has a positive radius.
std::string of_words(const Guarantee& guarantee, const CertifiedSet& set, size_t words) {
  const auto& [operation, unit, radius] = guarantee;
  if (operation == Operation::kEdit) {
    if (std::isinf(radius)) return "any edits";
    return radius == 1 ? "any one edit" : fmt::format("up to {:.0f} edits of any kind", radius);
  }
  if (std::isinf(radius)) return "any words " + participle(operation);
  if (operation == Operation::kInsertion) return words_inserted(radius);
  if (operation == Operation::kSubstitution && !set.candidates.empty())
    return replaced_by_candidates(radius, set);
  return words_changed(radius, words, operation);
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

}  // namespace

std::string harmless_edits(const CertifiedSet& set, size_t words) {
  if (!set.certified) return "";
  const bool any_order = std::isinf(set.radius(Operation::kReordering));
  const double mixture = set.radius(Operation::kEdit);
  std::vector<std::string> parts;
  if (!any_order) add_reorderings(set, words, parts);
  for (const Guarantee& guarantee : set.guarantees) {
    const bool included = guarantee.operation != Operation::kEdit && guarantee.radius <= mixture;
    if (guarantee.unit != kUnitWords || guarantee.radius == 0 || included ||
        is_vacuous(guarantee, set))
      continue;
    parts.push_back(of_words(guarantee, set, words));
  }
  if (std::string part = of_embeddings(set); !part.empty()) parts.push_back(std::move(part));
  if (parts.empty()) return any_order ? "in any word order" : "";
  return fmt::format("{} {}", any_order ? "in any word order, even with" : "with",
                     fmt::join(parts, ", or "));
}

std::string no_harmless_edits(const CertifiedSet& set) {
  if (set.candidates.empty() || set.replaceable > 0) return "; no number of edits is certified";
  return fmt::format(": no word of it has candidates (the model's, from {})", set.candidates);
}

}  // namespace textcrs
