// Deletion noise with the order kept: docs/certificates.md, B1 and B2.
#include "certify/certificates.h"
#include "certify/edit_frontier.h"
#include "certify/other_words.h"
#include "textcrs/noise/parameters.h"

namespace textcrs {
namespace {

class TextUnderDeletion final : public TextCertificate {
 public:
  TextUnderDeletion(Text text, double p, OtherWords others)
      : TextCertificate(text),
        others_(others),
        read_(others.of(text)),
        frontiers_(p, static_cast<int>(read_.size())) {}

 private:
  CertifiedSet promise(Bounds bounds) const override {
    CertifiedSet set;
    add_edit_guarantees(frontiers_.at(bounds), words(), set);
    others_.name_in(set);
    return set;
  }

  Coverage compare(Bounds bounds, Text edited) const override {
    if (same_text(text(), edited)) return the_same_text(Operation::kEdit);
    const Difference difference = ordered_difference(read_, others_.of(edited));
    if (difference.none()) return other_stop_words();
    return compare_edit(frontiers_.at(bounds), difference, others_.leaves_words_out());
  }

  OtherWords others_;
  std::vector<WordId> read_;  // the text without its stop words
  EditFrontiers frontiers_;   // of these words
};

class DeletionCertificate final : public Certificate {
 public:
  DeletionCertificate(std::string noise, double p, OtherWords others)
      : Certificate(CertificateMode::kSound, std::move(noise)), p_(p), others_(others) {}

  std::vector<Operation> operations() const override {
    return {kEditOperations.begin(), kEditOperations.end()};
  }

 private:
  TextCertificatePtr read(Text text) const override {
    return std::make_unique<TextUnderDeletion>(text, p_, others_);
  }

  double p_;  // probability that a word is deleted, unless it is a stop word
  OtherWords others_;
};

}  // namespace

CertificatePtr sound_deletion(const CertificateRequest& request) {
  const DeletionParameters noise = DeletionParameters::parse(request.spec);
  if (noise.shuffled) return sound_universal(request);
  return std::make_unique<DeletionCertificate>(
      request.text, sampled_probability(noise.p),
      OtherWords(noise.stop_words_of(request.context.vocabulary)));
}

}  // namespace textcrs
