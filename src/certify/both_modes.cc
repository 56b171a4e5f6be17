#include "certify/both_modes.h"

namespace textcrs {

BothModes::BothModes(Text text, const Certificate* sound, const Certificate* paper) {
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
