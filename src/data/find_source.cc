#include "data/find_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "textcrs/base/error.h"
#include "textcrs/base/reachable.h"

namespace textcrs {
namespace fs = std::filesystem;

bool is_acl_imdb(const fs::path& folder, const std::string& split) {
  return is_folder(folder / split / "pos");
}

fs::path find_source(const fs::path& path, const std::string& split, const std::string& wanted) {
  if (!is_folder(path)) return path;
  std::vector<std::string> names = {"reviews.json", "dataSet.txt", "SPLIT.csv", "SPLIT.tsv",
                                    "SPLIT.jsonl",  "SPLIT.json",  "SPLIT.txt"};
  if (!wanted.empty()) names = {wanted};
  for (std::string& name : names) {
    if (name.starts_with("SPLIT")) name.replace(0, 5, split);
    for (const std::string& candidate : {name, name + ".gz"})
      if (is_there(path / candidate)) return path / candidate;
  }
  if (!wanted.empty())
    throw bad_input(fmt::format("{}: found no {} in the folder, expected one, or {}.gz",
                                path.string(), names[0], names[0]));
  throw bad_input(fmt::format(
      "{}: found a folder of no known format, expected {}/pos or one of {} in it, or such a file "
      "with .gz at its end",
      path.string(), split, fmt::join(names, ", ")));
}

}  // namespace textcrs
