// A BERT that guesses missing words, in the cpu engine's kernels: a folder that `textcrs pretrain`
// or Hugging Face's BertForMaskedLM wrote. (For training one: textcrs/torch/masked_lm.h.)
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/engine/engine.h"
#include "textcrs/model/word_guess.h"

namespace TEXTCRS_API textcrs {

// Const and thread-safe: each call runs in its caller's thread.
class MaskedWords {
 public:
  // A bad_input Error that names what is missing for a folder without the head. Of the options,
  // precision and isa count. At most `longest` pieces around a place are read, [CLS] and [SEP]
  // included, or what the encoder has positions for. longest below 3 is a std::logic_error.
  explicit MaskedWords(const std::filesystem::path& folder, const EngineOptions& options = {},
                       int longest = 128);
  ~MaskedWords();
  MaskedWords(const MaskedWords&) = delete;
  MaskedWords& operator=(const MaskedWords&) = delete;

  // What the guesses depend on beside the texts: as that of a SentenceEncoder.
  const std::string& fingerprint() const;

  // The words that fit best between words[place - 1] and words[place], the most probable first, as
  // MaskedLm::fill() gives them: only words of a single piece, `count` of them or all there are.
  // place > words.size() or count < 1 is a std::logic_error.
  std::vector<WordGuess> fill(const std::vector<std::string>& words, size_t place, int count) const;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

}  // namespace textcrs
