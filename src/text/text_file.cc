#include "text/text_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/regular_file.h"
#include "text/utf8.h"

namespace textcrs {
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kBlank = " \t\r\n\f\v";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

}  // namespace

std::string read_text_file(const fs::path& path) {
  std::string text = read_regular_file(path);
  if (const auto bad = find_bad_byte(text))
    throw bad_line(path, line_of(text, bad->offset), bad->complaint);
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  if (is_blank(text))
    throw bad_input(fmt::format("{}: found an empty file, expected texts", path.string()));
  return text;
}

std::string as_text_file(std::string content) {
  if (content.starts_with(kByteOrderMark)) content.insert(0, kByteOrderMark);
  return content;
}

Error bad_line(const fs::path& path, size_t line, std::string_view message) {
  return bad_input(fmt::format("{}:{}: {}", path.string(), line, message));
}

bool LineReader::next(std::string_view& line) {
  if (at_ >= text_.size()) return false;
  const size_t end = std::min(text_.find('\n', at_), text_.size());
  line = text_.substr(at_, end - at_);
  if (line.ends_with('\r')) line.remove_suffix(1);
  at_ = end + 1;
  ++number_;
  return true;
}

size_t line_of(std::string_view text, size_t offset) {
  return 1 + static_cast<size_t>(std::count(
                 text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

bool is_blank(std::string_view text) { return text.find_first_not_of(kBlank) == text.npos; }

std::string_view trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlank);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

}  // namespace textcrs
