// JSON from outside. Whatever nlohmann's library reads for the project, it reads by these two
// functions.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace textcrs {

// Of lists and objects within each other.
inline constexpr size_t kMostJsonLevels = 64;

// What the values of a text may take in memory, in bytes: so many for each of the text's and so
// many more. A value takes 16 bytes at least, and "[]," is three.
inline constexpr size_t kJsonTimes = 8, kJsonBytes = size_t{32} << 20;

// The value of a text, which `name` stands for in messages; an empty name is left out. Json is
// nlohmann::json, or nlohmann::ordered_json for objects of few members. A bad_input Error "NAME:
// byte 17: ..." ("NAME:2: byte 17: ..." if there are several lines), with bytes from 1, for what
// is not JSON in UTF-8, nests deeper than kMostJsonLevels, takes more memory than said above, has a
// number that no double holds, or an object with two members of the same name or, in an
// ordered_json, with more than ten thousand.
template <typename Json>
Json parse_json(std::string_view text, const std::string& name);
extern template nlohmann::json parse_json(std::string_view, const std::string&);
extern template nlohmann::ordered_json parse_json(std::string_view, const std::string&);

// The same of a file.
template <typename Json>
Json read_json_file(const std::filesystem::path& path);
extern template nlohmann::json read_json_file(const std::filesystem::path&);
extern template nlohmann::ordered_json read_json_file(const std::filesystem::path&);

}  // namespace textcrs
