#include "style.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "textcrs/text/printable_name.h"

namespace textcrs::cli {
namespace {

std::optional<bool> chosen;  // empty: what suits the stream

std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool has_color(std::FILE* stream) {
  if (chosen) return *chosen;
  return isatty(fileno(stream)) != 0 && variable("NO_COLOR").empty() && !variable("TERM").empty() &&
         variable("TERM") != "dumb";
}

constexpr std::string_view kStart = "\033[", kPlain = "\033[0m";

// "Select Graphic Rendition" of ECMA-48: 1 is bold, 31 red, 32 green, 33 yellow.
std::string_view parameters(Style style) {
  switch (style) {
    case Style::kHeading:
      return "1";
    case Style::kAnswer:
      return "1;32";
    case Style::kNoAnswer:
      return "1;33";
    case Style::kError:
      return "1;31";
  }
  return "";
}

std::string sequence(Style style) { return fmt::format("{}{}m", kStart, parameters(style)); }

// The length of the sequence of ours that the text begins with, or 0.
size_t own_sequence(std::string_view text) {
  if (text.starts_with(kPlain)) return kPlain.size();
  for (const Style style : {Style::kHeading, Style::kAnswer, Style::kNoAnswer, Style::kError})
    if (const std::string one = sequence(style); text.starts_with(one)) return one.size();
  return 0;
}

}  // namespace

void choose_color(const std::string& choice) {
  chosen = choice == "auto" ? std::nullopt : std::optional(choice == "always");
}

std::string styled(Style style, std::string_view text, std::FILE* stream) {
  if (text.empty() || !has_color(stream)) return std::string(text);
  return fmt::format("{}{}{}", sequence(style), text, kPlain);
}

std::string styled_start(Style style, std::string_view start, const std::string& text) {
  if (!text.starts_with(start)) return text;
  return styled(style, start) + text.substr(start.size());
}

std::string styled_first_line(Style style, const std::string& text) {
  return styled_start(style, text.substr(0, text.find('\n')), text);
}

std::string printable_styled(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    size_t own = own_sequence(text), plain = 0;
    if (own == 0 && (text[0] == '\n' || text[0] == '\t')) own = 1;
    if (own == 0) plain = std::min(text.find_first_of("\033\n\t", 1), text.size());
    out += own > 0 ? std::string(text.substr(0, own)) : printable_line(text.substr(0, plain));
    text.remove_prefix(own + plain);
  }
  return out;
}

}  // namespace textcrs::cli
