#pragma once

#include <memory>

#include "textcrs/attack/target.h"

namespace textcrs {

// A model under a finite noise: the shares of all its outcomes' votes. Empty copies, which cast
// none, are shared out evenly, so that the answer is that of the certificate.
std::unique_ptr<AttackTarget> make_counted_target(std::shared_ptr<const Classifier> classifier,
                                                  std::unique_ptr<const Engine> engine,
                                                  std::unique_ptr<const Noise> noise,
                                                  int examples_at_once);

}  // namespace textcrs
