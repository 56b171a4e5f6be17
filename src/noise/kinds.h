// The factories behind the registry (noise.cc): each checks its spec and its context.
#pragma once

#include <memory>

#include "textcrs/base/spec.h"
#include "textcrs/noise/noise.h"
#include "textcrs/noise/parameters.h"

namespace textcrs {

std::unique_ptr<Noise> make_none(const Spec& spec, const NoiseContext& context);
std::unique_ptr<Noise> make_substitute(const Spec& spec, const NoiseContext& context);
std::unique_ptr<Noise> make_reorder(const Spec& spec, const NoiseContext& context);
std::unique_ptr<Noise> make_insert(const Spec& spec, const NoiseContext& context);
// universal, too
std::unique_ptr<Noise> make_delete(const Spec& spec, const NoiseContext& context);
std::unique_ptr<Noise> make_adapt(const Spec& spec, const NoiseContext& context);
std::unique_ptr<Noise> make_gaussian(const Spec& spec, const NoiseContext& context);
std::unique_ptr<Noise> make_mask(const Spec& spec, const NoiseContext& context);
std::unique_ptr<Noise> make_hash(const Spec& spec, const NoiseContext& context);

// The context's slots; a usage Error if there are none.
int slots_of(const Spec& spec, const NoiseContext& context);

// The four kinds of reorder.
std::unique_ptr<Noise> make_reorder_full();
std::unique_ptr<Noise> make_reorder_block(const ReorderParameters& parameters);
std::unique_ptr<Noise> make_reorder_sorted(const ReorderParameters& parameters,
                                           const NoiseContext& context);
std::unique_ptr<Noise> make_reorder_groups(const ReorderParameters& parameters);

}  // namespace textcrs
