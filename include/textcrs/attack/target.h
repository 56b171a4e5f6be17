// What is attacked: whatever gives the words of a text a score for each class.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/engine/engine.h"
#include "textcrs/model/classifier.h"
#include "textcrs/noise/noise.h"

namespace TEXTCRS_API textcrs {

// Const and thread-safe.
class AttackTarget {
 public:
  virtual ~AttackTarget() = default;

  virtual const std::vector<std::string>& classes() const = 0;
  // The words of a text, as the target reads it.
  virtual std::vector<std::string> words(std::string_view text) const = 0;

  // A share for each class of each text, (texts, classes), each row adding up to 1. The answer is
  // the class of the largest, ties to the lowest index. A smoothed target draws the same noise for
  // every text of an example: differences between two texts are the texts' own.
  virtual std::vector<double> scores(std::span<const std::vector<std::string>> texts,
                                     uint32_t example) const = 0;

  // Examples to attack at a time, each by a thread of its own.
  virtual int examples_at_once() const = 0;
};

// The model's own answers, without noise: the softmax of its scores; where words vote, of the
// scores in units of the strongest vote there is, or it would be 0 or 1. The engine runs the
// classifier; it uses one thread where several examples are attacked at a time. A usage Error for a
// model whose units are sentences.
std::unique_ptr<AttackTarget> make_plain_target(std::shared_ptr<const Classifier> classifier,
                                                std::unique_ptr<const Engine> engine,
                                                int examples_at_once);

// The shares of the votes of so many noisy copies, drawn from lanes of their own: certification
// with the same seed draws others. A usage Error for no copies, for a noise whose copies are
// enumerated, and for a model whose units are sentences. What the noise was made with must outlive
// the target.
struct SmoothedTargetOptions {
  uint32_t copies = 300;
  uint64_t seed = 1;
};
std::unique_ptr<AttackTarget> make_smoothed_target(std::shared_ptr<const Classifier> classifier,
                                                   std::unique_ptr<const Engine> engine,
                                                   std::unique_ptr<const Noise> noise,
                                                   const SmoothedTargetOptions& options,
                                                   int examples_at_once);

}  // namespace textcrs
