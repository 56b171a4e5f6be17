#include "torch/masked_lm.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "model/masked_rows.h"
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
    const MaskedPieces around = rows_around(words, place, wordpiece(), positions());
    const auto length = static_cast<int32_t>(around.pieces.size());
    const at::Tensor scores = network_.scores({.pieces = around.pieces,
                                               .starts = {0, length},
                                               .longest = length,
                                               .places = {static_cast<int64_t>(around.place)}},
                                              nullptr);
    const at::Tensor probabilities = scores.to(at::kCPU, at::kDouble).softmax(1).contiguous();
    return best_guesses(
        {probabilities.data_ptr<double>(), static_cast<size_t>(probabilities.numel())}, guessable_,
        wordpiece(), count);
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
