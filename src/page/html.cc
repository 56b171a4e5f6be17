#include "page/html.h"

#include <stdexcept>
#include <utility>

#include "text/utf8.h"

namespace textcrs {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kNoBreakSpace = "\xC2\xA0";

// With U+FFFD for every byte that is not UTF-8.
std::string valid_utf8(std::string_view text) {
  std::string out;
  while (const auto invalid = find_invalid_utf8(text)) {
    out.append(text.substr(0, *invalid)).append(kReplacement);
    text.remove_prefix(*invalid + 1);
  }
  return out.append(text);
}

// U+202A to U+202E and U+2066 to U+2069: embeddings, overrides and isolates of a direction.
bool turns_direction(std::string_view text) {
  if (text.size() < 3 || text[0] != '\xE2') return false;
  const auto last = static_cast<unsigned char>(text[2]);
  return (text[1] == '\x80' && last >= 0xAA && last <= 0xAE) ||
         (text[1] == '\x81' && last >= 0xA6 && last <= 0xA9);
}

bool is_control(char byte) {
  return (static_cast<unsigned char>(byte) < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F;
}

}  // namespace

std::string escaped_html(std::string_view text) {
  const std::string valid = valid_utf8(text);
  std::string out;
  for (size_t i = 0; i < valid.size(); ++i) {
    const char byte = valid[i];
    if (byte == '&')
      out += "&amp;";
    else if (byte == '<')
      out += "&lt;";
    else if (byte == '>')
      out += "&gt;";
    else if (byte == '"')
      out += "&quot;";
    else if (byte == '\'')
      out += "&#39;";
    else if (byte == '\r')
      out += valid.substr(i + 1, 1) == "\n" ? "" : "\n";
    else if (is_control(byte))
      out += kReplacement;
    else
      out += byte;
  }
  return out;
}

std::string prose(std::string_view sentence) {
  std::string out;
  for (size_t i = 0; i < sentence.size(); ++i) {
    const std::string_view rest = sentence.substr(i);
    if (turns_direction(rest)) {
      out += kReplacement;
      i += 2;
    } else if (rest.starts_with(" %")) {
      out += kNoBreakSpace;
    } else {
      out += rest[0];
    }
  }
  return out;
}

std::string start_of(const std::string& text, size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  return text.substr(0, bytes) + " …";
}

std::string script_json(const nlohmann::ordered_json& value) {
  const std::string json = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out;
  out.reserve(json.size() + json.size() / 16);
  for (size_t i = 0; i < json.size(); ++i) {
    const std::string_view rest = std::string_view(json).substr(i);
    if (json[i] == '<')
      out += "\\u003c";
    else if (json[i] == '>')
      out += "\\u003e";
    else if (json[i] == '&')
      out += "\\u0026";
    else if (rest.starts_with("\xE2\x80\xA8") || rest.starts_with("\xE2\x80\xA9")) {
      out += json[i + 2] == '\xA8' ? "\\u2028" : "\\u2029";
      i += 2;
    } else
      out += json[i];
  }
  return out;
}

void Html::start(std::string_view element, const std::vector<Attribute>& attributes) {
  out_.append("<").append(element);
  for (const Attribute& attribute : attributes)
    out_.append(" ")
        .append(attribute.name)
        .append("=\"")
        .append(escaped_html(attribute.value))
        .append("\"");
  out_ += ">";
}

Html& Html::open(std::string_view element, std::vector<Attribute> attributes) {
  start(element, attributes);
  open_.emplace_back(element);
  return *this;
}

Html& Html::close() {
  if (open_.empty()) throw std::logic_error("Html: nothing is open");
  out_.append("</").append(open_.back()).append(">");
  open_.pop_back();
  return *this;
}

Html& Html::text(std::string_view text) {
  out_ += escaped_html(text);
  return *this;
}

Html& Html::element(std::string_view name, std::string_view text,
                    std::vector<Attribute> attributes) {
  return open(name, std::move(attributes)).text(text).close();
}

Html& Html::single(std::string_view name, std::vector<Attribute> attributes) {
  start(name, attributes);
  return *this;
}

Html& Html::raw(std::string_view html) {
  out_ += html;
  return *this;
}

std::string Html::take() {
  if (!open_.empty()) throw std::logic_error("Html: <" + open_.back() + "> is open");
  return std::exchange(out_, {});
}

}  // namespace textcrs
