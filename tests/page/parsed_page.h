// A page taken apart by rules that are stricter than a browser's: what these let pass, no browser
// reads otherwise.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace textcrs {

struct PageElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  // of itself and what is in it
};

class ParsedPage {
 public:
  // Throws unless every element is closed where it must be, every value is in double quotes, and
  // < > & " ' occur nowhere else but as references.
  explicit ParsedPage(std::string_view page) : rest_(page) {
    take("<!DOCTYPE html>\n");
    while (!rest_.empty() && rest_ != "\n") step();
    if (!open_.empty()) throw std::runtime_error("open: " + elements_[open_.back()].name);
  }

  const std::vector<PageElement>& elements() const { return elements_; }
  std::vector<PageElement> all(const std::string& name, const std::string& of_class = "") const {
    std::vector<PageElement> found;
    for (const PageElement& element : elements_) {
      if (element.name != name) continue;
      const auto classes = element.attributes.find("class");
      const std::string listed =
          " " + (classes == element.attributes.end() ? "" : classes->second) + " ";
      if (of_class.empty() || listed.find(" " + of_class + " ") != std::string::npos)
        found.push_back(element);
    }
    return found;
  }
  // The text of the whole body but for scripts.
  const std::string& text() const { return all_text_; }
  std::string style() const { return all("style").at(0).text; }
  std::string script() const { return all("script").at(1).text; }
  nlohmann::ordered_json data() const {
    return nlohmann::ordered_json::parse(all("script").at(0).text);
  }

 private:
  void take(std::string_view expected) {
    if (!rest_.starts_with(expected))
      throw std::runtime_error("expected " + std::string(expected) + ", found " +
                               std::string(rest_.substr(0, 60)));
    rest_.remove_prefix(expected.size());
  }

  std::string word() {
    size_t end = 0;
    while (end < rest_.size() &&
           (std::islower(rest_[end]) || std::isdigit(rest_[end]) || rest_[end] == '-'))
      ++end;
    if (end == 0) throw std::runtime_error("no name: " + std::string(rest_.substr(0, 60)));
    const std::string found(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return found;
  }

  // Up to one of these characters, without references.
  std::string plain(std::string_view ends) {
    static const std::map<std::string, std::string> references = {
        {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}};
    std::string found;
    while (!rest_.empty() && ends.find(rest_.front()) == ends.npos) {
      if (rest_.front() == '&') {
        const std::string reference(rest_.substr(0, rest_.find(';') + 1));
        found += references.at(reference);
        rest_.remove_prefix(reference.size());
        continue;
      }
      if (std::string_view("<>\"'").find(rest_.front()) != std::string_view::npos)
        throw std::runtime_error("not escaped: " + std::string(rest_.substr(0, 60)));
      found += rest_.front();
      rest_.remove_prefix(1);
    }
    return found;
  }

  void say(const std::string& text) {
    for (const size_t element : open_) elements_[element].text += text;
  }

  void step() {
    if (!rest_.starts_with("<")) {
      const std::string text = plain("<");
      say(text);
      all_text_ += text;
      return;
    }
    take("<");
    if (rest_.starts_with("/")) {
      take("/" + elements_.at(open_.at(open_.size() - 1)).name + ">");
      open_.pop_back();
      return;
    }
    elements_.push_back({word(), {}, ""});
    while (!rest_.starts_with(">")) {
      take(" ");
      const std::string name = word();
      take("=\"");
      if (!elements_.back().attributes.emplace(name, plain("\"")).second)
        throw std::runtime_error("twice: " + name);
      take("\"");
    }
    take(">");
    static const std::set<std::string> kVoid = {"meta"};
    const std::string name = elements_.back().name;
    if (kVoid.contains(name)) return;
    open_.push_back(elements_.size() - 1);
    if (name != "script" && name != "style") return;
    const size_t end = rest_.find("</" + name);
    elements_.back().text = std::string(rest_.substr(0, end));
    rest_.remove_prefix(end);
  }

  std::string_view rest_;
  std::vector<PageElement> elements_;
  std::vector<size_t> open_;
  std::string all_text_;
};

}  // namespace textcrs
