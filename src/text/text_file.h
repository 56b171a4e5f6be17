// Text files as the readers want them: checked once, then free of surprises.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "textcrs/base/error.h"

namespace textcrs {

// The content without a byte order mark. A file that is empty, is not UTF-8 or holds a NUL byte is
// a bad_input Error.
std::string read_text_file(const std::filesystem::path& path);

// What to write so that read_text_file() gives `content`: a mark at its start that is part of it
// needs another in front.
std::string as_text_file(std::string content);

// "FILE:LINE: MESSAGE" as a bad_input Error.
Error bad_line(const std::filesystem::path& path, size_t line, std::string_view message);

// The lines of a text, numbered from 1, without their ends (\n or \r\n).
class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text) {}
  bool next(std::string_view& line);
  size_t number() const { return number_; }  // of the line returned last

 private:
  std::string_view text_;
  size_t at_ = 0;
  size_t number_ = 0;
};

size_t line_of(std::string_view text, size_t offset);  // from 1
bool is_blank(std::string_view text);
std::string_view trim(std::string_view text);

}  // namespace textcrs
