// The factories behind the registry (noise.cc): each checks its spec and its context.
#pragma once

#include <memory>

#include "textcrs/base/spec.h"
#include "textcrs/noise/noise.h"

namespace textcrs {

std::unique_ptr<Noise> make_none(const Spec& spec, const NoiseContext& context);
std::unique_ptr<Noise> make_substitute(const Spec& spec, const NoiseContext& context);
std::unique_ptr<Noise> make_reorder(const Spec& spec, const NoiseContext& context);
std::unique_ptr<Noise> make_insert(const Spec& spec, const NoiseContext& context);
std::unique_ptr<Noise> make_delete(const Spec& spec, const NoiseContext& context);
std::unique_ptr<Noise> make_universal(const Spec& spec, const NoiseContext& context);
std::unique_ptr<Noise> make_mask(const Spec& spec, const NoiseContext& context);
std::unique_ptr<Noise> make_hash(const Spec& spec, const NoiseContext& context);

// The four kinds of reorder.
std::unique_ptr<Noise> make_reorder_full();
std::unique_ptr<Noise> make_reorder_block(int length);
std::unique_ptr<Noise> make_reorder_sorted(int length, const NoiseContext& context);
std::unique_ptr<Noise> make_reorder_groups(int length);

}  // namespace textcrs
