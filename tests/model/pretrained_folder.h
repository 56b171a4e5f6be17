// A tiny pretrained BERT on disk, to be spoiled.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "expect_error.h"
#include "text/temporary_folder.h"
#include "textcrs/model/safetensors.h"
#include "tiny_bert.h"

namespace textcrs {

// A tensor in the bytes of its type.
struct Stored {
  std::string dtype;
  std::vector<int64_t> shape;
  std::string bytes;

  template <typename T>
  static Stored of(const char* dtype, std::vector<int64_t> shape, const std::vector<T>& values) {
    return {dtype, std::move(shape),
            std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T))};
  }
  Stored(std::string type, std::vector<int64_t> extents, std::string content)
      : dtype(std::move(type)), shape(std::move(extents)), bytes(std::move(content)) {}
  Stored(const FloatTensor& tensor)  // NOLINT(google-explicit-constructor)
      : Stored(of("F32", tensor.shape, tensor.values)) {}
};
using StoredTensors = std::map<std::string, Stored>;

inline void write_tensors(const std::filesystem::path& path, const StoredTensors& tensors) {
  std::map<std::string, TensorView> views;
  for (const auto& [name, tensor] : tensors)
    views[name] = {tensor.dtype, tensor.shape, std::as_bytes(std::span(tensor.bytes))};
  write_safetensors(path, views);
}

inline StoredTensors stored(const Weights& weights) { return {weights.begin(), weights.end()}; }

inline FloatTensor filled(std::vector<int64_t> shape, float value) {
  const auto count = static_cast<size_t>(elements_of(shape));
  return {std::move(shape), std::vector<float>(count, value)};
}

// The nearest number in half precision, for moderate x.
inline uint16_t to_half(float x) {
  const uint32_t sign = std::signbit(x) ? 0x8000 : 0;
  int exponent = 0;
  const double fraction = std::frexp(std::abs(x), &exponent);  // in [0.5, 1)
  const double rounded = exponent < -13
                             ? std::nearbyint(std::ldexp(std::abs(x), 24))
                             : std::nearbyint(std::ldexp(fraction, 11)) + 1024 * (exponent + 13);
  return static_cast<uint16_t>(sign | static_cast<uint32_t>(rounded));
}

class PretrainedFolder : public testing::Test {
 protected:
  PretrainedFolder() {
    config_.slots = 12;
    config_.classes = {"no", "yes", "maybe"};
    tiny_.write(folder());
  }
  std::filesystem::path folder() const { return folder_.path() / "bert"; }
  std::filesystem::path weights() const { return folder() / "model.safetensors"; }

  std::unique_ptr<Classifier> load(uint64_t seed = 1) const {
    return Classifier::from_bert(config_, Vocabulary({"film"}, Vocabulary::Growth::kOpen), {},
                                 folder(), seed);
  }
  // The folder is read, and its tensors are `expected`.
  void expect_read(const Weights& expected) const {
    const auto classifier = load();
    for (const auto& [name, tensor] : expected)
      EXPECT_EQ(classifier->weights().at(name), tensor) << name;
    EXPECT_EQ(classifier->weights().size(), expected.size() + 2);  // the head
  }
  // The folder is refused; the message begins with `file` and says all of `what`.
  void expect_refused(const std::filesystem::path& file,
                      const std::vector<std::string>& what) const {
    const std::string message = expect_error(ErrorKind::kBadInput, [&] { load(); });
    EXPECT_EQ(message.rfind(file.string() + ":", 0), 0u) << message;
    for (const std::string& part : what)
      EXPECT_NE(message.find(part), std::string::npos) << part << " in: " << message;
  }
  void change_config(const std::string& key, const nlohmann::json& value) const {
    auto config = nlohmann::json::parse(tiny_.config_json());
    if (value.is_discarded())
      config.erase(key);
    else
      config[key] = value;
    std::ofstream(folder() / "config.json") << config;
  }

  TemporaryFolder folder_;
  TinyBert tiny_;
  ModelConfig config_;
};

}  // namespace textcrs
