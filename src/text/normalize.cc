#include "text/normalize.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "text/html.h"

namespace textcrs {
namespace {

using Code = utf8proc_int32_t;

// What Windows-1252 means by 0x80 to 0x9f; 0: nothing.
constexpr std::array<Code, 32> kWindows1252 = {
    0x20ac, 0,      0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017d, 0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
    0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a, 0x0153, 0,      0x017e, 0x0178};

constexpr std::u32string_view kSingleQuotes = U"\u00b4\u02bc\u2018\u2019\u201a\u201b\u2032";
constexpr std::u32string_view kDoubleQuotes =
    U"\u00a8\u00ab\u00bb\u201c\u201d\u201e\u201f\u2033\u2039\u203a";
constexpr std::u32string_view kHyphens = U"\u2010\u2011";
constexpr std::u32string_view kDashes = U"\u2012\u2013\u2014\u2015\u2212";

constexpr bool is_one_of(Code code, std::u32string_view codes) {
  return codes.find(static_cast<char32_t>(code)) != codes.npos;
}

constexpr char ascii_lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
constexpr bool is_latin(Code code) {
  return (code >= 'a' && code <= 'z') || (code >= 'A' && code <= 'Z');
}

void append(std::string& out, Code code) {
  std::array<utf8proc_uint8_t, 4> bytes;
  const auto length = utf8proc_encode_char(code, bytes.data());
  out.append(reinterpret_cast<const char*>(bytes.data()), static_cast<size_t>(length));
}

// A Latin letter without its accents ("" if the letter is none): é -> e, ß -> ss.
std::string_view plain_latin(Code lower, std::array<char, 1>& buffer) {
  static constexpr std::array<std::pair<Code, std::string_view>, 9> kWhole = {{{0xdf, "ss"},
                                                                               {0xe6, "ae"},
                                                                               {0xf0, "d"},
                                                                               {0xf8, "o"},
                                                                               {0xfe, "th"},
                                                                               {0x111, "d"},
                                                                               {0x131, "i"},
                                                                               {0x142, "l"},
                                                                               {0x153, "oe"}}};
  for (const auto& [code, letters] : kWhole)
    if (code == lower) return letters;
  std::array<Code, 16> parts;
  const auto count =
      utf8proc_decompose_char(lower, parts.data(), parts.size(), UTF8PROC_DECOMPOSE, nullptr);
  if (count < 1 || count > static_cast<utf8proc_ssize_t>(parts.size())) return "";
  if (!is_latin(parts[0])) return "";
  for (utf8proc_ssize_t i = 1; i < count; ++i)
    if (parts[static_cast<size_t>(i)] < 0x300 || parts[static_cast<size_t>(i)] > 0x36f) return "";
  buffer[0] = ascii_lower(static_cast<char>(parts[0]));
  return {buffer.data(), 1};
}

constexpr bool stands_alone(Code code) {
  return (code >= 0x3040 && code <= 0x30ff && code != 0x30fc) ||  // kana, not the length mark
         (code >= 0x3400 && code <= 0x4dbf) || (code >= 0x4e00 && code <= 0x9fff) ||
         (code >= 0xf900 && code <= 0xfaff) || (code >= 0x20000 && code <= 0x3ffff);
}

class Normalizer {
 public:
  std::string run(std::string_view text) {
    out_.reserve(text.size() + text.size() / 8);
    size_t at = 0;
    while (at < text.size()) {
      const char c = text[at];
      if (static_cast<unsigned char>(c) < 0x80) {
        const size_t tag = c == '<' ? tag_length(text.substr(at)) : 0;
        if (tag > 0)
          out_ += ' ';
        else
          ascii(c);
        at += std::max<size_t>(tag, 1);
        continue;
      }
      Code code;
      const auto length =
          utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data() + at),
                           static_cast<utf8proc_ssize_t>(text.size() - at), &code);
      if (length <= 0) {
        out_ += ' ';
        ++at;
      } else {
        beyond_ascii(code);
        at += static_cast<size_t>(length);
      }
    }
    return std::move(out_);
  }

 private:
  void ascii(char c) {
    if (c <= ' ' || c == 0x7f)
      out_ += ' ';
    else
      out_ += c == '`' ? '\'' : ascii_lower(c);
  }

  void alone(Code code) {
    out_ += ' ';
    append(out_, code);
    out_ += ' ';
  }

  void beyond_ascii(Code code) {
    code = read_windows_1252(code);
    if (code >= 0xff01 && code <= 0xff5e) return ascii(static_cast<char>(code - 0xfee0));
    if (is_separator(code)) return separate();
    if (is_invisible(code)) return;
    if (is_one_of(code, kSingleQuotes)) return write("'");
    if (is_one_of(code, kDoubleQuotes)) return write("\"");
    if (is_one_of(code, kHyphens)) return write("-");
    if (is_one_of(code, kDashes)) return write("--");
    if (code == 0x2026) return write("...");
    const auto category = utf8proc_category(code);
    if (category == UTF8PROC_CATEGORY_MN || category == UTF8PROC_CATEGORY_ME) return mark(code);
    if (category <= UTF8PROC_CATEGORY_NO) return letter(code);
    symbol(code);
  }

  void separate() { out_ += ' '; }
  void write(std::string_view text) { out_ += text; }

  void mark(Code code) {
    if (!out_.empty() && static_cast<unsigned char>(out_.back()) >= 0x80) append(out_, code);
  }

  void letter(Code code) {
    if (stands_alone(code)) return alone(code);
    const Code lower = utf8proc_tolower(code);
    std::array<char, 1> buffer;
    const std::string_view plain = lower < 0x80 ? std::string_view() : plain_latin(lower, buffer);
    if (plain.empty())
      append(out_, lower);
    else
      out_ += plain;
  }

  void symbol(Code code) {
    if (symbol_ == code && symbol_end_ == out_.size()) return;
    alone(code);
    symbol_ = code;
    symbol_end_ = out_.size();
  }

  std::string out_;
  Code symbol_ = 0;  // the last symbol written, and where it ended
  size_t symbol_end_ = 0;
};

}  // namespace

int32_t read_windows_1252(int32_t code) {
  return code >= 0x80 && code < 0xa0 ? kWindows1252[static_cast<size_t>(code - 0x80)] : code;
}

bool is_invisible(int32_t code) {
  return utf8proc_category(code) == UTF8PROC_CATEGORY_CF || (code >= 0xfe00 && code <= 0xfe0f) ||
         (code >= 0xe0100 && code <= 0xe01ef);
}

bool is_separator(int32_t code) {
  if (code <= ' ' || code == 0x7f || code == 0xfffd) return true;
  const auto category = utf8proc_category(code);
  return category == UTF8PROC_CATEGORY_CN ||
         (category >= UTF8PROC_CATEGORY_ZS && category != UTF8PROC_CATEGORY_CF);
}

std::string normalize(std::string_view text) {
  if (text.find_first_of("&#") == std::string_view::npos) return Normalizer().run(text);
  return Normalizer().run(decode_entities(text));
}

}  // namespace textcrs
