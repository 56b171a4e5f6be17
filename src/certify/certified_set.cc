#include "textcrs/certify/certified_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/safe_decimals.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

constexpr int kDigits = 6;  // of a continuous radius

std::string count(double n, const char* participle, const std::string& unit) {
  const std::string_view noun = unit == kUnitSentences ? "sentence" : "word";
  return fmt::format("up to {:.0f} {} {}{}", n, participle, noun, n == 1 ? "" : "s");
}

// One guarantee with a positive, finite radius.
std::string limited(const Guarantee& guarantee) {
  const auto& [operation, unit, radius] = guarantee;
  if (unit == kUnitDisplacement)
    return fmt::format("reorderings that move the words by up to {} places in all",
                       rounded_down(radius, kDigits));
  if (unit == kUnitRanks)
    return fmt::format("synonym substitutions of up to {} ranks in all",
                       rounded_down(radius, kDigits));
  if (operation == Operation::kDeletion) return count(radius, "deleted", unit);
  if (operation == Operation::kInsertion) return count(radius, "inserted", unit);
  if (operation == Operation::kSubstitution) return count(radius, "substituted", unit);
  return fmt::format("any mixture of up to {:.0f} edit{}{}", radius, radius == 1 ? "" : "s",
                     unit == kUnitSentences ? " of sentences" : "");
}

// A substitution by candidates with a positive radius; some word has candidates.
std::string by_candidates(double radius, const CertifiedSet& set) {
  if (set.replaceable == 1)
    return fmt::format("the one word that has candidates ({}) substituted by one of them",
                       set.candidates);
  return fmt::format(
      "up to {:.0f} of the {} words that have candidates ({}) substituted, each by one of its own",
      std::min<double>(radius, set.replaceable), set.replaceable, set.candidates);
}

}  // namespace

std::string_view to_string(Operation operation) {
  switch (operation) {
    case Operation::kSubstitution:
      return "substitution";
    case Operation::kReordering:
      return "reordering";
    case Operation::kInsertion:
      return "insertion";
    case Operation::kDeletion:
      return "deletion";
    case Operation::kEdit:
      break;
  }
  return "edit";
}

Operation parse_operation(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Operation operation :
       {Operation::kSubstitution, Operation::kReordering, Operation::kInsertion,
        Operation::kDeletion, Operation::kEdit}) {
    if (name == to_string(operation)) return operation;
    known.push_back(to_string(operation));
  }
  throw usage_error(
      fmt::format("operation is '{}', expected one of: {}", name, fmt::join(known, ", ")));
}

const Guarantee* CertifiedSet::find(Operation operation) const {
  for (const Guarantee& guarantee : guarantees)
    if (guarantee.operation == operation) return &guarantee;
  return nullptr;
}

double CertifiedSet::radius(Operation operation) const {
  const Guarantee* guarantee = certified ? find(operation) : nullptr;
  return guarantee ? guarantee->radius : 0;
}

std::string_view Coverage::operation_name() const {
  return operation ? to_string(*operation) : "none";
}

std::vector<std::string> CertifiedSet::free_edits() const {
  std::vector<std::string> parts;
  if (!canonical.empty())
    parts.push_back(fmt::format("any word replaced by another of its cluster ({})", canonical));
  if (!stop_list.empty())
    parts.push_back(fmt::format(
        "any number of the {} stop words of {} inserted, deleted, moved or replaced by one another",
        stop_words, stop_list));
  return parts;
}

std::string CertifiedSet::in_words() const {
  if (!certified) return "nothing";
  bool any_order = false;
  std::vector<std::string> parts;
  std::vector<std::string_view> embedded;  // operations that share one l2 radius
  double embedding_radius = 0;
  for (const Guarantee& guarantee : guarantees) {
    if (guarantee.radius == 0) continue;
    if (guarantee.operation == Operation::kReordering && guarantee.radius == kUnlimited) {
      any_order = true;
    } else if (guarantee.unit == kUnitEmbedding) {
      embedded.push_back(to_string(guarantee.operation));
      embedding_radius = guarantee.radius;
    } else if (guarantee.operation == Operation::kSubstitution && !candidates.empty()) {
      if (replaceable > 0) parts.push_back(by_candidates(guarantee.radius, *this));
    } else if (guarantee.radius == kUnlimited) {
      parts.push_back(fmt::format("any {}", to_string(guarantee.operation)));
    } else {
      parts.push_back(limited(guarantee));
    }
  }
  if (!embedded.empty() && embedding_radius == kUnlimited)
    parts.push_back(fmt::format("any {}", fmt::join(embedded, " or ")));
  else if (!embedded.empty())
    parts.push_back(fmt::format("any {} that changes the embeddings by up to {} (l2)",
                                fmt::join(embedded, " or "),
                                rounded_down(embedding_radius, kDigits)));
  if (window > 1 && !any_order)
    parts.push_back(fmt::format("any reordering inside one window of {} words", window));
  std::string all = fmt::format("{}", fmt::join(parts, ", or "));
  if (any_order) all = all.empty() ? "any reordering" : "any reordering, together with " + all;
  for (const std::string& part : free_edits()) all += (all.empty() ? "" : ", and besides ") + part;
  if (!all.empty()) return all;
  const std::string nothing = "the text as it is, but for no edit";
  if (candidates.empty() || replaceable > 0) return nothing;
  return fmt::format("{}: no word of it has candidates ({})", nothing, candidates);
}

}  // namespace textcrs
