// The two certificates of one text, and what every way to certify it ends with.
#pragma once

#include <memory>

#include "textcrs/certify/certifier.h"

namespace textcrs {

class BothModes {
 public:
  // Either certificate may be null; they and the text's memory must outlive this.
  BothModes(Text text, const Certificate* sound, const Certificate* paper);

  const TextCertificate* sound() const { return sound_.get(); }
  const TextCertificate* paper() const { return paper_.get(); }

  // Abstains or fills in the certified sets, as result.bounds say.
  void conclude(Certification& result) const;

 private:
  std::unique_ptr<const TextCertificate> sound_, paper_;
};

}  // namespace textcrs
