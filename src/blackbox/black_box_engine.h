// A black box as an engine of noisy copies.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/sample_tile.h"
#include "textcrs/base/stop.h"
#include "textcrs/blackbox/asked_texts.h"
#include "textcrs/engine/engine.h"

namespace TEXTCRS_API textcrs {

// A copy is put to it as its words with a space between them, a masked word as `mask`; an empty
// copy is the empty text. There are no scores but 1 for the class and 0 for others. A batch with a
// Gaussian is a std::logic_error. What it refers to must outlive it; `stop` ends what it asks.
class BlackBoxEngine : public Engine {
 public:
  BlackBoxEngine(AskedTexts& asked, const Vocabulary& vocabulary, const std::string& mask,
                 StopToken stop)
      : asked_(asked), vocabulary_(vocabulary), mask_(mask), stop_(stop) {}

  std::string name() const override { return asked_.box().kind(); }
  std::vector<std::vector<int64_t>> votes(std::span<const TextSamples> texts,
                                          const Noise& noise) const override;
  using Engine::votes;
  bool votes_depend_on_batch() const override { return false; }
  std::vector<double> scores(const CopyBatch& batch) const override;
  std::vector<int> classify(const CopyBatch& batch) const override;
  uint64_t part_size() const override { return uint64_t{32} * kSampleTile; }

 private:
  AskedTexts& asked_;
  const Vocabulary& vocabulary_;
  const std::string& mask_;
  StopToken stop_;
};

}  // namespace textcrs
