#include "textcrs/certified/default_noise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "textcrs/base/counted.h"
#include "textcrs/base/spec.h"
#include "textcrs/certify/certificate.h"

namespace textcrs {
namespace {

// docs/certificates.md, B2: b inserted words need p^b > 1/2, r substituted ones p^r > 1/2, whatever
// the votes are; deletions need no such p, so they get a milder one. On short texts a large p
// leaves empty copies.
struct Row {
  int words;         // texts of up to so many words
  double edits;      // p of `universal`
  double deletions;  // the same where only deletions count
};
constexpr Row kRows[] = {
    {5, 0.6, 0.4},
    {25, 0.7, 0.5},
    {100, 0.8, 0.6},
    {std::numeric_limits<int>::max(), 0.9, 0.7},
};

double deletion_rate(Operation aim, int words) {
  const Row& row = *std::find_if(std::begin(kRows), std::end(kRows),
                                 [&](const Row& one) { return words <= one.words; });
  return aim == Operation::kDeletion ? row.deletions : row.edits;
}

}  // namespace

NoiseChoice default_noise(Operation aim, int words) {
  if (aim == Operation::kReordering)
    return {"reorder:full", "every order of the words looks the same to it"};
  const double p = deletion_rate(aim, words);
  const double kept = (1 - p) * words, empty = std::pow(p, words);
  std::string reason = fmt::format("of {}, the median, a copy keeps about {:.{}f}",
                                   counted(words, "word"), kept, kept < 10 ? 1 : 0);
  if (empty >= 0.01) reason += fmt::format(" ({:.0f} % of the copies are empty)", 100 * empty);
  if (aim == Operation::kSubstitution)
    reason += "; it covers any word for any word, so it needs no table of synonyms";
  return {fmt::format("universal:p={}", shortest(p)), std::move(reason)};
}

std::optional<CertifiedSet> most_provable(std::string_view noise, int words, int slots,
                                          size_t classes, const CertifierOptions& options,
                                          const Vocabulary* vocabulary) {
  CertificateContext context;
  context.vocabulary = vocabulary;
  context.slots = slots;
  const std::string name = Spec::parse(noise).name();
  if (name == "substitute" || name == "hash" || name == "gaussian") return std::nullopt;
  const auto certificate = find_certificate(noise, CertificateMode::kSound, context);
  if (certificate == nullptr || certificate->reads_words() || words < 1) return std::nullopt;
  std::vector<int64_t> votes(classes);
  votes.at(0) = options.estimation_samples;
  return certificate->certify(
      class_bounds(votes, 0, options.estimation_samples, options.alpha, options.bounds), words);
}

}  // namespace textcrs
