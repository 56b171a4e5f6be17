#include "certify/embedding_coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "textcrs/base/error.h"
#include "textcrs/certify/embedding_change.h"

namespace textcrs {
namespace {

bool same_words(std::span<const WordId> text, std::span<const WordId> edited) {
  std::vector<WordId> a(text.begin(), text.end()), b(edited.begin(), edited.end());
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  return a == b;
}

const char* operation(std::span<const WordId> text, std::span<const WordId> edited) {
  if (same_words(text, edited)) return "reordering";
  if (text.size() == edited.size()) return "substitution";
  return edited.size() > text.size() ? "insertion" : "deletion";
}

}  // namespace

Coverage embedding_coverage(const Embeddings* embeddings, int slots, double radius,
                            std::span<const WordId> text, std::span<const WordId> edited) {
  const char* const name = operation(text, edited);
  if (std::isinf(radius)) return {true, name, "the votes are unanimous: the radius is unlimited"};
  const auto seen = [&](std::span<const WordId> words) {
    return words.first(std::min(words.size(), static_cast<size_t>(slots)));
  };
  if (same_words(seen(text), seen(edited)))
    return {true, name, fmt::format("the {} slots hold the same words", slots)};
  if (!embeddings)
    throw usage_error("covers: the words' vectors are needed to measure the embedding change");
  const double change = EmbeddingChange(*embeddings, slots).distance(text, edited);
  return {
      change <= radius, name,
      fmt::format("the embeddings change by {:.4g} (l2), the radius is {:.4g}", change, radius)};
}

}  // namespace textcrs
