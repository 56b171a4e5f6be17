#include "text/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <vector>

#include "base/regular_file.h"
#include "text/text_file.h"
#include "text/utf8.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

constexpr size_t kLongestReason = 200;
constexpr size_t kMostOrderedMembers = 10'000;  // they are looked for one after the other

// Why nlohmann's library refused, without its numbering, the place, and what it read: "syntax error
// while parsing value - invalid literal" of "[json.exception.parse_error.101] parse error at line
// 1, column 2: syntax error while parsing value - invalid literal; last read: 'nul}'".
std::string reason_of(std::string why) {
  if (const size_t end = why.find("] "); end != why.npos) why.erase(0, end + 2);
  if (const size_t end = why.find(": "); why.starts_with("parse error at") && end != why.npos)
    why.erase(0, end + 2);
  why.erase(std::min(why.find("; last read"), why.size()));
  return why.size() > kLongestReason ? "malformed" : why;
}

// The first byte that opens one level too many, in what is JSON up to there.
size_t byte_too_deep(std::string_view text) {
  size_t levels = 0;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '\\')
      ++i;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && (c == '[' || c == '{') && ++levels > kMostJsonLevels)
      return i + 1;
    else if (!quoted && (c == ']' || c == '}'))
      --levels;
  }
  return text.size();
}

// What values take in memory, in bytes: an allocation has a header beside what it holds.
constexpr size_t kAllocation = 16;

size_t bytes_of_text(const std::string& text) {
  const bool inside = text.size() < 16;  // short ones lie within the std::string
  return sizeof(std::string) + kAllocation + (inside ? 0 : text.size() + 1 + kAllocation);
}

// Builds the value from the events of nlohmann's parser, all in one pass.
template <typename Json>
class Builder {
 public:
  Builder(std::string_view text, const std::string& name)
      : text_(text), name_(name), left_(kJsonTimes * text.size() + kJsonBytes) {}

  Json take() { return std::move(root_); }

  bool null() { return put(nullptr); }
  bool boolean(bool value) { return put(value); }
  bool number_integer(int64_t value) { return put(value); }
  bool number_unsigned(uint64_t value) { return put(value); }
  bool number_float(double value, const std::string&) { return put(value); }
  bool string(std::string& value) {
    spend(bytes_of_text(value));
    return put(std::move(value));
  }
  bool binary(typename Json::binary_t&) { return false; }  // not in text

  bool start_object(size_t) { return open(Json::object()); }
  bool end_object() { return close(); }
  bool start_array(size_t) { return open(Json::array()); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    if (kOrdered && open_.back()->size() == kMostOrderedMembers)
      refuse(fmt::format("found an object of more than {} members, expected fewer",
                         kMostOrderedMembers));
    if (open_.back()->contains(name))
      refuse(fmt::format("{}: appears twice in an object, expected once", in_quotes(name)));
    key_ = std::move(name);
    return true;
  }

  bool parse_error(size_t byte, const std::string&, const typename Json::exception& error) {
    constexpr int kNumberOverflow = 406;
    if (error.id == kNumberOverflow)
      refuse_at(byte, "found a number that is too large, expected one that a double holds");
    refuse_at(byte, fmt::format("not JSON ({})", reason_of(error.what())));
    return false;
  }

 private:
  static constexpr bool kOrdered = std::is_same_v<Json, nlohmann::ordered_json>;
  // Beside its name: of a tree a node, of a list a value and the room to grow.
  static constexpr size_t kMember = sizeof(Json) + (kOrdered ? 96 : 32);
  static constexpr size_t kOpened = 48 + kAllocation;

  // Pointers to open values stay valid: what holds one does not grow before it is closed.
  bool put(Json value) {
    add(std::move(value));
    return true;
  }

  Json& add(Json value) {
    if (open_.empty()) return root_ = std::move(value);
    Json& parent = *open_.back();
    if (!parent.is_array()) {
      spend(bytes_of_text(key_) + kMember);
      return parent[key_] = std::move(value);
    }
    auto& list = parent.template get_ref<typename Json::array_t&>();
    if (list.size() == list.capacity()) grow(list);
    list.push_back(std::move(value));
    return list.back();
  }

  // Doubles what a list has room for. What it leaves is counted on: it may stay with the process,
  // and ending a list takes it once more (nlohmann's library moves the values to another first).
  void grow(typename Json::array_t& list) {
    const size_t after = std::max<size_t>(2 * list.capacity(), 1);
    spend(after * sizeof(Json));
    list.reserve(after);
  }

  void spend(size_t bytes) {
    if (bytes > left_)
      refuse(
          fmt::format("found {} bytes of JSON with more values than its size lets expect, "
                      "expected them to fit into {} bytes",
                      text_.size(), kJsonTimes * text_.size() + kJsonBytes));
    left_ -= bytes;
  }

  bool open(Json empty) {
    if (open_.size() == kMostJsonLevels)
      refuse_at(byte_too_deep(text_),
                fmt::format("found more than {} lists and objects within each other, expected "
                            "fewer",
                            kMostJsonLevels));
    spend(kOpened);
    open_.push_back(&add(std::move(empty)));
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  [[noreturn]] void refuse_at(size_t byte, const std::string& why) const {
    byte = std::max<size_t>(std::min(byte, text_.size()), 1);
    const bool lines = !name_.empty() && text_.find('\n') < text_.size() - 1;
    const std::string line =
        lines ? fmt::format(":{}", line_of(text_, std::min(byte - 1, text_.size()))) : "";
    throw bad_input(
        fmt::format("{}{}{}byte {}: {}", name_, line, name_.empty() ? "" : ": ", byte, why));
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw bad_input(name_.empty() ? why : name_ + ": " + why);
  }

  std::string_view text_;
  const std::string& name_;
  size_t left_;  // bytes that values may still take
  Json root_;
  std::vector<Json*> open_;
  std::string key_;
};

}  // namespace

template <typename Json>
Json parse_json(std::string_view text, const std::string& name) {
  Builder<Json> builder(text, name);
  Json::sax_parse(text, &builder);
  return builder.take();
}

template <typename Json>
Json read_json_file(const std::filesystem::path& path) {
  return parse_json<Json>(read_regular_file(path), path.string());
}

template nlohmann::json parse_json(std::string_view, const std::string&);
template nlohmann::ordered_json parse_json(std::string_view, const std::string&);
template nlohmann::json read_json_file(const std::filesystem::path&);
template nlohmann::ordered_json read_json_file(const std::filesystem::path&);

}  // namespace textcrs
