#include "textcrs/model/classifier.h"

#include <fmt/format.h>

#include <algorithm>

#include "bert.h"
#include "tensor_bytes.h"
#include "textcrs/base/error.h"
#include "textcrs/text/tokenizer.h"

namespace textcrs {
namespace fs = std::filesystem;

namespace {

constexpr const char* kWordEmbedding = "embedding.weight";

const char* embedding_name(const ModelConfig& config) {
  return config.architecture == "bert" ? kPieceEmbedding : kWordEmbedding;
}

}  // namespace

Classifier::Classifier(ModelConfig config, Vocabulary vocabulary, SynonymTable synonyms,
                       std::unique_ptr<Network> network, std::shared_ptr<const WordPiece> wordpiece)
    : config_(std::move(config)),
      vocabulary_(std::move(vocabulary)),
      synonyms_(std::move(synonyms)),
      network_(std::move(network)),
      wordpiece_(std::move(wordpiece)) {}

Classifier::~Classifier() = default;

std::vector<int> Classifier::classify(const CopyBatch& batch) const {
  if (batch.copies.empty()) return {};
  const at::NoGradGuard no_grad;
  const at::Tensor logits = network_->forward(batch, nullptr).to(at::kCPU).contiguous();
  const float* row = logits.data_ptr<float>();
  const auto classes = logits.size(1);
  std::vector<int> answers(batch.copies.size());
  for (int& answer : answers) {
    answer = static_cast<int>(std::max_element(row, row + classes) - row);
    row += classes;
  }
  return answers;
}

std::vector<std::string> Classifier::words(std::string_view text) const {
  return wordpiece_ != nullptr ? wordpiece_->words(without_markup(text)) : tokenize(text);
}

std::vector<float> Classifier::vectors(WordId first, WordId last) const {
  return network_->word_vectors(first, last);
}

void Classifier::start_from(const Classifier& other) {
  const auto& theirs = other.network().parameters();
  const auto refuse = [&](const std::string& what) {
    throw usage_error(fmt::format("a {} can not start from a {} of another shape: {}",
                                  config_.architecture, other.config().architecture, what));
  };
  std::vector<std::string> taken;
  for (const auto& [name, parameter] : network_->parameters()) {
    if (name.starts_with("head.") && config_.classes != other.config().classes) continue;
    const auto found = theirs.find(name);
    if (found != theirs.end() && found->second.sizes() == parameter.sizes())
      taken.push_back(name);
    else
      refuse(fmt::format("the parameter {} differs", name));
  }
  if (config_.bert != other.config().bert) refuse("layers, heads, positions or epsilon differ");
  if (config_.architecture == "bert") {
    const auto same = [](const at::Tensor& a, const at::Tensor& b) {
      return a.sizes() == b.sizes() && at::equal(to_cpu_floats(a), to_cpu_floats(b));
    };
    bool fits = same(network_->vectors(), other.network().vectors());
    for (const auto& [name, tensor] : network_->frozen())
      fits = fits && same(tensor, other.network().frozen().at(name));
    if (!fits) refuse("it has other embeddings");
  }
  for (const std::string& name : taken) network_->assign(name, theirs.at(name));
}

void Classifier::save(const fs::path& folder) const {
  write_folder_atomically(folder, [&](const fs::path& temporary) {
    config_.save(temporary / "config.json");
    vocabulary_.save(temporary / "vocab.txt");
    if (synonyms_.size() > 0) synonyms_.save_json(temporary / "synonyms.json", vocabulary_);
    if (wordpiece_ != nullptr) wordpiece_->save(temporary / "tokenizer.json");
    auto tensors = network_->parameters();
    tensors.insert(network_->frozen().begin(), network_->frozen().end());
    tensors[embedding_name(config_)] = network_->vectors();
    save_tensors(temporary / "model.safetensors", tensors, {{"format", "textcrs-model"}});
  });
}

std::unique_ptr<Classifier> Classifier::load(const fs::path& folder, const std::string& device) {
  const at::Device target = parse_device(device);
  if (!fs::is_directory(folder))
    throw bad_input(
        fmt::format("{}: expected a model folder with config.json, model.safetensors and "
                    "vocab.txt; make one with: textcrs train",
                    folder.string()));
  const ModelConfig config = ModelConfig::load(folder / "config.json");
  const bool is_bert = config.architecture == "bert";
  Vocabulary vocabulary = Vocabulary::load(
      folder / "vocab.txt", is_bert ? Vocabulary::Growth::kOpen : Vocabulary::Growth::kClosed);
  std::shared_ptr<const WordPiece> wordpiece;
  if (is_bert) wordpiece = std::make_shared<WordPiece>(WordPiece::load(folder / "tokenizer.json"));
  const SafetensorsFile file(folder / "model.safetensors");
  const int rows = is_bert ? wordpiece->size() : vocabulary.size();
  const at::Tensor vectors =
      from_view(file.get(embedding_name(config), "F32", {rows, config.dimension}));
  const FileInitializer initial(file);
  std::unique_ptr<Network> network;
  if (is_bert)
    network = std::make_unique<Bert>(config, vectors,
                                     std::make_shared<PieceTable>(vocabulary, wordpiece), initial);
  else
    network = make_network(config, vectors, initial);
  const size_t expected = network->parameters().size() + network->frozen().size() + 1;
  if (file.tensors().size() != expected)
    throw bad_input(fmt::format("{}: found {} tensors, expected {} for {}",
                                (folder / "model.safetensors").string(), file.tensors().size(),
                                expected, config.architecture));
  network->move_to(target);
  SynonymTable synonyms;
  if (!config.synonyms.empty())
    synonyms = SynonymTable::from_json(folder / "synonyms.json", vocabulary, config.synonyms);
  return std::make_unique<Classifier>(config, std::move(vocabulary), std::move(synonyms),
                                      std::move(network), std::move(wordpiece));
}

}  // namespace textcrs
