#include "model/pretrained_bert.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "model/float_formats.h"
#include "model/tensors.h"
#include "text/json.h"
#include "text/json_value.h"
#include "textcrs/base/error.h"
#include "textcrs/base/reachable.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// model.safetensors, or the only file of that kind.
fs::path find_weights(const fs::path& folder) {
  if (!is_folder(folder))
    throw bad_input(
        fmt::format("{}: expected a folder with a BERT: config.json, a .safetensors file, "
                    "tokenizer.json or vocab.txt",
                    folder.string()));
  if (is_there(folder / "model.safetensors")) return folder / "model.safetensors";
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".safetensors") found.push_back(entry.path());
  if (found.size() != 1)
    throw bad_input(fmt::format("{}: found {} .safetensors files, expected model.safetensors",
                                folder.string(), found.size()));
  return found[0];
}

ModelConfig read_shape(const fs::path& path) {
  const auto fail = [&](const std::string& why) {
    throw bad_input(fmt::format("{}: {}", path.string(), why));
  };
  ModelConfig config;
  config.architecture = "bert";
  const auto values = read_json_file<json>(path);
  if (!values.is_object()) fail("found no JSON object");
  const auto expect = [&](const char* name, const json& expected) {
    if (values.contains(name) && values[name] != expected)
      fail(fmt::format("{} is {}, expected {}", name, shown(values[name]), expected.dump()));
  };
  // The ranges of ModelConfig::load.
  const auto whole = [&](const char* name, int low, int high) {
    const json value = values.value(name, json());
    if (!value.is_number_integer() || value < low || value > high)
      fail(fmt::format("{} is {}, expected a whole number from {} to {}", name, shown(value), low,
                       high));
    return value.get<int>();
  };
  expect("model_type", "bert");
  expect("hidden_act", "gelu");
  expect("position_embedding_type", "absolute");
  expect("is_decoder", false);
  expect("type_vocab_size", 2);
  config.dimension = whole("hidden_size", 1, 10000);
  config.hidden = whole("intermediate_size", 1, 100000);
  config.bert.layers = whole("num_hidden_layers", 1, 1000);
  config.bert.heads = whole("num_attention_heads", 1, 1000);
  config.bert.positions = whole("max_position_embeddings", 3, 100000);
  if (config.dimension % (8 * config.bert.heads) != 0)
    fail(fmt::format("hidden_size is {}, expected a multiple of 8 for each of the {} heads",
                     config.dimension, config.bert.heads));
  if (values.contains("layer_norm_eps")) {
    const json& epsilon = values["layer_norm_eps"];
    if (!epsilon.is_number() || !(epsilon >= 0 && epsilon <= 1))
      fail(fmt::format("layer_norm_eps is {}, expected 0 to 1", shown(epsilon)));
    config.bert.epsilon = epsilon.get<double>();
  }
  return config;
}

}  // namespace

PretrainedBert::PretrainedBert(const fs::path& folder, uint64_t seed)
    : weights_path_(find_weights(folder)),
      shape_(read_shape(folder / "config.json")),
      wordpiece_(std::make_shared<WordPiece>(WordPiece::load(folder))),
      file_(weights_path_),
      prefix_(file_.tensors().contains(std::string("bert.") + kPieceEmbedding) ? "bert." : ""),
      seed_(seed) {
  check_names();
}

