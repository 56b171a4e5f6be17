#include "train/hold_out.h"

#include <cmath>
#include <map>
#include <span>

#include "textcrs/base/lanes.h"
#include "textcrs/base/stream.h"

namespace textcrs {
namespace {

std::map<int, std::vector<size_t>> by_class(const std::vector<EncodedText>& texts) {
  std::map<int, std::vector<size_t>> members;
  for (size_t i = 0; i < texts.size(); ++i) members[texts[i].label].push_back(i);
  return members;
}

size_t share_of(size_t members, double share) {
  return static_cast<size_t>(std::lround(share * static_cast<double>(members)));
}

}  // namespace

size_t held_out_count(const std::vector<EncodedText>& texts, double share) {
  size_t count = 0;
  for (const auto& [label, members] : by_class(texts)) count += share_of(members.size(), share);
  return count;
}

Split hold_out(const std::vector<EncodedText>& texts, double share, uint64_t seed) {
  std::vector<bool> held(texts.size());
  for (auto& [label, members] : by_class(texts)) {
    Stream(seed, static_cast<uint32_t>(label), 0, lane::kTrainingSplit)
        .shuffle(std::span<size_t>(members));
    const size_t count = share_of(members.size(), share);
    for (size_t i = 0; i < count; ++i) held[members[i]] = true;
  }
  Split split;
  for (size_t i = 0; i < texts.size(); ++i)
    (held[i] ? split.validation : split.train).push_back(texts[i]);
  return split;
}

}  // namespace textcrs
