// The names of columns, and those that somebody asks for.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/data/dataset.h"
#include "textcrs/data/missing_column.h"

namespace textcrs {

// "title+description" -> title, description. An empty name is a usage Error.
std::vector<std::string> text_column_names(const ReadOptions& options);

// A file without the column "label" has no labels; one without a column the user named is wrong.
bool text_is_asked_for(const ReadOptions& options);
bool label_is_asked_for(const ReadOptions& options);
bool id_is_asked_for(const ReadOptions& options);

// What is looked for, and where: for messages.
struct WantedColumn {
  MissingColumn::Role role;
  std::string name;
  const std::filesystem::path& path;
  size_t line;
  std::string_view kind = "column";  // or "key"
  bool may_lack_header = false;
};

// The place of the name: the same, or else the one that differs in the case of ASCII letters only.
// Two of them are a bad_input Error.
std::optional<size_t> find_column(const std::vector<std::string>& names,
                                  const WantedColumn& wanted);

// The same for a column that nobody asked for: two of them are none, as is an
// empty name.
std::optional<size_t> find_unasked_column(const std::vector<std::string>& names,
                                          std::string_view name);

// As find_column(); a MissingColumn Error with the nearest name if there is none.
size_t require_column(const std::vector<std::string>& names, const WantedColumn& wanted);

MissingColumn missing_column(const std::vector<std::string>& names, const WantedColumn& wanted);

// A cell as an Example::key: none if it is empty.
std::optional<std::string> key_of(std::string cell);

// 2 of "2"; a whole number from 1 on.
std::optional<size_t> column_number(std::string_view name);

}  // namespace textcrs
