// A small model of every architecture, for tests that are the same for all of them.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "model/small_model.h"
#include "model/tiny_bert.h"

namespace textcrs {

// Those whose weights LibTorch learns: votes are learnt without it (train/vote_learner.h).
inline std::vector<std::string> learnt_architectures() {
  std::vector<std::string> names;
  for (const Architecture& one : architectures())
    if (!one.casts_votes) names.push_back(one.name);
  return names;
}

// Three classes, and the ids 3 .. 22 for the words of small_words(), as random_copies() has them.
// The folder is for word vectors on their way.
inline std::unique_ptr<Classifier> any_model(const std::string& architecture,
                                             const std::filesystem::path& folder,
                                             double dropout = 0) {
  const bool is_bert = find_architecture(architecture).reads_pieces;
  ModelConfig config = is_bert ? TinyBert().config() : small_config(architecture);
  config.classes = {"no", "yes", "maybe"};
  config.dropout = dropout;
  config.input_dropout = 0;
  return is_bert ? TinyBert().classifier(small_words(), config) : small_classifier(folder, config);
}

}  // namespace textcrs
