// A safetensors file: what is read and written again is the same, and no tensor lies outside.
#include <algorithm>

#include "fuzz.h"
#include "textcrs/model/safetensors.h"
#include "textcrs/model/weights.h"

namespace {

bool same(const textcrs::TensorView& a, const textcrs::TensorView& b) {
  return a.dtype == b.dtype && a.shape == b.shape && std::ranges::equal(a.data, b.data);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace textcrs;
  const auto path = fuzz::file_with(fuzz::text_of(data, size));
  const auto file = fuzz::accepted([&] { return SafetensorsFile(path); });
  if (!file) return 0;
  size_t bytes = 0;
  for (const auto& [name, tensor] : file->tensors()) {
    const auto elements = static_cast<size_t>(tensor.elements());
    fuzz::require(elements == 0 ? tensor.data.empty() : tensor.data.size() % elements == 0,
                  "a tensor has the bytes of its elements");
    fuzz::require(&file->get(name, tensor.dtype, tensor.shape) == &tensor, "a tensor is found");
    bytes += tensor.data.size();
  }
  fuzz::require(bytes <= size, "tensors lie in the file");

  const auto copy_path = fuzz::file_with("", "copy");
  write_safetensors(copy_path, file->tensors(), file->metadata());
  const SafetensorsFile copy(copy_path);
  fuzz::require(copy.metadata() == file->metadata(), "metadata are read back");
  fuzz::require(std::ranges::equal(copy.tensors(), file->tensors(),
                                   [](const auto& a, const auto& b) {
                                     return a.first == b.first && same(a.second, b.second);
                                   }),
                "tensors are read back");

  if (const auto weights = fuzz::accepted([&] { return load_weights(path); })) {
    save_weights(copy_path, *weights);
    fuzz::require(load_weights(copy_path) == *weights, "weights are read back");
  }
  return 0;
}
