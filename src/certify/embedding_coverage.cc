#include "certify/embedding_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "certify/text_difference.h"
#include "textcrs/base/error.h"
#include "textcrs/certify/embedding_change.h"

namespace textcrs {
namespace {

Operation looks_like(Text text, Text edited) {
  if (multiset_difference(text, edited).none()) return Operation::kReordering;
  if (text.size() == edited.size()) return Operation::kSubstitution;
  return edited.size() > text.size() ? Operation::kInsertion : Operation::kDeletion;
}

[[noreturn]] void fail_without_vectors() {
  throw usage_error("covers: the words' vectors are needed to measure the embedding change");
}

}  // namespace

std::vector<float> own_rows(const CertificateContext& context, Text text, Text edited) {
  if (context.embeddings == nullptr) fail_without_vectors();
  const auto is_own = [&](WordId word) { return word >= context.embeddings->words(); };
  const std::span<const std::string> own = own_words(text, edited);
  if (own.empty() || (std::none_of(text.begin(), text.end(), is_own) &&
                      std::none_of(edited.begin(), edited.end(), is_own)))
    return {};
  if (!context.own_vectors) fail_without_vectors();
  std::vector<float> rows = context.own_vectors(own);
  if (rows.size() != own.size() * static_cast<size_t>(context.embeddings->dimension))
    throw std::logic_error(
        fmt::format("covers: {} numbers are no vectors of {} own words", rows.size(), own.size()));
  return rows;
}

std::vector<Operation> insertion_operations() {
  std::vector<Operation> all = {Operation::kReordering};
  all.insert(all.end(), kEmbeddingOperations.begin(), kEmbeddingOperations.end());
  return all;
}

Coverage embedding_coverage(const CertificateContext& context, double radius, Text text,
                            Text edited) {
  const Operation operation = looks_like(text, edited);
  if (std::isinf(radius))
    return {true, operation, "the votes are unanimous: the radius is unlimited"};
  const auto slots = static_cast<size_t>(context.slots);
  const Text seen = text.cut(slots), seen_after = edited.cut(slots);
  if (multiset_difference(seen, seen_after).none())
    return {true, operation, fmt::format("the {} slots hold the same words", slots)};
  const std::vector<float> own = own_rows(context, seen, seen_after);
  const Embeddings embeddings{context.embeddings->rows, context.embeddings->dimension, own};
  const double change = EmbeddingChange(embeddings, context.slots).distance(seen, seen_after);
  return {
      change <= radius, operation,
      fmt::format("the embeddings change by {:.4g} (l2), the radius is {:.4g}", change, radius)};
}

}  // namespace textcrs
