// Deletion noise followed by a full shuffle: docs/certificates.md, B3.
#include "certify/certificates.h"
#include "certify/edit_frontier.h"
#include "certify/other_words.h"
#include "textcrs/noise/parameters.h"

namespace textcrs {
namespace {

class TextUnderUniversal final : public TextCertificate {
 public:
  TextUnderUniversal(Text text, double p, OtherWords others)
      : TextCertificate(text),
        others_(others),
        read_(others.of(text)),
        frontiers_(p, static_cast<int>(read_.size())) {}

 private:
  CertifiedSet promise(Bounds bounds) const override {
    CertifiedSet set;
    set.guarantees.push_back({Operation::kReordering, kUnitDisplacement, kUnlimited});
    add_edit_guarantees(frontiers_.at(bounds), words(), set);
    others_.name_in(set);
    return set;
  }

  Coverage compare(Bounds bounds, Text edited) const override {
    if (same_text(text(), edited)) return the_same_text(Operation::kReordering);
    if (multiset_difference(text(), edited).none()) return another_order(Operation::kReordering);
    const Difference difference = multiset_difference(read_, others_.of(edited));
    if (difference.none()) return other_stop_words();
    return compare_edit(frontiers_.at(bounds), difference, others_.leaves_words_out());
  }

  OtherWords others_;
  std::vector<WordId> read_;  // the text without its stop words
  EditFrontiers frontiers_;   // of these words
};

class UniversalCertificate final : public Certificate {
 public:
  UniversalCertificate(std::string noise, double p, OtherWords others)
      : Certificate(CertificateMode::kSound, std::move(noise)), p_(p), others_(others) {}

  std::vector<Operation> operations() const override {
    std::vector<Operation> all = {Operation::kReordering};
    all.insert(all.end(), kEditOperations.begin(), kEditOperations.end());
    return all;
  }

 private:
  TextCertificatePtr read(Text text) const override {
    return std::make_unique<TextUnderUniversal>(text, p_, others_);
  }

  double p_;  // probability that a word is deleted, unless it is a stop word
  OtherWords others_;
};

}  // namespace

CertificatePtr sound_universal(const CertificateRequest& request) {
  const DeletionParameters noise = DeletionParameters::parse(request.spec);
  return std::make_unique<UniversalCertificate>(
      request.text, sampled_probability(noise.p),
      OtherWords(noise.stop_words_of(request.context.vocabulary)));
}

}  // namespace textcrs
