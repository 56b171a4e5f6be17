// Files that gzip packed (RFC 1952).
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace textcrs {

// By the first bytes: 1f 8b.
bool is_gzip(std::string_view bytes);

// A few kilobytes can be made to unpack to gigabytes; texts are not like that.
struct UnpackLimit {
  size_t free = size_t{64} << 20;  // bytes: up to here any ratio will do
  size_t ratio = 200;              // unpacked to packed size, beyond that
  size_t most = size_t{4} << 30;   // bytes, whatever the ratio
};

// The unpacked bytes of one member or several in a row. Data that is cut short or damaged, or that
// unpacks to more than `limit` allows, is a bad_input Error that names `path` and the packed byte.
std::string gunzip(const std::filesystem::path& path, std::string_view packed,
                   const UnpackLimit& limit = {});

}  // namespace textcrs
