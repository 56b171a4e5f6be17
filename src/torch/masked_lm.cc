#include "torch/masked_lm.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "textcrs/base/files.h"
#include "textcrs/text/wordpiece.h"
#include "torch/masked_lm_learner.h"
#include "torch/masked_lm_network.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

nlohmann::ordered_json config_json(const ModelConfig& config, const WordPiece& wordpiece) {
  return {{"architectures", nlohmann::ordered_json::array({"BertForMaskedLM"})},
          {"model_type", "bert"},
          {"hidden_act", "gelu"},
          {"hidden_size", config.dimension},
          {"intermediate_size", config.hidden},
          {"num_hidden_layers", config.bert.layers},
          {"num_attention_heads", config.bert.heads},
          {"max_position_embeddings", config.bert.positions},
          {"position_embedding_type", "absolute"},
          {"type_vocab_size", 2},
          {"vocab_size", wordpiece.size()},
          {"pad_token_id", wordpiece.pad()},
          {"layer_norm_eps", config.bert.epsilon},
          {"tie_word_embeddings", true}};
}

// The pieces that stand for a word: written into a text, they are read as themselves.
std::vector<int32_t> pieces_that_are_words(const WordPiece& wordpiece) {
  std::vector<int32_t> list, pieces;
  for (int32_t id = 0; id < wordpiece.size(); ++id) {
    const std::vector<std::string> words = wordpiece.words(wordpiece.piece(id));
    if (words.size() != 1 || words[0] != wordpiece.piece(id)) continue;
    pieces.clear();
    wordpiece.append_pieces(words[0], pieces);
    if (pieces.size() == 1 && pieces[0] == id) list.push_back(id);
  }
  return list;
}

// [CLS], the words around the place with [MASK] at it, [SEP]: whole words, the nearest first and
// as many on either side where there are, in at most `longest` pieces.
MaskedRows rows_around(const std::vector<std::string>& words, size_t place,
                       const WordPiece& wordpiece, int longest) {
  const auto pieces_of = [&](size_t word) {
    std::vector<int32_t> pieces;
    wordpiece.append_pieces(words[word], pieces);
    return pieces;
  };
  std::vector<int32_t> left, right;  // `left` from its end
  size_t before = place, after = place, room = static_cast<size_t>(longest) - 3;
  while (before > 0 || after < words.size()) {
    const bool to_left = before > 0 && (after == words.size() || left.size() <= right.size());
    const std::vector<int32_t> pieces = pieces_of(to_left ? before - 1 : after);
    if (pieces.size() > room) {
      (to_left ? before : after) = to_left ? 0 : words.size();
      continue;
    }
    room -= pieces.size();
    if (to_left) {
      left.insert(left.end(), pieces.rbegin(), pieces.rend());
      --before;
    } else {
      right.insert(right.end(), pieces.begin(), pieces.end());
      ++after;
    }
  }
  MaskedRows rows;
  rows.pieces.push_back(wordpiece.cls());
  rows.pieces.insert(rows.pieces.end(), left.rbegin(), left.rend());
  rows.places = {static_cast<int64_t>(rows.pieces.size())};
  rows.pieces.push_back(wordpiece.mask());
  rows.pieces.insert(rows.pieces.end(), right.begin(), right.end());
  rows.pieces.push_back(wordpiece.sep());
  rows.longest = static_cast<int>(rows.pieces.size());
  rows.starts = {0, rows.longest};
  return rows;
}

class BertMaskedLm final : public MaskedLm {
 public:
  BertMaskedLm(const fs::path& folder, const std::string& device, uint64_t seed)
      : device_(device),
        network_(folder, PretrainedBert(folder, seed), parse_device(device)),
        guessable_(pieces_that_are_words(network_.wordpiece())) {}

  const WordPiece& wordpiece() const override { return network_.wordpiece(); }
  int positions() const override { return network_.config().bert.positions; }
  const std::string& device() const override { return device_; }
  Weights parameters() const override { return to_plain(network_.parameters()); }

  std::unique_ptr<MaskedLearner> learner(const MaskedLearnerOptions& options) override {
    return make_masked_learner(network_, options);
  }

  void save(const fs::path& folder) const override {
    write_folder_atomically(folder, [&](const fs::path& temporary) {
      write_file_atomically(temporary / "config.json",
                            config_json(network_.config(), wordpiece()).dump(2) + "\n");
      wordpiece().save(temporary / "tokenizer.json");
      Weights weights;
      for (const TensorMap* list : {&network_.parameters(), &network_.pooler()})
        for (const auto& [name, tensor] : *list)
          weights[name.starts_with("cls.") ? name : "bert." + name] = to_plain(tensor);
      // Hugging Face's library refuses files without this entry.
      save_weights(temporary / "model.safetensors", weights, {{"format", "pt"}});
    });
  }

  std::vector<WordGuess> fill(const std::vector<std::string>& words, size_t place,
                              int count) const override {
    if (place > words.size())
      throw std::logic_error("MaskedLm::fill: the place is not in the text");
    if (count < 1) throw std::logic_error("MaskedLm::fill: count is below 1");
    const at::NoGradGuard no_grad;
    const at::Tensor scores = network_.scores(
        rows_around(words, place, wordpiece(), network_.config().bert.positions), nullptr);
    const at::Tensor probabilities = scores.to(at::kCPU, at::kDouble).softmax(1).contiguous();
    const double* const of = probabilities.data_ptr<double>();

    std::vector<int32_t> best = guessable_;
    const auto end =
        best.begin() + static_cast<ptrdiff_t>(std::min(best.size(), static_cast<size_t>(count)));
    std::partial_sort(best.begin(), end, best.end(),
                      [&](int32_t a, int32_t b) { return of[a] != of[b] ? of[a] > of[b] : a < b; });
    std::vector<WordGuess> guesses;
    for (auto it = best.begin(); it != end; ++it)
      guesses.push_back({wordpiece().piece(*it), of[*it]});
    return guesses;
  }

 private:
  std::string device_;
  MaskedLmNetwork network_;
  std::vector<int32_t> guessable_;  // the pieces that are words
};

}  // namespace

std::unique_ptr<MaskedLm> load_masked_lm(const fs::path& folder, const std::string& device,
                                         uint64_t seed) {
  return std::make_unique<BertMaskedLm>(folder, device, seed);
}

}  // namespace textcrs
