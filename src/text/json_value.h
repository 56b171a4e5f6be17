// What a reader asks of JSON: members and values of a given type.
#pragma once

#include <concepts>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace textcrs {

class JsonList;

// A value of JSON that parse_json() made, and where it stands: "config.json: bert.layers". Each
// function refuses what is not as it is asked for with a bad_input Error that names the place,
// what was found and what was expected. The JSON must outlive it.
class JsonValue {
 public:
  // `name` is the file's; an empty one is left out of messages.
  JsonValue(const nlohmann::ordered_json& json, std::string name) : json_(&json), name_(name) {}

  // A member of an object.
  JsonValue at(const std::string& name) const;
  std::optional<JsonValue> find(const std::string& name) const;
  // All of them, with their names.
  std::vector<std::pair<std::string, JsonValue>> members() const;

  JsonList list() const;
  std::vector<JsonValue> list(size_t size) const;  // of just so many

  // A number written without a point or exponent, between low and high.
  template <std::integral Int>
  Int whole(Int low = 0, Int high = std::numeric_limits<Int>::max()) const {
    check_whole(static_cast<int64_t>(low), static_cast<uint64_t>(high));
    return json_->get<Int>();
  }
  double number() const;
  bool flag() const;
  std::string text() const;
  std::vector<std::string> texts() const;  // a list of them

  // Of a member that may be missing.
  bool flag_or(const std::string& name, bool otherwise) const;
  std::string text_or(const std::string& name, const std::string& otherwise) const;

  [[noreturn]] void refuse(const std::string& expected) const;  // "PLACE: found X, expected ..."

  const nlohmann::ordered_json& json() const { return *json_; }

 private:
  friend class JsonList;

  void check_whole(int64_t low, uint64_t high) const;
  JsonValue below(const nlohmann::ordered_json& json, const std::string& step) const;
  std::string place() const;

  const nlohmann::ordered_json* json_;
  std::string name_, path_;  // path: "bert.layers", empty at the top
};

// The values of a list, each made when it is asked for: with its place it takes many times what it
// takes in JSON.
class JsonList {
 public:
  class Iterator {
   public:
    Iterator(const JsonList& list, size_t at) : list_(list), at_(at) {}
    JsonValue operator*() const { return list_[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    const JsonList& list_;
    size_t at_;
  };

  explicit JsonList(JsonValue list) : list_(std::move(list)) {}

  size_t size() const { return list_.json().size(); }
  JsonValue operator[](size_t i) const;
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, size()}; }
  operator std::vector<JsonValue>() const;

 private:
  JsonValue list_;
};

// What a message shows of a value: it whole if that is short, else its type.
template <typename Json>
std::string shown(const Json& json) {
  constexpr size_t kLongest = 40;
  if (json.is_structured()) return json.type_name();
  std::string text = json.dump();
  return text.size() > kLongest ? json.type_name() : text;
}

}  // namespace textcrs
