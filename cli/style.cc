#include "style.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>

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

}  // namespace

void choose_color(const std::string& choice) {
  chosen = choice == "auto" ? std::nullopt : std::optional(choice == "always");
}

std::string styled(Style style, std::string_view text, std::FILE* stream) {
  if (text.empty() || !has_color(stream)) return std::string(text);
  return fmt::format("\033[{}m{}\033[0m", parameters(style), text);
}

std::string styled_start(Style style, std::string_view start, const std::string& text) {
  if (!text.starts_with(start)) return text;
  return styled(style, start) + text.substr(start.size());
}

std::string styled_first_line(Style style, const std::string& text) {
  return styled_start(style, text.substr(0, text.find('\n')), text);
}

}  // namespace textcrs::cli
