#include "textcrs/model/classifier.h"

#include <fmt/format.h>

#include <algorithm>

#include "network.h"
#include "tensor_bytes.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace fs = std::filesystem;

constexpr const char* kEmbedding = "embedding.weight";

Classifier::Classifier(ModelConfig config, Vocabulary vocabulary, SynonymTable synonyms,
                       std::unique_ptr<Network> network)
    : config_(std::move(config)),
      vocabulary_(std::move(vocabulary)),
      synonyms_(std::move(synonyms)),
      network_(std::move(network)) {}

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

std::vector<float> Classifier::vectors() const {
  const at::Tensor rows = network_->vectors().to(at::kCPU).contiguous();
  return {rows.data_ptr<float>(), rows.data_ptr<float>() + rows.numel()};
}

void Classifier::save(const fs::path& folder) const {
  write_folder_atomically(folder, [&](const fs::path& temporary) {
    config_.save(temporary / "config.json");
    vocabulary_.save(temporary / "vocab.txt");
    if (synonyms_.size() > 0) synonyms_.save_json(temporary / "synonyms.json", vocabulary_);
    auto tensors = network_->parameters();
    tensors[kEmbedding] = network_->vectors();
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
  Vocabulary vocabulary = Vocabulary::load(folder / "vocab.txt");
  const SafetensorsFile file(folder / "model.safetensors");
  const at::Tensor vectors =
      from_view(file.get(kEmbedding, "F32", {vocabulary.size(), config.dimension}));
  auto network = make_network(config, vectors, FileInitializer(file));
  if (file.tensors().size() != network->parameters().size() + 1)
    throw bad_input(fmt::format("{}: found {} tensors, expected {} for {}",
                                (folder / "model.safetensors").string(), file.tensors().size(),
                                network->parameters().size() + 1, config.architecture));
  network->move_to(target);
  SynonymTable synonyms;
  if (!config.synonyms.empty())
    synonyms = SynonymTable::from_json(folder / "synonyms.json", vocabulary, config.synonyms);
  return std::make_unique<Classifier>(config, std::move(vocabulary), std::move(synonyms),
                                      std::move(network));
}

}  // namespace textcrs
