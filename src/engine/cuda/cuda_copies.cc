#include "engine/cuda/cuda_copies.h"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

#include "noise/draw_plan.h"

namespace textcrs {
namespace {

// Lists that go to the card in one piece.
class Lists {
 public:
  // Where it will be, counted from where the piece begins.
  template <typename T>
  size_t add(const std::vector<T>& list) {
    const size_t at = (bytes_.size() + kAlignment - 1) / kAlignment * kAlignment;
    bytes_.resize(at + list.size() * sizeof(T));
    const auto* const from = reinterpret_cast<const std::byte*>(list.data());
    std::copy_n(from, list.size() * sizeof(T), bytes_.begin() + static_cast<ptrdiff_t>(at));
    return at;
  }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  static constexpr size_t kAlignment = 16;
  std::vector<std::byte> bytes_;
};

// A plan whose lists are somewhere behind `base`.
struct PlacedPlan {
  DrawPlan plan;
  size_t words, columns, tables, hashes, places;

  PlacedPlan(const CopyPlan& from, Lists& lists)
      : plan(draw_plan_of(from)),
        words(lists.add(from.words)),
        columns(lists.add(from.columns)),
        tables(lists.add(from.tables)),
        hashes(lists.add(from.hashes)),
        places(lists.add(from.places)) {}

  DrawPlan at(const std::byte* base) const {
    DrawPlan placed = plan;
    placed.words = reinterpret_cast<const int32_t*>(base + words);
    placed.columns = reinterpret_cast<const AliasColumn*>(base + columns);
    placed.tables = reinterpret_cast<const ColumnRange*>(base + tables);
    placed.hashes = reinterpret_cast<const uint64_t*>(base + hashes);
    placed.places = reinterpret_cast<const uint32_t*>(base + places);
    return placed;
  }
};

constexpr const char* kWhat = "noisy copies";

}  // namespace

size_t CudaCopies::bytes_per_copy(size_t entries) {
  constexpr size_t kBeside = sizeof(int64_t) + 2 * sizeof(int32_t) + sizeof(GpuStreamKey);
  return entries * sizeof(int32_t) + kBeside;
}

CudaBatch CudaCopies::draw(const GpuQueue& queue, std::span<const PlannedText> texts,
                           double sigma) {
  Lists lists;
  std::vector<PlacedPlan> plans;
  for (const PlannedText& text : texts) plans.emplace_back(text.plan, lists);
  lists_.reserve(lists.bytes().size(), kWhat);
  copy_to_gpu(queue, lists_.data(), lists.bytes().data(), lists.bytes().size());

  std::vector<GpuDrawText> described;
  int32_t copies = 0;
  int64_t entries = 0;
  int longest = 0;
  for (size_t t = 0; t < texts.size(); ++t) {
    const auto& [plan, range, own] = texts[t];
    const auto capacity = static_cast<int64_t>(plan.capacity());
    described.push_back({.plan = plans[t].at(static_cast<const std::byte*>(lists_.data())),
                         .seed = range.seed,
                         .example = range.example,
                         .first_sample = range.begin,
                         .words_lane = range.words_lane,
                         .gaussian_lane = range.gaussian_lane,
                         .first_copy = copies,
                         .capacity = static_cast<int32_t>(capacity),
                         .start = entries});
    const auto count = static_cast<int32_t>(texts[t].copies());
    copies += count;
    entries += (count + kCopiesAbreast - 1) / kCopiesAbreast * kCopiesAbreast * capacity;
    longest = std::max(longest, static_cast<int>(plan.words.size()));
  }
  texts_.upload(queue, described, kWhat);
  const auto count = static_cast<size_t>(copies);
  words_.reserve(static_cast<size_t>(entries), kWhat);
  starts_.reserve(count, kWhat);
  lengths_.reserve(count, kWhat);
  text_of_.reserve(count, kWhat);
  if (sigma > 0) streams_.reserve(count, kWhat);
  draw_copies(queue, {.texts = static_cast<int>(described.size()),
                      .copies = copies,
                      .text = texts_.data(),
                      .words = words_.data(),
                      .starts = starts_.data(),
                      .lengths = lengths_.data(),
                      .text_of = text_of_.data(),
                      .streams = sigma > 0 ? streams_.data() : nullptr});
  CudaBatch batch{
      .copies = {copies, words_.data(), starts_.data(), kCopiesAbreast, lengths_.data()},
      .longest = longest,
      .sigma = sigma,
      .streams = streams_.data(),
      .text_of = text_of_.data()};
  for (const PlannedText& text : texts) batch.own.push_back(text.own);
  return batch;
}

CudaBatch CudaCopies::upload(const GpuQueue& queue, const CopyView& copies) {
  std::vector<int32_t> words, lengths, text_of;
  std::vector<int64_t> starts;
  std::vector<std::span<const std::string>> own;
  int longest = 0;
  for (size_t c = 0; c < copies.size(); ++c) {
    const std::vector<WordId>& copy = copies.copies[c];
    // Neighbours with the same own words count as copies of one text.
    const std::span<const std::string> mine = copies.own_of(c);
    if (own.empty() || own.back().data() != mine.data() || own.back().size() != mine.size())
      own.push_back(mine);
    text_of.push_back(static_cast<int32_t>(own.size()) - 1);
    starts.push_back(static_cast<int64_t>(words.size()));
    lengths.push_back(static_cast<int32_t>(copy.size()));
    longest = std::max(longest, lengths.back());
    words.insert(words.end(), copy.begin(), copy.end());
  }
  std::vector<GpuStreamKey> streams;
  if (copies.sigma > 0)
    for (const Stream& stream : copies.gaussians) {
      const Stream::Position at = stream.position();
      if (at.block != 0) throw std::logic_error("CudaCopies: a Gaussian that was drawn from");
      streams.push_back({at.seed, at.example, at.sample, at.lane});
    }
  words_.upload(queue, words, kWhat);
  starts_.upload(queue, starts, kWhat);
  lengths_.upload(queue, lengths, kWhat);
  streams_.upload(queue, streams, kWhat);
  text_of_.upload(queue, text_of, kWhat);
  return {.copies = {static_cast<int>(copies.size()), words_.data(), starts_.data(), 1,
                     lengths_.data()},
          .longest = longest,
          .sigma = copies.sigma,
          .streams = streams_.data(),
          .text_of = text_of_.data(),
          .own = std::move(own)};
}

}  // namespace textcrs
