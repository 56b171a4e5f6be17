// The objects of a JSON array, cut apart but not parsed, so that each has its line.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "textcrs/base/error.h"

namespace textcrs {

class JsonArray {
 public:
  // `path` is for messages; `text` must outlive the reader.
  JsonArray(std::filesystem::path path, std::string_view text)
      : path_(std::move(path)), text_(text) {}

  // The next object, from '{' to its '}', or false at the end. Anything but one array of objects is
  // a bad_input Error; what is inside the objects is not looked at.
  bool next(std::string_view& object);
  size_t line() const { return object_line_; }  // on which the object returned last starts

 private:
  void skip_blanks();
  bool take(char c);  // after blanks
  std::string_view take_object();
  Error complaint(std::string_view expected) const;

  std::filesystem::path path_;
  std::string_view text_;
  size_t at_ = 0;
  size_t line_ = 1;
  size_t object_line_ = 0;
  bool opened_ = false;
};

}  // namespace textcrs
