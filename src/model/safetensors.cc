#include "textcrs/model/safetensors.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "base/regular_file.h"
#include "text/json.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

using nlohmann::json;

constexpr uint64_t kMaxHeader = 100'000'000;  // the limit of the reference implementation
constexpr uint64_t kAlignment = 64;
constexpr size_t kMostExtents = 64;

const std::map<std::string, uint64_t>& dtype_sizes() {
  static const std::map<std::string, uint64_t> sizes = {
      {"F64", 8}, {"F32", 4}, {"F16", 2}, {"BF16", 2}, {"I64", 8}, {"I32", 4}, {"I16", 2},
      {"I8", 1},  {"U8", 1},  {"U16", 2}, {"U32", 4},  {"U64", 8}, {"BOOL", 1}};
  return sizes;
}

// a * b, or nothing on overflow.
bool multiply(uint64_t a, uint64_t b, uint64_t& product) {
  return !__builtin_mul_overflow(a, b, &product);
}

// The bytes of a regular file, in one read: there may be gigabytes of them.
std::string read_at_once(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return read_regular_file(path);  // why not
  std::ifstream in(path, std::ios::binary);
  if (!in) return read_file(path);
  std::string content(std::filesystem::file_size(path), '\0');
  in.read(content.data(), static_cast<std::streamsize>(content.size()));
  if (static_cast<size_t>(in.gcount()) != content.size())
    throw bad_input(fmt::format("{}: the file was cut while it was read", path.string()));
  return content;
}

struct Range {
  uint64_t begin, end;
  std::string name;
};

}  // namespace

int64_t TensorView::elements() const {
  int64_t count = 1;
  for (int64_t extent : shape) count *= extent;
  return count;
}

SafetensorsFile::SafetensorsFile(const std::filesystem::path& path)
    : path_(path), content_(read_at_once(path)) {
  const auto fail = [&](const std::string& why) {
    throw bad_input(fmt::format("{}: {}", path.string(), why));
  };
  const std::span<const std::byte> bytes = std::as_bytes(std::span(content_));
  if (bytes.size() < 8)
    fail(fmt::format("found {} bytes, expected at least the 8 bytes of the header's size",
                     bytes.size()));
  uint64_t header_size = 0;
  std::memcpy(&header_size, bytes.data(), 8);
  if (header_size > kMaxHeader || header_size > bytes.size() - 8)
    fail(fmt::format("the header is said to have {} bytes, the file has {} (truncated?)",
                     header_size, bytes.size()));
  const auto header = parse_json<json>(std::string_view(content_).substr(8, header_size),
                                       path.string() + ": header");
  if (!header.is_object()) fail("the header is not a JSON object");

  const auto data = bytes.subspan(8 + header_size);
  std::vector<Range> ranges;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") {
      if (!entry.is_object()) fail("__metadata__ is not a JSON object");
      for (const auto& [key, value] : entry.items()) {
        if (!value.is_string()) fail(fmt::format("__metadata__ '{}' is not a string", key));
        metadata_[key] = value.get<std::string>();
      }
      continue;
    }
    TensorView tensor;
    uint64_t begin = 0, end = 0;
    try {
      tensor.dtype = entry.at("dtype").get<std::string>();
      const auto& shape = entry.at("shape");
      if (!shape.is_array()) fail(fmt::format("tensor '{}': the shape is not a list", name));
      if (shape.size() > kMostExtents)
        fail(fmt::format("tensor '{}': found a shape of {} numbers, expected at most {}", name,
                         shape.size(), kMostExtents));
      for (const auto& extent : shape)
        tensor.shape.push_back(
            static_cast<int64_t>(extent.get_ref<const json::number_unsigned_t&>()));
      const auto& offsets = entry.at("data_offsets");
      if (!offsets.is_array() || offsets.size() != 2)
        fail(fmt::format("tensor '{}': expected two data_offsets", name));
      begin = offsets.at(0).get_ref<const json::number_unsigned_t&>();
      end = offsets.at(1).get_ref<const json::number_unsigned_t&>();
    } catch (const json::exception& error) {
      fail(fmt::format("tensor '{}': malformed entry ({})", name, error.what()));
    }
    const auto size = dtype_sizes().find(tensor.dtype);
    if (size == dtype_sizes().end())
      fail(fmt::format("tensor '{}': unknown dtype '{}'", name, tensor.dtype));
    uint64_t expected = size->second;
    for (int64_t extent : tensor.shape)
      if (extent < 0 || !multiply(expected, static_cast<uint64_t>(extent), expected))
        fail(fmt::format("tensor '{}': the shape [{}] is too large", name,
                         fmt::join(tensor.shape, ", ")));
    if (begin > end || end > data.size())
      fail(
          fmt::format("tensor '{}': data_offsets [{}, {}] lie outside the {} bytes of data "
                      "(truncated?)",
                      name, begin, end, data.size()));
    if (end - begin != expected)
      fail(fmt::format("tensor '{}': found {} bytes, expected {} for {} [{}]", name, end - begin,
                       expected, tensor.dtype, fmt::join(tensor.shape, ", ")));
    tensor.data = data.subspan(begin, end - begin);
    ranges.push_back({begin, end, name});
    tensors_.emplace(name, std::move(tensor));
  }
  std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  uint64_t covered = 0;
  for (const Range& range : ranges) {
    if (range.begin != covered)
      fail(fmt::format("tensor '{}': starts at byte {}, expected {} (no gaps, no overlaps)",
                       range.name, range.begin, covered));
    covered = range.end;
  }
  if (covered != data.size())
    fail(fmt::format("{} bytes behind the last tensor", data.size() - covered));
}

const TensorView& SafetensorsFile::get(const std::string& name, const std::string& dtype,
                                       const std::vector<int64_t>& shape) const {
  const auto it = tensors_.find(name);
  if (it == tensors_.end())
    throw bad_input(fmt::format("{}: tensor '{}' is missing", path_.string(), name));
  const TensorView& tensor = it->second;
  if (tensor.dtype != dtype || tensor.shape != shape)
    throw bad_input(fmt::format("{}: tensor '{}': found {} [{}], expected {} [{}]", path_.string(),
                                name, tensor.dtype, fmt::join(tensor.shape, ", "), dtype,
                                fmt::join(shape, ", ")));
  return tensor;
}

void write_safetensors(const std::filesystem::path& path,
                       const std::map<std::string, TensorView>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  json header = json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  uint64_t offset = 0;
  for (const auto& [name, tensor] : tensors) {
    header[name] = {{"dtype", tensor.dtype},
                    {"shape", tensor.shape},
                    {"data_offsets", {offset, offset + tensor.data.size()}}};
    offset += tensor.data.size();
  }
  std::string text = header.dump();
  text.append((kAlignment - (8 + text.size()) % kAlignment) % kAlignment, ' ');
  const uint64_t size = text.size();
  write_file_atomically(path, [&](std::ostream& out) {
    out.write(reinterpret_cast<const char*>(&size), 8);
    out.write(text.data(), static_cast<std::streamsize>(text.size()));
    for (const auto& [name, tensor] : tensors)
      out.write(reinterpret_cast<const char*>(tensor.data.data()),
                static_cast<std::streamsize>(tensor.data.size()));
  });
}

}  // namespace textcrs
