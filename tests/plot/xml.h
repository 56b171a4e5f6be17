// As much of XML as an SVG needs: whether a document is well-formed, and what its texts say.
#pragma once

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace textcrs::plot {

struct XmlText {
  std::string element, text;  // the text is decoded
};

class XmlReader {
 public:
  explicit XmlReader(std::string document) : document_(std::move(document)), rest_(document_) {}
  XmlReader(const XmlReader&) = delete;

  // The texts of the document, or nothing, and problem() says why.
  std::optional<std::vector<XmlText>> read() {
    while (problem_.empty() && !rest_.empty()) {
      if (take("<?"))
        skip_behind("?>");
      else if (take("<!--"))
        skip_behind("-->");
      else if (take("<!"))
        skip_behind(">");
      else if (take("</"))
        close();
      else if (take("<"))
        open();
      else
        text();
    }
    if (problem_.empty() && (!open_.empty() || roots_ != 1)) problem_ = "not one root element";
    if (!problem_.empty()) return std::nullopt;
    return texts_;
  }
  const std::string& problem() const { return problem_; }

 private:
  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  void fail(const std::string& why) {
    if (problem_.empty()) problem_ = why + " before '" + std::string(rest_.substr(0, 40)) + "'";
  }
  void skip_behind(std::string_view end) {
    const size_t at = rest_.find(end);
    if (at == std::string_view::npos) return fail("no " + std::string(end));
    rest_.remove_prefix(at + end.size());
  }
  void skip_spaces() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_[0])))
      rest_.remove_prefix(1);
  }
  std::string name() {
    size_t end = 0;
    while (end < rest_.size() && (std::isalnum(static_cast<unsigned char>(rest_[end])) ||
                                  std::string_view("-_:.").find(rest_[end]) != std::string::npos))
      ++end;
    const std::string found(rest_.substr(0, end));
    if (found.empty()) fail("no name");
    rest_.remove_prefix(end);
    return found;
  }
  void open() {
    const std::string element = name();
    std::map<std::string, std::string> attributes;
    for (skip_spaces(); problem_.empty() && !rest_.starts_with(">") && !rest_.starts_with("/>");
         skip_spaces()) {
      const std::string attribute = name();
      skip_spaces();
      if (!take("=")) return fail("no value");
      skip_spaces();
      const char quote = rest_.empty() ? ' ' : rest_[0];
      if (quote != '"' && quote != '\'') return fail("no quote");
      rest_.remove_prefix(1);
      const size_t end = rest_.find(quote);
      if (end == std::string_view::npos) return fail("no end of a value");
      if (!attributes.emplace(attribute, decoded(rest_.substr(0, end))).second)
        return fail("an attribute twice");
      rest_.remove_prefix(end + 1);
    }
    roots_ += open_.empty();
    if (take("/>")) return;
    if (!take(">")) return fail("no >");
    open_.push_back(element);
  }
  void close() {
    const std::string element = name();
    skip_spaces();
    if (!take(">") || open_.empty() || open_.back() != element) return fail("another end");
    open_.pop_back();
  }
  void text() {
    const size_t end = std::min(rest_.find('<'), rest_.size());
    const std::string found = decoded(rest_.substr(0, end));
    rest_.remove_prefix(end);
    const bool blank = found.find_first_not_of(" \t\r\n") == std::string::npos;
    if (!blank && open_.empty()) return fail("text outside of the root");
    if (!blank) texts_.push_back({open_.back(), found});
  }
  std::string decoded(std::string_view text) {
    static const std::map<std::string, char> known = {
        {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
      const auto c = static_cast<unsigned char>(text[i]);
      if (c == '<' || (c < 0x20 && c != '\n' && c != '\t' && c != '\r')) fail("a character");
      if (c != '&') {
        out += text[i];
        continue;
      }
      const size_t end = text.find(';', i);
      const std::string entity(text.substr(i + 1, end == text.npos ? end : end - i - 1));
      if (entity.starts_with("#x"))
        out += static_cast<char>(std::stoi(entity.substr(2), nullptr, 16));
      else if (entity.starts_with("#"))
        out += static_cast<char>(std::stoi(entity.substr(1)));
      else if (known.contains(entity))
        out += known.at(entity);
      else
        fail("an entity " + entity);
      if (end == text.npos) break;
      i = end;
    }
    return out;
  }

  std::string document_;
  std::string_view rest_;  // of it
  std::vector<std::string> open_;
  std::vector<XmlText> texts_;
  size_t roots_ = 0;
  std::string problem_;
};

}  // namespace textcrs::plot
