#include "text/wordnet_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

#include "text/text_file.h"
#include "textcrs/base/error.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace {

std::optional<int> parse(std::string_view field, int base) {
  int value = 0;
  const char* const end = field.data() + field.size();
  const auto [stop, error] = std::from_chars(field.data(), end, value, base);
  if (error != std::errc{} || stop != end || value < 0) return std::nullopt;
  return value;
}

}  // namespace

std::string_view WordnetLine::next(std::string_view what) {
  const size_t end = std::min(rest_.find(' '), rest_.size());
  const std::string_view field = rest_.substr(0, end);
  if (field.empty()) fail(fmt::format("found the end of the fields, expected {}", what));
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  return field;
}

int WordnetLine::digits(std::string_view what, size_t width, int base) {
  const std::string_view field = next(what);
  const std::optional<int> value = parse(field, base);
  if (field.size() != width || !value)
    fail(fmt::format("{} is '{}', expected {} {}digit{}", what, field, width,
                     base == 16 ? "hexadecimal " : "", width == 1 ? "" : "s"));
  return *value;
}

int WordnetLine::number(std::string_view what) {
  const std::string_view field = next(what);
  const std::optional<int> value = parse(field, 10);
  if (!value) fail(fmt::format("{} is '{}', expected a whole number", what, field));
  return *value;
}

void WordnetLine::fail(const std::string& why) const {
  throw bad_input(fmt::format("{}:{}: {}", file_, number_, why));
}

void for_each_wordnet_line(const std::filesystem::path& path,
                           const std::function<void(WordnetLine&)>& visit) {
  const std::string file = path.string();
  const MappedFile mapped(path);
  LineReader reader(mapped.text());
  for (std::string_view text; reader.next(text);) {
    if (text.starts_with("  ")) continue;
    WordnetLine line(file, reader.number(), text);
    visit(line);
  }
}

std::string lower_case(std::string_view lemma) {
  std::string lower(lemma);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

}  // namespace textcrs
