// A BERT on disk as Hugging Face's library writes it: config.json, *.safetensors, tokenizer.json or
// vocab.txt.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "textcrs/base/api.h"
#include "textcrs/model/model_config.h"
#include "textcrs/model/safetensors.h"
#include "textcrs/model/weights.h"
#include "textcrs/text/wordpiece.h"

namespace TEXTCRS_API textcrs {

// The tensors of the encoder in F32, F16 or BF16, with or without "bert." in front of their names,
// LayerNorms as weight and bias or as gamma and beta. Heads of other tasks are left alone; their
// tensors ("cls.") can be asked for by their full names.
class PretrainedBert {
 public:
  // Anything that is no BERT, or that does not fit together, is a bad_input Error that names the
  // file, what was found and what was expected; shapes are looked at when a tensor is made. The
  // head is fresh, by `seed`, and so is the pooler of a checkpoint that has none.
  PretrainedBert(const std::filesystem::path& folder, uint64_t seed);

  // Sets architecture, dimension, hidden and bert.
  void describe(ModelConfig& config) const;
  std::shared_ptr<const WordPiece> wordpiece() const { return wordpiece_; }
  FloatTensor vectors() const;  // (pieces, D)
  // A tensor that must be there, with a row of `width` values per piece, or one value if 0:
  // (pieces, width) or (pieces). Some files have more rows, to be a round number; they are cut.
  FloatTensor piece_rows(const std::string& name, int64_t width = 0) const;
  bool holds(const std::string& name) const { return find(name) != nullptr; }

  // The file's values, or fresh ones for what it does not hold.
  FloatTensor tensor(const TensorSpec& spec) const;

 private:
  const TensorView* find(const std::string& name) const;  // null if it is not there
  // The values of a tensor of the file, if it has this shape.
  FloatTensor read(const std::string& name, const TensorView& tensor,
                   const std::vector<int64_t>& shape) const;
  void check_names() const;

  std::filesystem::path weights_path_;
  ModelConfig shape_;
  std::shared_ptr<const WordPiece> wordpiece_;
  SafetensorsFile file_;
  std::string prefix_;  // "bert." or empty
  uint64_t seed_;
};

}  // namespace textcrs
