// Which columns of a table hold the text, the label and the id.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/data/dataset.h"

namespace textcrs {

// "title+description" -> title, description. An empty name is a usage Error.
std::vector<std::string> text_column_names(const ReadOptions& options);

// A file without the column "label" has no labels; one without a column the user named is wrong.
bool label_is_required(const ReadOptions& options);

// The same for the column "id".
bool id_is_required(const ReadOptions& options);

// A cell as an Example::key: none if it is empty.
std::optional<std::string> key_of(std::string cell);

}  // namespace textcrs
