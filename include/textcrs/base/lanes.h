// Who draws from which lane of a Stream (textcrs/base/stream.h).
//
// Streams of different lanes are independent. Training and certification often have a seed in
// common, so a lane has one use, for ever: results and models on disk depend on the numbers.
#pragma once

#include <cstdint>

namespace textcrs::lane {

// Certified inference, by (seed, example, sample): the words of a noisy copy and its Gaussian.
// (A fresh model makes up word vectors from the first one, with the spelling's hash as the seed.)
constexpr uint32_t kWords = 0, kGaussian = 1;

// Training, by (seed, text, epoch): the words of a noisy copy and its Gaussian.
constexpr uint32_t kTrainingWords = 2, kTrainingGaussian = 3;
// Further noisy copies of the same text in a step, by (seed, text, epoch): the words of copy
// k = 1, 2, ... from lane kFurtherCopies + 2 (k - 1), its Gaussian from the lane after it.
constexpr uint32_t kFurtherCopies = 0x636f7079;
constexpr uint32_t kNoiseLevel = 0x6c65766c;  // (seed, 0, step)

constexpr uint32_t kDropout = 100;          // (seed, use and part of a step, step)
constexpr uint32_t kFreshParameters = 101;  // (seed, hash of the name, 0)
constexpr uint32_t kTrainingOrder = 102;    // (seed, 0, epoch)
constexpr uint32_t kTrainingSplit = 103;    // (seed, class, 0)

// The accuracy of a smoothed classifier, by (seed, text, copy).
constexpr uint32_t kEvaluationWords = 104, kEvaluationGaussian = 105;

constexpr uint32_t kPretrainingOrder = 106;  // (seed, 0, epoch)
constexpr uint32_t kPretrainingSplit = 107;  // (seed, 0, 0)

// Explanations, by (seed, example, sample): the words of a noisy copy and its Gaussian.
constexpr uint32_t kExplanationWords = 108, kExplanationGaussian = 109;

// Attacks: what their parts draw, by (seed, example, 0); the noisy copies of a smoothed target, by
// (seed, example, sample): words and Gaussian. Never those of certified inference: an adversary
// does not know them.
constexpr uint32_t kAttack = 110, kAttackWords = 111, kAttackGaussian = 112;

constexpr uint32_t kChosenExamples = 0x63686f69;  // (seed, class, 0)
// (seed, text, epoch), and the parts of a text from this lane on.
constexpr uint32_t kMaskedPieces = 0x6d61736b;

// Figures of word vectors, by (seed, 0, 0): which words, which dimensions.
constexpr uint32_t kShownWords = 0x73686f77, kShownDimensions = 0x73686f78;

}  // namespace textcrs::lane
