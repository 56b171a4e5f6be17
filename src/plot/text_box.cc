#include "plot/text_box.h"

#include <fmt/format.h>

#include <algorithm>

#include "plot/style.h"
#include "textcrs/text/printable_name.h"

namespace textcrs::plot {
namespace {

constexpr double kEm = 0.65, kWideEm = 1.1;

// Bytes of the character that begins here; the text is valid UTF-8.
size_t character(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const size_t bytes = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  return std::min(bytes, text.size());
}

// Of DejaVu Sans, which is what "sans" often is, and as wide as any.
double em_of(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() >= 3 && first >= 0xe3) return kWideEm;  // CJK and beyond
  const auto is_one_of = [&](std::string_view list) {
    return character.size() == 1 && list.find(character[0]) != std::string_view::npos;
  };
  if (is_one_of("ijlI'|.,:;!` ")) return 0.34;
  if (is_one_of("ft()[]-/\\\"r")) return 0.46;
  if (is_one_of("mwMWOQ%@+=<>#~^&")) return 0.98;
  if (first >= 'A' && first <= 'Z') return 0.78;
  return kEm;
}

// "N = 1000" stays in one line.
bool may_break(std::string_view before, std::string_view behind) {
  const char last = before.back();
  if (last == ' ' && (before.ends_with("= ") || behind.starts_with("="))) return false;
  return last == ' ' || last == ',' || last == '/' || last == ':';
}

std::string doubled(std::string_view text, char which) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == which) out += c;
  }
  return out;
}

}  // namespace

double text_width(std::string_view text) {
  double em = 0;
  for (size_t at = 0, bytes; at < text.size(); at += bytes) {
    bytes = character(text.substr(at));
    em += em_of(text.substr(at, bytes));
  }
  return em * kLetter;
}

std::vector<std::string> wrapped(std::string_view text, double room) {
  std::vector<std::string> lines;
  std::string line;
  size_t break_at = 0;  // of the line; 0: nowhere yet
  for (size_t at = 0, bytes; at < text.size(); at += bytes) {
    bytes = character(text.substr(at));
    const std::string_view next = text.substr(at, bytes);
    if (!line.empty() && text_width(line) + em_of(next) * kLetter > room) {
      const size_t cut = break_at > 0 ? break_at : line.size();
      std::string rest = line.substr(cut);
      line.erase(cut);
      while (line.ends_with(' ')) line.pop_back();
      lines.push_back(std::move(line));
      line = std::move(rest);
      break_at = 0;
    }
    if (line.empty() && next == " ") continue;
    line += next;
    if (may_break(line, text.substr(at + bytes))) break_at = line.size();
  }
  if (!line.empty()) lines.push_back(std::move(line));
  return lines;
}

std::string gnuplot_string(std::string_view text) {
  return fmt::format("'{}'", doubled(printable_line(text), '\''));
}

std::string gnuplot_tick(std::string_view text) { return doubled(gnuplot_string(text), '%'); }

}  // namespace textcrs::plot
