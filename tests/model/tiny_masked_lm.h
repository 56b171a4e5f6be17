// The head of a tiny BERT that guesses masked words, and its folder.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "tiny_bert.h"

namespace textcrs {

inline const std::string kDense = "cls.predictions.transform.dense";
inline const std::string kNorm = "cls.predictions.transform.LayerNorm";
inline const std::string kBias = "cls.predictions.bias";
inline const std::string kDecoder = "cls.predictions.decoder.weight";

inline Weights masked_lm_head(const TinyBert& tiny) {
  const int64_t width = tiny.width, pieces = static_cast<int64_t>(tiny.pieces.size());
  Weights all;
  for (const auto& [name, shape] :
       std::map<std::string, std::vector<int64_t>>{{kDense + ".weight", {width, width}},
                                                   {kDense + ".bias", {width}},
                                                   {kNorm + ".weight", {width}},
                                                   {kNorm + ".bias", {width}},
                                                   {kBias, {pieces}}})
    all[name] = fresh_tensor({.name = name, .shape = shape, .bound = name == kBias ? 1 : 0.5}, 9);
  for (float& x : all[kNorm + ".weight"].values) x += 1;
  return all;
}

// With the tensors of `more` beside the encoder's, and without those named in `without`.
inline void write_masked_lm(const TinyBert& tiny, const std::filesystem::path& folder,
                            const std::string& prefix, const Weights& more,
                            const std::set<std::string>& without = {}) {
  tiny.write(folder);
  Weights all = more;
  for (const auto& [name, tensor] : tiny.tensors()) all[prefix + name] = tensor;
  for (const std::string& name : without) all.erase(name);
  save_weights(folder / "model.safetensors", all);
}

}  // namespace textcrs
