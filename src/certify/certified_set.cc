#include "textcrs/certify/certified_set.h"

#include <fmt/format.h>

namespace textcrs {
namespace {

std::string count(double n, const char* participle) {
  return fmt::format("up to {:.0f} {} word{}", n, participle, n == 1 ? "" : "s");
}

// One guarantee with a positive, finite radius.
std::string limited(const Guarantee& guarantee) {
  const auto& [operation, unit, radius] = guarantee;
  if (unit == kUnitDisplacement)
    return fmt::format("reorderings that move the words by up to {:.6g} places in all", radius);
  if (unit == kUnitRanks)
    return fmt::format("synonym substitutions of up to {:.6g} ranks in all", radius);
  if (operation == "deletion") return count(radius, "deleted");
  if (operation == "insertion") return count(radius, "inserted");
  if (operation == "substitution") return count(radius, "substituted");
  return fmt::format("any mixture of up to {:.0f} edit{}", radius, radius == 1 ? "" : "s");
}

}  // namespace

const Guarantee* CertifiedSet::find(std::string_view operation) const {
  for (const Guarantee& guarantee : guarantees)
    if (guarantee.operation == operation) return &guarantee;
  return nullptr;
}

double CertifiedSet::radius(std::string_view operation) const {
  const Guarantee* guarantee = certified ? find(operation) : nullptr;
  return guarantee ? guarantee->radius : 0;
}

std::string CertifiedSet::in_words() const {
  if (!certified) return "nothing";
  bool any_order = false;
  std::vector<std::string> parts;
  std::vector<std::string> embedded;  // operations that share one l2 radius
  double embedding_radius = 0;
  for (const Guarantee& guarantee : guarantees) {
    if (guarantee.radius == 0) continue;
    if (guarantee.operation == "reordering" && guarantee.radius == kUnlimited) {
      any_order = true;
    } else if (guarantee.unit == kUnitEmbedding) {
      embedded.push_back(guarantee.operation);
      embedding_radius = guarantee.radius;
    } else if (guarantee.radius == kUnlimited) {
      parts.push_back("any " + guarantee.operation);
    } else if (guarantee.operation == "substitution" && !candidates.empty()) {
      parts.push_back(fmt::format("{}, each by one of its candidates ({})",
                                  count(guarantee.radius, "substituted"), candidates));
    } else {
      parts.push_back(limited(guarantee));
    }
  }
  if (!embedded.empty() && embedding_radius == kUnlimited)
    parts.push_back(fmt::format("any {}", fmt::join(embedded, " or ")));
  else if (!embedded.empty())
    parts.push_back(fmt::format("any {} that changes the embeddings by up to {:.6g} (l2)",
                                fmt::join(embedded, " or "), embedding_radius));
  if (window > 1 && !any_order)
    parts.push_back(fmt::format("any reordering inside one window of {} words", window));
  const std::string rest = fmt::format("{}", fmt::join(parts, ", or "));
  if (any_order) return rest.empty() ? "any reordering" : "any reordering, together with " + rest;
  return rest.empty() ? "the text as it is" : rest;
}

}  // namespace textcrs
