// What a file that is no UTF-8 text may be, and how to make one of it.
#pragma once

#include <filesystem>
#include <string_view>

namespace textcrs {

// A bad_input Error unless `text` is UTF-8 without a NUL. It names the file, the line, the byte,
// the likely encoding or kind of file, and a command that converts it. `packed`: the text was
// unpacked from a file that gzip made.
void check_encoding(const std::filesystem::path& path, std::string_view text, bool packed);

}  // namespace textcrs
