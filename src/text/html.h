// Rules 1 and 2 of textcrs/text/tokenizer.h: entities and tags.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace textcrs {

// An entity and the character it stands for.
struct Entity {
  int32_t code;
  size_t length;  // in the source
};

// The entity that `text`, which is not empty, starts with.
std::optional<Entity> parse_entity(std::string_view text);

// The text with every entity replaced by its character, once ("&amp;lt;" becomes "&lt;").
std::string decode_entities(std::string_view text);

// The length of the tag that `text` starts with, 0 if it starts with none that is known.
size_t tag_length(std::string_view text);

// Whether a known tag starts a new line: <br>, <p>, <hr>, closed or not.
bool is_line_break(std::string_view tag);

}  // namespace textcrs
