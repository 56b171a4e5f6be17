#include "text/html.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "textcrs/text/tokenizer.h"

namespace textcrs {
namespace {

using Code = utf8proc_int32_t;

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool starts_with_ignoring_case(std::string_view text, std::string_view lower) {
  return text.size() >= lower.size() &&
         std::equal(lower.begin(), lower.end(), text.begin(),
                    [](char a, char b) { return a == ascii_lower(b); });
}

// "#N;" at the start of `text`.
std::optional<Entity> parse_number(std::string_view text) {
  constexpr size_t kMostDigits = 7;
  size_t end = 1;
  while (end < text.size() && end <= kMostDigits && is_digit(text[end])) ++end;
  if (end == 1 || end >= text.size() || text[end] != ';') return std::nullopt;
  Code code = 0;
  std::from_chars(text.data() + 1, text.data() + end, code);
  if (code == 0 || !utf8proc_codepoint_valid(code)) return std::nullopt;
  return Entity{code, end + 1};
}

// What is between the brackets of a tag, without the slash of a closing one: its name and the rest.
std::pair<std::string_view, std::string_view> name_and_rest(std::string_view tag) {
  std::string_view body = tag.substr(1, tag.size() - 2);
  if (body.starts_with('/')) body.remove_prefix(1);
  const size_t name_end = std::min(body.find_first_of(" \t\r\n/"), body.size());
  return {body.substr(0, name_end), body.substr(name_end)};
}

bool is_named(std::string_view name, std::string_view lower) {
  return name.size() == lower.size() && starts_with_ignoring_case(name, lower);
}

}  // namespace

std::optional<Entity> parse_entity(std::string_view text) {
  if (text[0] == '#') {
    const auto entity = parse_number(text);
    const size_t digits = entity ? entity->length - 2 : 0;
    if (digits < 2 || digits > 5) return std::nullopt;
    const bool in_words = utf8proc_category(entity->code) <= UTF8PROC_CATEGORY_NO;
    if (entity->code < 0x20 || in_words) return std::nullopt;
    return entity;
  }
  if (text.size() > 1 && text[1] == '#') {
    auto entity = parse_number(text.substr(1));
    if (entity) ++entity->length;
    return entity;
  }
  static constexpr std::array<std::pair<std::string_view, Code>, 6> kNamed = {{{"&amp;", '&'},
                                                                               {"&lt;", '<'},
                                                                               {"&gt;", '>'},
                                                                               {"&quot;", '"'},
                                                                               {"&apos;", '\''},
                                                                               {"&nbsp;", ' '}}};
  for (const auto& [name, code] : kNamed)
    if (starts_with_ignoring_case(text, name)) return Entity{code, name.size()};
  return std::nullopt;
}

std::string decode_entities(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  size_t at = 0;
  while (at < text.size()) {
    const size_t next = std::min(text.find_first_of("&#", at), text.size());
    out += text.substr(at, next - at);
    at = next;
    if (at == text.size()) break;
    if (const auto entity = parse_entity(text.substr(at))) {
      std::array<utf8proc_uint8_t, 4> bytes;
      const auto length = utf8proc_encode_char(entity->code, bytes.data());
      out.append(reinterpret_cast<const char*>(bytes.data()), static_cast<size_t>(length));
      at += entity->length;
    } else {
      out += text[at++];
    }
  }
  return out;
}

size_t tag_length(std::string_view text) {
  static constexpr std::array<std::string_view, 10> kTags = {"br", "p",  "hr",     "i", "b",
                                                             "u",  "em", "strong", "a", "font"};
  constexpr size_t kLongest = 500;
  const size_t end = text.substr(0, kLongest).find_first_of("<>", 1);
  if (end == std::string_view::npos || text[end] != '>') return 0;
  const auto [name, rest] = name_and_rest(text.substr(0, end + 1));
  const bool known = std::any_of(kTags.begin(), kTags.end(),
                                 [name = name](auto tag) { return is_named(name, tag); });
  const bool plain = rest.find_first_not_of(" \t\r\n/") == std::string_view::npos;
  return known && (plain || rest.find('=') != std::string_view::npos) ? end + 1 : 0;
}

bool is_line_break(std::string_view tag) {
  const std::string_view name = name_and_rest(tag).first;
  return is_named(name, "br") || is_named(name, "p") || is_named(name, "hr");
}

std::string without_markup(std::string_view text) {
  const std::string decoded = decode_entities(text);
  std::string plain;
  plain.reserve(decoded.size());
  for (size_t at = 0; at < decoded.size();) {
    const size_t tag = decoded[at] == '<' ? tag_length(std::string_view(decoded).substr(at)) : 0;
    plain += tag > 0 ? ' ' : decoded[at];
    at += std::max<size_t>(tag, 1);
  }
  return plain;
}

}  // namespace textcrs
