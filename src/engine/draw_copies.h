// The one loop that draws noisy copies.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/engine/engine.h"

namespace TEXTCRS_API textcrs {

// The samples of several texts as one list: first all of texts[0], then all of texts[1], ... The
// texts and the noise must outlive it. Thread-safe.
class SampleList {
 public:
  // Whether the order of a copy's words matters to whoever draws them.
  enum class Order { kKept, kAny };

  SampleList(std::span<const TextSamples> texts, const Noise& noise, Order order = Order::kKept);

  uint64_t size() const { return starts_.back(); }
  size_t text_of(uint64_t sample) const;  // which text a sample of the list belongs to
  uint64_t start_of(size_t text) const { return starts_[text]; }

  // Replaces `batch` by the samples [begin, end) of the list.
  void draw(uint64_t begin, uint64_t end, CopyBatch& batch) const;

 private:
  std::span<const TextSamples> texts_;
  const Noise& noise_;
  Order order_;
  std::vector<uint64_t> starts_;  // (texts + 1)
  bool has_own_words_ = false;
};

// The class of the highest score of each row, ties to the lowest index. A score that is not finite
// is a failed Error that names the engine: finite weights can overflow, and such a copy must not
// vote.
std::vector<int> highest(std::span<const double> scores, size_t classes,
                         std::string_view engine = "the model");

// What such an Error says.
std::string not_finite(std::string_view engine);

}  // namespace textcrs
