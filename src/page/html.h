// HTML that nothing can break out of: whatever is said is escaped, whatever is opened is closed.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace textcrs {

// For text and for attribute values in double quotes: & < > " ' as character references, bytes that
// are not UTF-8 and characters that HTML does not allow as U+FFFD, every end of a line as \n.
std::string escaped_html(std::string_view text);

// A sentence that may have names from data in it: characters that turn the direction of what stands
// behind them as U+FFFD, and no line ends in front of a %.
std::string prose(std::string_view sentence);

// The whole characters in the first bytes of a text, and " …", if it has more: then that is longer
// than `bytes`.
std::string start_of(const std::string& text, size_t bytes);

// The JSON of a value, for <script type="application/json">: the characters < > & and the line
// separators U+2028 and U+2029 as \uXXXX, bytes that are not UTF-8 as U+FFFD.
std::string script_json(const nlohmann::ordered_json& value);

struct Attribute {
  std::string_view name;
  std::string value;
};

// Writes elements. Names of elements and attributes come from the program, never from data.
class Html {
 public:
  Html& open(std::string_view element, std::vector<Attribute> attributes = {});
  Html& close();  // the innermost open element
  Html& text(std::string_view text);
  // open, text, close
  Html& element(std::string_view name, std::string_view text,
                std::vector<Attribute> attributes = {});
  // An element without an end: <col>, <meta>.
  Html& single(std::string_view name, std::vector<Attribute> attributes);
  // What is HTML already.
  Html& raw(std::string_view html);

  size_t size() const { return out_.size(); }  // bytes written
  // What was written; a std::logic_error if an element is open.
  std::string take();

 private:
  void start(std::string_view element, const std::vector<Attribute>& attributes);

  std::string out_;
  std::vector<std::string> open_;
};

}  // namespace textcrs
