// One number for all that answers depend on.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "textcrs/base/api.h"
#include "textcrs/base/hash.h"
#include "textcrs/model/weights.h"
#include "textcrs/text/wordpiece.h"

namespace TEXTCRS_API textcrs {

class Fingerprint {
 public:
  void add(std::string_view text);
  void add(const WordPiece& wordpiece);  // its rules and its pieces
  void add(const std::string& name, const FloatTensor& tensor);
  template <typename T>
  void add_values(std::span<const T> values) {
    add(bytes_of(values.data(), values.size()));
  }
  std::string text() const;  // 16 hexadecimal digits

 private:
  uint64_t hash_ = kHashStart;
};

}  // namespace textcrs
