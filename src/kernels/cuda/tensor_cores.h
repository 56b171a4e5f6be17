// The instructions of the tensor cores that every card from compute capability 8.0 on has. For .cu
// files.
#pragma once

#include <cuda_bf16.h>

#include <cstdint>

namespace textcrs {
namespace {

// d (16x8) += a (16x16) b (16x8). Lane 4g + t holds of a the rows g and g + 8, the columns 2t,
// 2t + 1 and 8 more; of b the rows 2t, 2t + 1 and 8 more, the column g; of d the rows g (0, 1) and
// g + 8 (2, 3), the columns 2t, 2t + 1.
__device__ inline void multiply_add(float* d, const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
      "{%8,%9}, {%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// A 16x16 block of shared memory; lane l names row l % 16, from column 8 (l / 16) on.
__device__ inline void load_block(uint32_t (&a)[4], const void* row) {
  const auto at = static_cast<uint32_t>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
               : "r"(at));
}

}  // namespace
}  // namespace textcrs
