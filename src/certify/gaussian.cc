// Gaussian noise on the words' vectors, in place: docs/certificates.md, B14.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "certify/by_bounds.h"
#include "certify/certificates.h"
#include "certify/embedding_coverage.h"
#include "certify/gaussian_radius.h"
#include "certify/squared_distance.h"
#include "certify/text_difference.h"
#include "textcrs/base/counted.h"
#include "textcrs/noise/parameters.h"

namespace textcrs {
namespace {

// How far a word's candidates lie from it. Thread-safe.
class FarthestCandidates {
 public:
  // Both must outlive it.
  FarthestCandidates(const SynonymTable& candidates, const Embeddings& embeddings)
      : candidates_(candidates), embeddings_(embeddings) {}

  const std::string& source() const { return candidates_.source(); }
  int dimension() const { return embeddings_.dimension; }
  // A text's own words have none: the table is about the words of the vocabulary.
  bool any(WordId word) const { return !candidates_.of(word).empty(); }

  // The largest squared_distance() of a word that has candidates from one of them.
  double squared(WordId word) const {
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = found_.try_emplace(word, 0.0);
    if (is_new)
      for (const WordId other : candidates_.of(word))
        place->second = std::max(place->second, squared_distance(vector(word), vector(other)));
    return place->second;
  }

 private:
  std::span<const float> vector(WordId word) const {
    if (!embeddings_.has(word))
      throw std::logic_error(fmt::format("gaussian: word {} has no vector", word));
    return embeddings_.of(word);
  }

  const SynonymTable& candidates_;
  const Embeddings& embeddings_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<WordId, double> found_;  // guarded by mutex_
};

class TextUnderGaussian final : public TextCertificate {
 public:
  // Without candidates the radius is a distance.
  TextUnderGaussian(Text text, double sigma, const CertificateContext& context,
                    const FarthestCandidates* candidates)
      : TextCertificate(text), sigma_(sigma), context_(context), candidates_(candidates) {}

 private:
  CertifiedSet promise(Bounds bounds) const override {
    const double radius = gaussian_radius(sigma_, bounds);
    CertifiedSet set;
    if (candidates_ == nullptr) {
      set.guarantees.push_back({Operation::kSubstitution, kUnitEmbedding, radius});
      return set;
    }
    set.candidates = candidates_->source();
    set.replaceable = static_cast<int>(std::count_if(
        text().begin(), text().end(), [&](WordId word) { return candidates_->any(word); }));
    set.guarantees.push_back(
        {Operation::kSubstitution, kUnitWords,
         static_cast<double>(counts_.at(bounds, [&] { return most_replaced(radius); }))});
    return set;
  }

  Text seen(Text of) const { return of.cut(static_cast<size_t>(context_.slots)); }

  // The largest R such that any R words may be replaced: the R that have the farthest candidates
  // move the text by at most the radius. Words beyond the slots are not seen, and words without
  // candidates can not be replaced, so neither counts; all words if no more are left. Four times
  // the terms: compare() adds up the same squares in another order, and never finds more.
  int most_replaced(double radius) const {
    std::vector<double> squares;
    for (const WordId word : seen(text()))
      if (candidates_->any(word)) squares.push_back(candidates_->squared(word));
    std::sort(squares.begin(), squares.end(), std::greater<>());
    double sum = 0;
    for (size_t replaced = 0; replaced < squares.size(); ++replaced) {
      sum += squares[replaced];
      if (distance_up(sum, candidates_->dimension(), 4 * squares.size()) > radius)
        return static_cast<int>(replaced);
    }
    return words();
  }

  // The distance is measured from above and the radius lies strictly below the exact bound. Nothing
  // is known of a text of which the model sees another number of words, even if all votes agree.
  Coverage compare(Bounds bounds, Text edited) const override {
    constexpr Operation kOperation = Operation::kSubstitution;
    const Text before = seen(text()), after = seen(edited);
    if (before.size() != after.size())
      return {false, kOperation,
              fmt::format("the model sees {} of the text and {} of the edited one; this noise only "
                          "covers words replaced in place",
                          counted(before.size(), "word"), after.size())};
    if (same_text(before, after))
      return {true, kOperation, "the model sees the same words in the same places"};
    const double radius = gaussian_radius(sigma_, bounds);
    if (std::isinf(radius))
      return {true, kOperation, "the votes are unanimous: the radius is unlimited"};
    const double change = distance(before, after);
    return {
        change <= radius, kOperation,
        fmt::format("the embeddings change by {:.4g} (l2), the radius is {:.4g}", change, radius)};
  }

  double distance(Text before, Text after) const {
    const std::vector<float> own = own_rows(context_, before, after);
    const Embeddings embeddings{context_.embeddings->rows, context_.embeddings->dimension, own};
    double squares = 0;
    size_t terms = 0;
    for (size_t i = 0; i < before.size(); ++i) {
      if (before[i] == after[i]) continue;
      if (!embeddings.has(before[i]) || !embeddings.has(after[i]))
        throw std::logic_error("covers: a word has no vector");
      ++terms;
      squares += squared_distance(embeddings.of(before[i]), embeddings.of(after[i]));
    }
    return distance_up(squares, embeddings.dimension, terms);
  }

  double sigma_;
  const CertificateContext& context_;
  const FarthestCandidates* candidates_;  // may be null
  ByBounds<int> counts_;
};

class GaussianCertificate final : public Certificate {
 public:
  GaussianCertificate(std::string noise, double sigma, const CertificateContext& context,
                      const SynonymTable* candidates)
      : Certificate(CertificateMode::kSound, std::move(noise)), sigma_(sigma), context_(context) {
    if (candidates != nullptr) candidates_.emplace(*candidates, *context.embeddings);
  }

  std::vector<Operation> operations() const override { return {Operation::kSubstitution}; }
  bool reads_words() const override { return candidates_.has_value(); }
  bool reads_slots() const override { return true; }

 private:
  TextCertificatePtr read(Text text) const override {
    return std::make_unique<TextUnderGaussian>(text, sigma_, context_,
                                               candidates_ ? &*candidates_ : nullptr);
  }

  double sigma_;
  CertificateContext context_;
  std::optional<FarthestCandidates> candidates_;
};

}  // namespace

CertificatePtr sound_gaussian(const CertificateRequest& request) {
  const CertificateContext& context = request.context;
  const double sigma = GaussianParameters::parse(request.spec).certified_sigma();
  const SynonymTable* candidates =
      context.candidates != nullptr ? context.candidates : context.synonyms;
  if (candidates != nullptr && candidates->size() == 0) candidates = nullptr;
  if (candidates != nullptr && context.embeddings == nullptr)
    request.spec.fail("its sound certificate of candidates needs the words' vectors");
  return std::make_unique<GaussianCertificate>(request.text, sigma, context, candidates);
}

}  // namespace textcrs
