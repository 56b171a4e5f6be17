#include "kernels/normals.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace textcrs {
namespace {

using WordsOfStep = std::array<uint32_t, NormalsKernel::kLongestStep>;
using NormalsOfStep = std::array<float, NormalsKernel::kLongestStep>;

const NormalsKernel& kernel_of(Isa isa) {
  switch (isa) {
    case Isa::kPortable:
      return normals_portable();
#if defined(__x86_64__)
    case Isa::kAvx2:
      return normals_avx2();
    case Isa::kAvx512:
    case Isa::kAvx512Bf16:
    case Isa::kAmx:
      return normals_avx512();
#endif
    default:
      throw std::logic_error("normals: this build has no kernel for the ISA");
  }
}

PhiloxStart start_at(const Stream& stream, uint64_t block) {
  const Stream::Position from = stream.position();
  PhiloxStart start;
  auto k0 = static_cast<uint32_t>(from.seed), k1 = static_cast<uint32_t>(from.seed >> 32);
  for (auto& key : start.keys) {
    key[0] = k0, key[1] = k1;
    k0 += 0x9E3779B9u, k1 += 0xBB67AE85u;
  }
  start.block = from.block + static_cast<uint32_t>(block);
  start.sample = from.sample, start.example = from.example, start.lane = from.lane;
  return start;
}

}  // namespace

void normals_at(Isa isa, const Stream& stream, uint64_t first, std::span<float> out) {
  if (out.empty()) return;
  kernel_of(isa).normals(start_at(stream, first / 4), first % 4, out.size(), out.data());
}

void words_at(Isa isa, const Stream& stream, uint64_t first, std::span<uint32_t> out) {
  if (out.size() % 4 != 0) throw std::logic_error("words_at: words come in blocks of four");
  const NormalsKernel& kernel = kernel_of(isa);
  WordsOfStep step;
  for (size_t i = 0; i < out.size(); i += kernel.step) {
    kernel.words(start_at(stream, first + i / 4), step.data());
    std::copy_n(step.data(), std::min(kernel.step, out.size() - i), out.data() + i);
  }
}

void normals_of_words(Isa isa, std::span<const uint32_t> words, std::span<float> out) {
  if (out.size() % 4 != 0 || out.size() != words.size())
    throw std::logic_error("normals_of_words: one normal per word, in blocks of four");
  const NormalsKernel& kernel = kernel_of(isa);
  WordsOfStep from{};
  NormalsOfStep step;
  for (size_t i = 0; i < out.size(); i += kernel.step) {
    const size_t count = std::min(kernel.step, out.size() - i);
    std::copy_n(words.data() + i, count, from.data());
    kernel.normals_of_words(from.data(), step.data());
    std::copy_n(step.data(), count, out.data() + i);
  }
}

}  // namespace textcrs
