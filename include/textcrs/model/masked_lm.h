// A BERT that guesses missing words: the encoder and, on it, the head it was pretrained with.
//
// The head is that of Hugging Face's BertForMaskedLM: a dense layer, GELU, a layer normalization,
// and a score for every piece, with the vectors of the pieces as weights (tied).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace textcrs {

class MaskedLmNetwork;  // the LibTorch graph, src/model/masked_lm_network.h
class WordPiece;        // textcrs/text/wordpiece.h

struct WordGuess {
  std::string word;
  double probability;  // among all pieces, those that are no words included
};

// Const members are thread-safe as long as nobody trains the network.
class MaskedLm {
 public:
  // A folder as Hugging Face's library writes it (config.json, *.safetensors, tokenizer.json or
  // vocab.txt). An encoder alone gets a fresh head, by `seed`. Anything that does not fit together,
  // a head in parts or one with weights of its own is a bad_input Error. device: cpu or cuda.
  static MaskedLm load(const std::filesystem::path& folder, const std::string& device,
                       uint64_t seed = 1);
  MaskedLm(MaskedLm&&) noexcept;
  ~MaskedLm();

  // Writes such a folder, as a whole: load() and Classifier::from_bert() read it. The pooler is in
  // it if it was in the folder that was loaded.
  void save(const std::filesystem::path& folder) const;

  const WordPiece& wordpiece() const;
  MaskedLmNetwork& network() const { return *network_; }
  // The words of a text, as classifiers of this encoder read it.
  std::vector<std::string> words(std::string_view text) const;

  // The words that fit best between words[place - 1] and words[place], the most probable first;
  // place == words.size() is behind the last. Only words of a single piece are guessed, `count` of
  // them or all there are. Of a text that is too long for the encoder the words nearest to the
  // place are read. place > words.size() or count < 1 is a std::logic_error.
  std::vector<WordGuess> fill(const std::vector<std::string>& words, size_t place, int count) const;

 private:
  explicit MaskedLm(std::unique_ptr<MaskedLmNetwork> network);

  std::unique_ptr<MaskedLmNetwork> network_;
  std::vector<int32_t> guessable_;  // the pieces that are words
};

}  // namespace textcrs
