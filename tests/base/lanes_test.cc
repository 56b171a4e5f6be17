// The lanes: no number has two uses, and none ever changes.
#include "textcrs/base/lanes.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace textcrs {
namespace {

struct Lane {
  std::string name;
  uint32_t number, expected;
};

// All of them. The expected numbers are written out: models and results on disk depend on them.
const std::vector<Lane> kLanes = {
    {"words", lane::kWords, 0},
    {"Gaussian", lane::kGaussian, 1},
    {"training words", lane::kTrainingWords, 2},
    {"training Gaussian", lane::kTrainingGaussian, 3},
    {"dropout", lane::kDropout, 100},
    {"fresh parameters", lane::kFreshParameters, 101},
    {"training order", lane::kTrainingOrder, 102},
    {"training split", lane::kTrainingSplit, 103},
    {"evaluation words", lane::kEvaluationWords, 104},
    {"evaluation Gaussian", lane::kEvaluationGaussian, 105},
    {"pretraining order", lane::kPretrainingOrder, 106},
    {"pretraining split", lane::kPretrainingSplit, 107},
    {"explanation words", lane::kExplanationWords, 108},
    {"explanation Gaussian", lane::kExplanationGaussian, 109},
    {"chosen examples", lane::kChosenExamples, 0x63686f69},
    {"masked pieces", lane::kMaskedPieces, 0x6d61736b},
};

TEST(Lanes, HaveOneUseEach) {
  std::map<uint32_t, std::string> uses;
  for (const Lane& one : kLanes) {
    const auto [found, is_new] = uses.emplace(one.number, one.name);
    EXPECT_TRUE(is_new) << one.name << " and " << found->second;
  }
}

TEST(Lanes, NeverChange) {
  for (const Lane& one : kLanes) EXPECT_EQ(one.number, one.expected) << one.name;
}

// The parts of a text are masked from lanes kMaskedPieces, kMaskedPieces + 1, ...
TEST(Lanes, NoneLiesBehindTheMaskedPieces) {
  for (const Lane& one : kLanes) EXPECT_LE(one.number, lane::kMaskedPieces) << one.name;
}

}  // namespace
}  // namespace textcrs
