#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "model/float_formats.h"
#include "model/tensors.h"
#include "textcrs/base/error.h"
#include "textcrs/base/reachable.h"
#include "textcrs/data/sources.h"
#include "textcrs/model/safetensors.h"
#include "textcrs/plot/embedding_figures.h"

namespace textcrs::plot {
namespace {

namespace fs = std::filesystem;

// What the word vectors are called in models of words, in a BERT, and in one with a head.
const std::array<std::string, 3> kTables = {"embedding.weight", kPieceEmbedding,
                                            std::string("bert.") + kPieceEmbedding};

// model.safetensors, or the only file of that kind.
fs::path weights_in(const fs::path& folder) {
  if (is_there(folder / "model.safetensors")) return folder / "model.safetensors";
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".safetensors") found.push_back(entry.path());
  if (found.size() != 1)
    throw bad_input(fmt::format("{}: found {} .safetensors files, expected model.safetensors",
                                folder.string(), found.size()));
  return found[0];
}

WordMatrix read_weights(const fs::path& path) {
  const SafetensorsFile file(path);
  for (const std::string& name : kTables) {
    const auto found = file.tensors().find(name);
    if (found == file.tensors().end()) continue;
    const TensorView& tensor = found->second;
    if (!knows_float_format(tensor.dtype) || tensor.shape.size() != 2 || tensor.elements() == 0)
      throw bad_input(fmt::format(
          "{}: tensor '{}': found {} [{}], expected F32, F16 or BF16 [words, dimension]",
          path.string(), name, tensor.dtype, fmt::join(tensor.shape, ", ")));
    WordMatrix matrix;
    matrix.dimension = static_cast<size_t>(tensor.shape[1]);
    matrix.values = floats_of(tensor);
    check_finite(path, name, matrix.values);
    return matrix;
  }
  throw bad_input(fmt::format("{}: found no word vectors, expected a tensor named {}",
                              path.string(), fmt::join(kTables, " or ")));
}

WordMatrix read_vectors(const std::string& source) {
  const WordVectors vectors = open_vectors(source);
  WordMatrix matrix;
  matrix.dimension = static_cast<size_t>(vectors.dimension());
  matrix.values.assign(vectors.matrix().begin(), vectors.matrix().end());
  check_finite(source, "word vectors", matrix.values);
  return matrix;
}

void leave_out_zeros(WordMatrix& matrix) {
  size_t kept = 0;
  for (size_t row = 0; row < matrix.words(); ++row) {
    const auto from = matrix.values.begin() + static_cast<std::ptrdiff_t>(row * matrix.dimension);
    const auto to = from + static_cast<std::ptrdiff_t>(matrix.dimension);
    if (std::all_of(from, to, [](float value) { return value == 0; })) continue;
    std::copy(from, to,
              matrix.values.begin() + static_cast<std::ptrdiff_t>(kept++ * matrix.dimension));
  }
  matrix.values.resize(kept * matrix.dimension);
}

// The asset's name, or the last part of the path.
std::string name_of(const std::string& source) {
  const fs::path path = fs::path(source).lexically_normal();
  return (path.has_filename() ? path : path.parent_path()).filename().string();
}

}  // namespace

WordMatrix load_word_matrix(const std::string& source) {
  const fs::path path = asset_or_path(source);
  WordMatrix matrix = is_folder(path)                      ? read_weights(weights_in(path))
                      : path.extension() == ".safetensors" ? read_weights(path)
                                                           : read_vectors(source);
  matrix.name = name_of(source);
  leave_out_zeros(matrix);
  if (matrix.words() == 0)
    throw bad_input(fmt::format("{}: all word vectors are zero", path.string()));
  return matrix;
}

}  // namespace textcrs::plot
