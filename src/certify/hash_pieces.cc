// The pieces of a text under T hash functions: docs/certificates.md, B9.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "certify/certificates.h"
#include "certify/rounding.h"
#include "certify/text_difference.h"
#include "textcrs/base/counted.h"
#include "textcrs/noise/parameters.h"
#include "textcrs/noise/word_hash.h"

namespace textcrs {
namespace {

class TextUnderHash final : public TextCertificate {
 public:
  TextUnderHash(Text text, HashParameters noise, const Vocabulary* vocabulary)
      : TextCertificate(text),
        buckets_(noise.buckets),
        functions_(noise.functions),
        vocabulary_(vocabulary) {}

 private:
  // The largest whole n with 2n < outcomes (pA - pB). The right side is taken from below, so n is
  // never too large.
  static int64_t most_below(int64_t outcomes, Bounds bounds) {
    const Real limit = round_down(static_cast<Real>(outcomes) * margin_down(bounds));
    return std::max<int64_t>(0, static_cast<int64_t>(std::ceil(limit / 2)) - 1);
  }

  // Certified iff the number a of words whose count changes has 2a < K (pA - pB).
  CertifiedSet promise(Bounds bounds) const override {
    const int changed = static_cast<int>(most_below(buckets_, bounds));
    const int half = changed / 2;
    CertifiedSet set;
    set.guarantees.push_back({Operation::kReordering, kUnitDisplacement, kUnlimited});
    const auto add = [&](Operation operation, int radius) {
      set.guarantees.push_back({operation, kUnitWords, static_cast<double>(radius)});
    };
    add(Operation::kDeletion, std::min(changed, words()));
    add(Operation::kInsertion, changed);
    add(Operation::kSubstitution, std::min(half, words()));
    // r edits lose at most min(r, words) words and gain at most r.
    add(Operation::kEdit, half <= words() ? half : changed - words());
    for (int lost = 0; lost <= std::min(changed, words()); ++lost)
      set.frontier.emplace_back(lost, changed - lost);
    return set;
  }

  // L4 with the very pieces that differ. A piece is its words with their numbers of occurrences, so
  // it differs iff it holds a changed word; changed words that share a piece cost one. The pieces
  // of a changed words are at most a T, so the radius is accepted as it stands: the two products
  // might round apart.
  Coverage compare(Bounds bounds, Text edited) const override {
    if (same_text(text(), edited)) return the_same_text(Operation::kReordering);
    const std::vector<WordId> changed = changed_words(text(), edited);
    if (changed.empty()) return another_order(Operation::kReordering);
    const int64_t outcomes = int64_t{functions_} * buckets_;
    const int64_t pieces = changed_pieces(changed, own_words(text(), edited));
    const int64_t most =
        std::max(most_below(outcomes, bounds), functions_ * most_below(buckets_, bounds));
    return {pieces <= most, Operation::kEdit,
            fmt::format("{}{} of {} differ{}; {} may", vocabulary_ == nullptr ? "at most " : "",
                        pieces, counted(outcomes, "piece"), pieces == 1 ? "s" : "", up_to(most))};
  }

  // Without a vocabulary every changed word counts as a piece of each function. No vocabulary has
  // more: words that it does not know fall together.
  int64_t changed_pieces(const std::vector<WordId>& changed,
                         std::span<const std::string> own) const {
    if (vocabulary_ == nullptr) return functions_ * static_cast<int64_t>(changed.size());
    std::vector<uint64_t> spelling;
    for (const WordId word : changed)
      spelling.push_back(spelling_hash(vocabulary_->word(word, own)));
    int64_t pieces = 0;
    std::vector<uint32_t> buckets(changed.size());
    for (int t = 0; t < functions_; ++t) {
      for (size_t i = 0; i < changed.size(); ++i)
        buckets[i] =
            word_bucket(spelling[i], static_cast<uint32_t>(t), static_cast<uint32_t>(buckets_));
      std::sort(buckets.begin(), buckets.end());
      pieces += std::unique(buckets.begin(), buckets.end()) - buckets.begin();
    }
    return pieces;
  }

  int buckets_;                   // K
  int functions_;                 // T
  const Vocabulary* vocabulary_;  // may be null
};

class HashCertificate final : public Certificate {
 public:
  HashCertificate(std::string noise, HashParameters parameters, const Vocabulary* vocabulary)
      : Certificate(CertificateMode::kSound, std::move(noise)),
        parameters_(parameters),
        vocabulary_(vocabulary) {}

  std::vector<Operation> operations() const override {
    return {Operation::kReordering, Operation::kDeletion, Operation::kInsertion,
            Operation::kSubstitution, Operation::kEdit};
  }

 private:
  TextCertificatePtr read(Text text) const override {
    return std::make_unique<TextUnderHash>(text, parameters_, vocabulary_);
  }

  HashParameters parameters_;
  const Vocabulary* vocabulary_;  // may be null
};

}  // namespace

CertificatePtr sound_hash(const CertificateRequest& request) {
  return std::make_unique<HashCertificate>(request.text, HashParameters::parse(request.spec),
                                           request.context.vocabulary);
}

}  // namespace textcrs
