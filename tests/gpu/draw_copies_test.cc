// Copies and Gaussians that a GPU draws are the CPU's.
#include <algorithm>
#include <bit>
#include <cmath>

#include "card.h"
#include "engine/cuda/cuda_copies.h"
#include "noise/plan_cases.h"
#include "textcrs/base/lanes.h"

namespace textcrs {
namespace {

class CopiesOnGpu : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { SKIP_WITHOUT_A_CARD(); }
};

// Every entry of the copies of a batch.
std::vector<Words> download(const GpuQueue& queue, const CudaBatch& batch) {
  const auto count = static_cast<size_t>(batch.copies.count);
  std::vector<int32_t> lengths(count);
  std::vector<int64_t> starts(count);
  copy_from_gpu(queue, lengths.data(), batch.copies.lengths, count * sizeof(int32_t));
  copy_from_gpu(queue, starts.data(), batch.copies.starts, count * sizeof(int64_t));
  int64_t last = 0;
  for (size_t c = 0; c < count; ++c)
    last = std::max(last, starts[c] + int64_t{lengths[c]} * batch.copies.stride);
  std::vector<int32_t> words(static_cast<size_t>(last) + 1);
  if (last > 0)
    copy_from_gpu(queue, words.data(), batch.copies.words, static_cast<size_t>(last) * 4 - 4 * 31);
  std::vector<Words> copies;
  for (size_t c = 0; c < count; ++c) {
    Words copy;
    for (int32_t s = 0; s < lengths[c]; ++s)
      copy.push_back(words[static_cast<size_t>(starts[c] + int64_t{s} * batch.copies.stride)]);
    copies.push_back(std::move(copy));
  }
  return copies;
}

TEST_P(CopiesOnGpu, AreThoseOfSample) {
  const GpuQueue queue;
  CudaCopies on_card;
  const auto noise = make_noise(GetParam(), plan_context(20));
  std::vector<SpelledText> texts;
  for (const size_t size : {0, 1, 2, 7, 43, 300}) texts.push_back(plan_text(size));
  // All texts in one batch, with every seed, from samples that do not begin at 0.
  std::vector<PlannedText> planned;
  std::vector<Words> expected;
  for (const uint64_t seed : kPlanSeeds)
    for (const SpelledText& text : texts) {
      const SampleRange range = {.seed = seed, .example = 9, .begin = 5, .end = 105};
      planned.push_back({noise->plan(text.view()).value(), range, text.own.list()});
      for (uint32_t sample = range.begin; sample < range.end; ++sample) {
        Stream stream(seed, range.example, sample, range.words_lane);
        noise->sample(text.view(), stream, expected.emplace_back());
      }
    }
  EXPECT_EQ(download(queue, on_card.draw(queue, planned, 0)), expected);
}

INSTANTIATE_TEST_SUITE_P(EveryNoise, CopiesOnGpu, ::testing::ValuesIn(plan_specs()), plan_name);

// vector + sigma * noise, of vectors that are zero: the Gaussian itself, as bf16 has it.
TEST(GaussiansOnGpu, AreThoseOfTheStream) {
  SKIP_WITHOUT_A_CARD();
  const GpuQueue queue;
  for (const int inputs : {1, 6, 16, 100, 301}) {
    constexpr int kCopies = 40, kSlots = 7;
    CopyBatch batch{.copies = std::vector<Words>(kCopies, Words(kSlots, 2)), .sigma = 0.75};
    for (uint32_t i = 0; i < kCopies; ++i) batch.gaussians.emplace_back(1ULL << 40, 3, i, 1);
    CudaCopies copies;
    GpuArray<float> vectors;
    vectors.upload(queue, std::vector<float>(3 * static_cast<size_t>(inputs)), "vectors");
    GpuArray<GpuBf16> noisy;
    const auto stride = static_cast<size_t>(noisy_stride(inputs));
    noisy.reserve(kCopies * kSlots * stride, "noise");
    const CudaBatch on_card = copies.upload(queue, batch);
    make_noisy_vectors(queue, {.copies = on_card.copies,
                               .streams = on_card.streams,
                               .slots = kSlots,
                               .inputs = inputs,
                               .vectors = vectors.data(),
                               .sigma = 0.75f,
                               .noisy = noisy.data()});
    const std::vector<GpuBf16> found = noisy.download(queue, kCopies * kSlots * stride);
    for (size_t c = 0; c < kCopies; ++c) {
      std::vector<float> normals(static_cast<size_t>(kSlots * inputs));
      Stream stream = batch.gaussians[c];
      stream.normals(normals);
      for (size_t slot = 0; slot < kSlots; ++slot)
        for (size_t d = 0; d < stride; ++d) {
          const bool real = d < static_cast<size_t>(inputs);
          const float expected =
              real ? 0.75f * normals[slot * static_cast<size_t>(inputs) + d] : 0.0f;
          const uint32_t bits = uint32_t{found[(c * kSlots + slot) * stride + d]} << 16;
          EXPECT_NEAR(std::bit_cast<float>(bits), expected, std::abs(expected) / 250 + 1e-5)
              << inputs << " " << c << " " << slot << " " << d;
        }
    }
  }
}

}  // namespace
}  // namespace textcrs
