// Which columns of a table hold the text and the label.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "textcrs/data/dataset.h"

namespace textcrs {

// "title+description" -> title, description. An empty name is a usage Error.
std::vector<std::string> text_column_names(const ReadOptions& options);

// A file without the column "label" has no labels; one without a column the user named is wrong.
bool label_is_required(const ReadOptions& options);

}  // namespace textcrs
