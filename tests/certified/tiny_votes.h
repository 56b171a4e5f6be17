// Models whose words vote, from a handful of scores.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "textcrs/model/classifier.h"

namespace textcrs {

using WordScores = std::vector<std::pair<std::string, std::vector<float>>>;

// Classes c0, c1, ..; the special words "<pad>", "<unk>" and "<mask>" may have scores, too.
inline std::unique_ptr<Classifier> tiny_votes(const WordScores& scores, std::vector<float> bias,
                                              const std::string& architecture = "votes") {
  ModelConfig config;
  config.architecture = architecture;
  config.noise = "none";
  for (size_t c = 0; c < bias.size(); ++c) config.classes.push_back("c" + std::to_string(c));
  std::vector<std::string> words;
  for (const auto& [word, row] : scores)
    if (!Vocabulary().holds(word)) words.push_back(word);
  auto classifier = Classifier::fresh(config, Vocabulary(words));
  Weights weights = classifier->weights();
  for (const auto& [word, row] : scores)
    std::copy(row.begin(), row.end(),
              weights.at("scores").values.begin() +
                  static_cast<std::ptrdiff_t>(classifier->vocabulary().id(word)) *
                      static_cast<std::ptrdiff_t>(bias.size()));
  weights.at("bias").values = std::move(bias);
  classifier->assign(weights);
  return classifier;
}

}  // namespace textcrs
