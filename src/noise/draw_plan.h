#pragma once

#include "kernels/draw_copy.h"
#include "textcrs/noise/copy_plan.h"

namespace textcrs {

// Points into the plan.
inline DrawPlan draw_plan_of(const CopyPlan& plan) {
  return {.words = plan.words.data(),
          .size = static_cast<uint32_t>(plan.words.size()),
          .pick = plan.pick,
          .coin = plan.coin,
          .mask = plan.mask,
          .columns = plan.columns.data(),
          .tables = plan.tables.data(),
          .functions = plan.functions,
          .buckets = plan.buckets,
          .hashes = plan.hashes.data(),
          .order = plan.order,
          .length = plan.length,
          .places = plan.places.data()};
}

}  // namespace textcrs
