// The encoder of BERT on the CPU: sequences packed one after the other, no row of padding is ever
// computed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/aligned.h"
#include "kernels/attention.h"
#include "kernels/dense.h"
#include "textcrs/model/model_config.h"

namespace textcrs {

// Gain and bias of a layer normalization.
struct Normalization {
  std::vector<float> gain, bias;
};

// Immutable; thread-safe. What becomes of a sequence depends on the sequence alone, bit by bit.
class CpuBertEncoder {
 public:
  // The values of a tensor by its name in Hugging Face's checkpoints. All are copied.
  using ValuesOf = std::function<const std::vector<float>&(const std::string& name)>;

  // Of `shape` dimension, hidden and bert count.
  CpuBertEncoder(const ModelConfig& shape, const ValuesOf& values_of, Isa isa, Precision precision);

  size_t width() const { return width_; }

  // Sequences go through all layers in groups of about so many rows: enough to use a weight often
  // once it is in the cache, few enough for the rows to stay there.
  static constexpr size_t kRowsAtATime = 384;

  // The sequences of a call and its buffers.
  struct Work {
    std::vector<float> states;         // (rows, width)
    std::vector<size_t> starts = {0};  // (sequences + 1)
    AlignedBytes scratch;

    size_t sequences() const { return starts.size() - 1; }
    size_t rows() const { return starts.back(); }
    void clear() {
      states.clear();
      starts.assign(1, 0);
    }

   private:
    friend class CpuBertEncoder;
    std::vector<float> qkv, attended, inner;
  };

  // Appends the row of a vector (width) to the sequence that is being written, which has at most
  // as many rows as the shape has positions.
  void add_row(const float* vector, Work& work) const;
  void end_sequence(Work& work) const { work.starts.push_back(work.states.size() / width_); }

  // Of which rows the last layer's states are wanted.
  enum class Rows { kFirstOfEach, kAll };
  // Afterwards work.states begins with them: (sequences, width) or (rows, width).
  void run(Rows wanted, Work& work) const;

  // In place.
  void normalize(const Normalization& by, size_t rows, float* states) const;

 private:
  struct Layer {
    Dense queries, keys_values, attended, inner, outer;
    Normalization after_attention, after_outer;
  };
  static Layer make_layer(const ValuesOf& values_of, int layer, Isa isa, Precision precision);
  void run_layer(const Layer& layer, bool first_rows, Work& work) const;

  Isa isa_;
  size_t width_;
  float epsilon_;
  std::vector<float> positions_;  // (positions, width), with the token type
  Normalization embedded_;
  Attention attention_;
  std::vector<Layer> layers_;
};

}  // namespace textcrs
