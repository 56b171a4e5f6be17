#include "data/encoding.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "text/text_file.h"
#include "text/utf8.h"

namespace textcrs {
namespace {

using namespace std::literals;

struct Kind {
  std::string_view start, name;
};

// Longer marks first: UTF-32's begins with UTF-16's.
constexpr Kind kByteOrderMarks[] = {{"\xff\xfe\0\0"sv, "UTF-32"},
                                    {"\0\0\xfe\xff"sv, "UTF-32"},
                                    {"\xff\xfe"sv, "UTF-16"},
                                    {"\xfe\xff"sv, "UTF-16"}};
constexpr Kind kOtherFiles[] = {{"PK\x03\x04"sv, "a zip archive (or a spreadsheet)"},
                                {"BZh"sv, "bzip2 data"},
                                {"\xfd"
                                 "7zXZ\0"sv,
                                 "xz data"},
                                {"\x28\xb5\x2f\xfd"sv, "zstd data"},
                                {"PAR1"sv, "a Parquet file"},
                                {"\xd0\xcf\x11\xe0"sv, "an old Office file"}};

template <size_t count>
std::optional<std::string_view> kind_of(std::string_view text, const Kind (&kinds)[count]) {
  for (const Kind& kind : kinds)
    if (text.starts_with(kind.start)) return kind.name;
  return std::nullopt;
}

// UTF-16 of mostly ASCII text has a NUL in every second byte.
std::optional<std::string_view> utf16_without_mark(std::string_view text) {
  const std::string_view start = text.substr(0, 1000);
  size_t nuls[2] = {0, 0};
  for (size_t i = 0; i < start.size(); ++i) nuls[i % 2] += start[i] == '\0' ? 1 : 0;
  const size_t many = start.size() / 4;
  if (nuls[1] > many && nuls[0] == 0) return "UTF-16LE";
  if (nuls[0] > many && nuls[1] == 0) return "UTF-16BE";
  return std::nullopt;
}

// The shell command that writes the file as UTF-8.
std::string conversion(const std::filesystem::path& path, bool packed, std::string_view iconv) {
  std::filesystem::path out = path.filename();
  if (packed && out.extension() == ".gz") out = out.stem();
  const std::string to = out.stem().string() + "-utf8" + out.extension().string();
  return packed ? fmt::format("gzip -dc '{}' | {} > '{}'", path.string(), iconv, to)
                : fmt::format("{} '{}' > '{}'", iconv, path.string(), to);
}

bool has_other_characters(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return (c & 0x80) != 0; });
}

std::string advice(const std::filesystem::path& path, std::string_view text, bool packed,
                   size_t offset) {
  if (has_other_characters(text.substr(0, offset)))
    return fmt::format("the text before it is UTF-8; to drop what is not: {}",
                       conversion(path, packed, "iconv -c -f UTF-8 -t UTF-8"));
  return fmt::format("if it is Western European text of Windows: {}",
                     conversion(path, packed, "iconv -f WINDOWS-1252 -t UTF-8"));
}

}  // namespace

void check_encoding(const std::filesystem::path& path, std::string_view text, bool packed) {
  const auto bad = find_bad_byte(text);
  if (!bad) return;
  if (const auto other = kind_of(text, kOtherFiles))
    throw bad_input(fmt::format("{}: found {}, expected UTF-8 text, plain or packed by gzip",
                                path.string(), *other));
  auto wide = kind_of(text, kByteOrderMarks);
  const std::string how = wide ? "its byte order mark" : "its NUL bytes";
  if (!wide) wide = utf16_without_mark(text);
  if (wide)
    throw bad_input(
        fmt::format("{}: found {} by {}, expected UTF-8; to convert it: {}", path.string(), *wide,
                    how, conversion(path, packed, fmt::format("iconv -f {} -t UTF-8", *wide))));
  const bool nul = text[bad->offset] == '\0';
  throw bad_line(
      path, line_of(text, bad->offset),
      nul ? bad->complaint
          : fmt::format("{}; {}", bad->complaint, advice(path, text, packed, bad->offset)));
}

}  // namespace textcrs
