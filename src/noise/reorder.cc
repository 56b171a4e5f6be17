#include "noise/kinds.h"

namespace textcrs {

std::unique_ptr<Noise> make_reorder(const Spec& spec, const NoiseContext& context) {
  const ReorderParameters parameters = ReorderParameters::parse(spec);
  switch (parameters.kind) {
    case ReorderParameters::Kind::kFull:
      break;
    case ReorderParameters::Kind::kBlock:
      return make_reorder_block(parameters);
    case ReorderParameters::Kind::kSorted:
      return make_reorder_sorted(parameters, context);
    case ReorderParameters::Kind::kGroups:
      return make_reorder_groups(parameters);
  }
  return make_reorder_full();
}

}  // namespace textcrs
