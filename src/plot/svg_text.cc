#include "plot/svg_text.h"

#include <string_view>

#include "textcrs/text/printable_name.h"

namespace textcrs::plot {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else
      out += c;
  }
  return out;
}

constexpr std::string_view kOpen = "<title>", kClose = "</title>";

}  // namespace

std::string with_own_titles(std::string svg, const std::string& title) {
  std::string out;
  size_t at = 0;
  bool first = true;
  for (size_t open; (open = svg.find(kOpen, at)) != std::string::npos;) {
    const size_t close = svg.find(kClose, open);
    if (close == std::string::npos) break;
    out.append(svg, at, open - at);
    if (first && !title.empty()) {
      out += kOpen;
      out += escaped(printable_line(title));
      out += kClose;
    }
    first = false;
    at = close + kClose.size();
  }
  return out + svg.substr(at);
}

}  // namespace textcrs::plot
