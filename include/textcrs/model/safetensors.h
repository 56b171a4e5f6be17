// Tensors on disk in the safetensors format: data, never code.
//
// Layout (little endian): 8 bytes header size N; N bytes of JSON
//   {"name": {"dtype": "F32", "shape": [2, 3], "data_offsets": [begin, end]}, "__metadata__":
//   {..}};
// then the data, offsets counted from byte 8 + N, without gaps or overlaps. Written headers are
// padded with spaces so that the data starts at a multiple of 64. Readable by the Python
// safetensors package.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/files.h"

namespace TEXTCRS_API textcrs {

struct TensorView {
  std::string dtype;  // F64, F32, F16, BF16, I64, I32, U8, ...
  std::vector<int64_t> shape;
  std::span<const std::byte> data;

  int64_t elements() const;  // the product of the shape
};

// A safetensors file, in memory: one that is cut or written to afterwards changes nothing.
// Everything is checked before any tensor is handed out: the header's size and JSON, known dtypes,
// shapes and offsets that agree, no gap, no overlap, nothing behind the last tensor. A bad_input
// Error names the file, the tensor, what was found and what was expected.
class SafetensorsFile {
 public:
  explicit SafetensorsFile(const std::filesystem::path& path);
  SafetensorsFile(SafetensorsFile&&) = default;
  SafetensorsFile(const SafetensorsFile&) = delete;
  SafetensorsFile& operator=(const SafetensorsFile&) = delete;

  const std::map<std::string, TensorView>& tensors() const { return tensors_; }
  const std::map<std::string, std::string>& metadata() const { return metadata_; }

  // The tensor of that name with exactly this dtype and shape, or a bad_input Error.
  const TensorView& get(const std::string& name, const std::string& dtype,
                        const std::vector<int64_t>& shape) const;

 private:
  std::filesystem::path path_;
  // tensors_ looks into it. With a tensor it is too long to lie within the std::string, so that it
  // stays where it is when the value is moved.
  std::string content_;
  std::map<std::string, TensorView> tensors_;
  std::map<std::string, std::string> metadata_;
};

// Writes atomically.
void write_safetensors(const std::filesystem::path& path,
                       const std::map<std::string, TensorView>& tensors,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace textcrs
