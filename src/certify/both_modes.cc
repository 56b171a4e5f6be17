#include "certify/both_modes.h"

#include "textcrs/base/error.h"

namespace textcrs {

BothModes::BothModes(Text text, const Certificate* sound, const Certificate* paper) {
  if (text.empty()) throw usage_error("the text has no words, expected at least 1");
  if (sound != nullptr) sound_ = sound->for_text(text);
  if (paper != nullptr) paper_ = paper->for_text(text);
}

void BothModes::conclude(Certification& result) const {
  result.abstained = result.bounds.pa <= result.bounds.pb;
  if (result.abstained) return;
  if (sound_) result.sound = sound_->certify(result.bounds);
  if (paper_) result.paper = paper_->certify(result.bounds);
}

}  // namespace textcrs
