#include "data/json_array.h"

#include <fmt/format.h>

#include <algorithm>

#include "text/text_file.h"
#include "text/utf8.h"

namespace textcrs {

void JsonArray::skip_blanks() {
  for (; at_ < text_.size() && is_blank(text_.substr(at_, 1)); ++at_)
    if (text_[at_] == '\n') ++line_;
}

bool JsonArray::take(char c) {
  skip_blanks();
  if (at_ >= text_.size() || text_[at_] != c) return false;
  ++at_;
  return true;
}

bool JsonArray::next(std::string_view& object) {
  const bool first = !opened_;
  if (first && !take('[')) throw complaint("'['");
  opened_ = true;
  const bool separated = !first && take(',');
  if (first || separated) {
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '{') {
      object = take_object();
      return true;
    }
    if (separated) throw complaint("an object");
  }
  if (!take(']')) throw complaint(first ? "an object or ']'" : "',' or ']'");
  skip_blanks();
  if (at_ < text_.size()) throw complaint("nothing after the array");
  return false;
}

std::string_view JsonArray::take_object() {
  const size_t begin = at_;
  object_line_ = line_;
  size_t depth = 0;
  for (bool quoted = false; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '\n') ++line_;
    if (quoted) {
      if (c == '\\')
        ++at_;
      else if (c == '"')
        quoted = false;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && --depth == 0) {
      ++at_;
      return text_.substr(begin, at_ - begin);
    }
  }
  throw bad_line(path_, object_line_, "found an object that is never closed, expected a '}'");
}

Error JsonArray::complaint(std::string_view expected) const {
  const std::string_view rest = text_.substr(std::min(at_, text_.size()));
  return bad_line(
      path_, line_,
      fmt::format("found {}, expected {} of a JSON array of objects",
                  rest.empty() ? "the end of the file" : in_quotes(rest.substr(0, 12)), expected));
}

}  // namespace textcrs