// An encoder with more in it than the config says is another model.
void PretrainedBert::check_names() const {
  std::set<std::string> known = {kPieceEmbedding, "embeddings.position_ids"};
  bool has_no_pooler = true;
  for (const TensorSpec& tensor : bert_pooler_tensors(shape_))
    has_no_pooler &= find(tensor.name) == nullptr;
  for (const auto& list :
       {bert_embedding_tensors(shape_), bert_encoder_tensors(shape_), bert_pooler_tensors(shape_)})
    for (const TensorSpec& tensor : list) {
      known.insert(tensor.name);
      if (find(tensor.name) == nullptr && !(has_no_pooler && tensor.name.starts_with("pooler.")))
        throw bad_input(
            fmt::format("{}: tensor '{}' is missing", weights_path_.string(), tensor.name));
    }
  for (const auto& [full_name, tensor] : file_.tensors()) {
    if (!full_name.starts_with(prefix_)) continue;
    std::string name = full_name.substr(prefix_.size());
    const bool ours = name.starts_with("embeddings.") || name.starts_with("encoder.") ||
                      name.starts_with("pooler.");
    if (name.ends_with("LayerNorm.gamma")) name.replace(name.size() - 5, 5, "weight");
    if (name.ends_with("LayerNorm.beta")) name.replace(name.size() - 4, 4, "bias");
    if (ours && !known.contains(name))
      throw bad_input(fmt::format(
          "{}: found the tensor '{}', expected none of that name in a BERT of {} layers",
          weights_path_.string(), full_name, shape_.bert.layers));
  }
}

void PretrainedBert::describe(ModelConfig& config) const {
  config.architecture = shape_.architecture;
  config.dimension = shape_.dimension;
  config.hidden = shape_.hidden;
  config.bert = shape_.bert;
}

const TensorView* PretrainedBert::find(const std::string& name) const {
  const auto look_up = [&](const std::string& full_name) -> const TensorView* {
    const auto found = file_.tensors().find(full_name);
    return found == file_.tensors().end() ? nullptr : &found->second;
  };
  const std::string prefix = name.starts_with("cls.") ? "" : prefix_;
  if (const TensorView* tensor = look_up(prefix + name)) return tensor;
  const auto dot = name.rfind('.');
  if (!name.substr(0, dot).ends_with("LayerNorm")) return nullptr;
  return look_up(prefix + name.substr(0, dot) + (name.ends_with(".weight") ? ".gamma" : ".beta"));
}

FloatTensor PretrainedBert::tensor(const TensorSpec& spec) const {
  const TensorView* const held = spec.name.starts_with("head.") ? nullptr : find(spec.name);
  return held != nullptr ? read(spec.name, *held, spec.shape) : fresh_tensor(spec, seed_);
}

FloatTensor PretrainedBert::read(const std::string& name, const TensorView& tensor,
                                 const std::vector<int64_t>& shape) const {
  if (!knows_float_format(tensor.dtype) || tensor.shape != shape)
    throw bad_input(fmt::format("{}: tensor '{}': found {} [{}], expected F32, F16 or BF16 [{}]",
                                weights_path_.string(), name, tensor.dtype,
                                fmt::join(tensor.shape, ", "), fmt::join(shape, ", ")));
  std::vector<float> values = floats_of(tensor);
  check_finite(weights_path_, name, values);
  return {shape, std::move(values)};
}

FloatTensor PretrainedBert::vectors() const {
  return piece_rows(kPieceEmbedding, shape_.dimension);
}

FloatTensor PretrainedBert::piece_rows(const std::string& name, int64_t width) const {
  const TensorView* const table = find(name);
  if (table == nullptr)
    throw bad_input(fmt::format("{}: tensor '{}' is missing", weights_path_.string(), name));
  const int64_t rows = table->shape.empty() ? 0 : table->shape[0];
  if (rows < wordpiece_->size())
    throw bad_input(
        fmt::format("{}: tensor '{}' has {} rows, expected one for each of the {} "
                    "pieces of the tokenizer",
                    weights_path_.string(), name, rows, wordpiece_->size()));
  std::vector<int64_t> shape = {rows};
  if (width > 0) shape.push_back(width);
  FloatTensor tensor = read(name, *table, shape);
  tensor.shape[0] = wordpiece_->size();
  tensor.values.resize(static_cast<size_t>(elements_of(tensor.shape)));
  return tensor;
}

}  // namespace textcrs
