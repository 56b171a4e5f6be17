// Rules 1 and 2 of textcrs/text/tokenizer.h: entities and tags.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace textcrs {

// The text with every entity replaced by its character, once ("&amp;lt;" becomes "&lt;").
std::string decode_entities(std::string_view text);

// The length of the tag that `text` starts with, 0 if it starts with none that is known.
size_t tag_length(std::string_view text);

}  // namespace textcrs
