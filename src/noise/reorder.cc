#include "noise/kinds.h"

namespace textcrs {

std::unique_ptr<Noise> make_reorder(const Spec& spec, const NoiseContext& context) {
  constexpr int kLongest = 1'000'000;
  spec.allow_only({"full", "block", "groups", "order"});
  if (spec.has("full") + spec.has("block") + spec.has("groups") != 1)
    spec.fail("expected exactly one of: full, block=L, groups=L");
  if (spec.has("order") && !spec.has("block")) spec.fail("'order' goes with block=L only");
  if (spec.flag("full")) return make_reorder_full();
  if (spec.has("groups")) return make_reorder_groups(spec.integer("groups", 1, kLongest));
  const int length = spec.integer("block", 1, kLongest);
  const bool sorted = spec.choice_or("order", "shuffled", {"shuffled", "sorted"}) == "sorted";
  return sorted ? make_reorder_sorted(length, context) : make_reorder_block(length);
}

}  // namespace textcrs
