// BERT on the CPU: the encoder on noisy copies, the pooler and the head.
#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>

#include "engine/cpu_bert_encoder.h"
#include "engine/cpu_model.h"
#include "engine/cpu_slot_map.h"
#include "engine/linear_head.h"
#include "kernels/dense.h"
#include "kernels/normals.h"
#include "model/piece_table.h"

namespace textcrs {
namespace {

// The buffers of one call.
struct Work {
  CpuBertEncoder::Work packed;
  std::vector<float> noise;
  CpuSlotMap::Work of_map;
};

class CpuBert : public CpuModel {
 public:
  CpuBert(const Classifier& classifier, Isa isa, Precision precision)
      : config_(classifier.config()),
        table_(classifier.pieces()),
        isa_(isa),
        width_(static_cast<size_t>(config_.dimension)),
        vectors_(values_of(classifier, config_.kind().embedding)),
        slot_map_(classifier, isa, precision),
        encoder_(
            config_,
            [&](const std::string& name) -> const std::vector<float>& {
              return values_of(classifier, name);
            },
            isa, precision),
        pooler_(fp32_isa(isa), Precision::kFp32, config_.dimension, config_.dimension,
                values_of(classifier, "pooler.dense.weight"),
                values_of(classifier, "pooler.dense.bias")),
        head_(classifier) {}

  uint64_t part_size() const override { return 1024; }

  void score(const CopyView& copies, std::span<double> scores) const override {
    check_scores(copies, head_.classes(), scores);
    if (copies.sigma > 0 && !config_.pool_all_slots)
      throw std::logic_error("CpuBert: a Gaussian needs a model with pool_all_slots");
    Work work;
    for (size_t begin = 0, end = 0; begin < copies.size(); begin = end) {
      work.packed.clear();
      for (; end < copies.size() && work.packed.rows() < CpuBertEncoder::kRowsAtATime; ++end)
        if (config_.pool_all_slots)
          add_slots(copies.part(end, 1), work);
        else
          add_pieces(copies.part(end, 1), work);
      const std::vector<float> pooled = run(work.packed);
      for (size_t k = begin; k < end; ++k)
        head_.score(std::span(pooled).subspan((k - begin) * width_, width_),
                    scores.subspan(k * head_.classes(), head_.classes()));
    }
  }

 private:
  const float* vector_of(int32_t piece) const {
    return vectors_.data() + static_cast<size_t>(piece) * width_;
  }

  void add_pieces(const CopyView& copy, Work& work) const {
    for (const int32_t piece :
         make_sequences(copy, table_, config_.slots, config_.bert.positions).pieces)
      encoder_.add_row(vector_of(piece), work.packed);
    encoder_.end_sequence(work.packed);
  }

  // One row per slot of one copy: the mean of the word's pieces, zero for PAD, and the Gaussian,
  // through the map of the slots.
  // The certificate (docs/certificates.md, B5) needs a classifier of their sum.
  void add_slots(const CopyView& one, Work& work) const {
    const std::vector<WordId>& copy = one.copies[0];
    const size_t slots = std::min(copy.size(), static_cast<size_t>(config_.slots));
    work.noise.assign(slots * width_, 0);
    if (one.sigma > 0) normals_at(isa_, one.gaussians[0], 0, work.noise);
    std::vector<float> mean(width_);
    std::vector<int32_t> pieces;
    encoder_.add_row(vector_of(table_.wordpiece().cls()), work.packed);
    for (size_t s = 0; s < slots; ++s) {
      std::fill(mean.begin(), mean.end(), 0.0f);
      pieces.clear();
      if (copy[s] != kPad) {
        table_.append(copy[s], one.own_of(0), pieces);
        add_mean(vectors_, pieces, mean);
      }
      float* const noisy = work.noise.data() + s * width_;
      for (size_t d = 0; d < width_; ++d)
        noisy[d] = mean[d] + static_cast<float>(one.sigma) * noisy[d];
      slot_map_.apply({noisy, width_}, work.of_map);
      encoder_.add_row(noisy, work.packed);
    }
    encoder_.add_row(vector_of(table_.wordpiece().sep()), work.packed);
    encoder_.end_sequence(work.packed);
  }

  // The pooled features (sequences, width).
  std::vector<float> run(CpuBertEncoder::Work& packed) const {
    encoder_.run(CpuBertEncoder::Rows::kFirstOfEach, packed);
    std::vector<float> pooled(packed.sequences() * width_);
    const auto stride = static_cast<std::ptrdiff_t>(width_);
    pooler_.run({.rows = static_cast<int>(packed.sequences()),
                 .input = packed.states.data(),
                 .input_stride = stride,
                 .output = pooled.data(),
                 .output_stride = stride},
                packed.scratch);
    for (float& feature : pooled) feature = std::tanh(feature);
    return pooled;
  }

  const ModelConfig& config_;
  const PieceTable& table_;
  Isa isa_;
  size_t width_;
  std::span<const float> vectors_;  // (pieces, width), the classifier's
  CpuSlotMap slot_map_;
  CpuBertEncoder encoder_;
  Dense pooler_;
  LinearHead head_;
};

}  // namespace

std::unique_ptr<CpuModel> make_cpu_bert(const Classifier& classifier, Isa isa,
                                        Precision precision) {
  return std::make_unique<CpuBert>(classifier, isa, precision);
}

}  // namespace textcrs
