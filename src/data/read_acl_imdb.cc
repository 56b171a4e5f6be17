#include <fmt/format.h>

#include <algorithm>

#include "data/labels.h"
#include "data/readers.h"
#include "textcrs/base/error.h"
#include "textcrs/base/reachable.h"

namespace textcrs {
namespace fs = std::filesystem;

namespace {

std::vector<fs::path> text_files(const fs::path& folder) {
  if (!is_folder(folder))
    throw bad_input(
        fmt::format("{}: found no such folder, expected the reviews of one class, one "
                    ".txt file each",
                    folder.string()));
  std::vector<fs::path> files;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error))
    if (entry->is_regular_file() && entry->path().extension() == ".txt")
      files.push_back(entry->path());
  if (error)
    throw bad_input(fmt::format("{}: cannot be read ({})", folder.string(), error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Dataset read_acl_imdb(const SourceFile&, const ReadOptions& options) {
  Dataset dataset{"imdb", {"negative", "positive"}, {}};
  dataset.description = "acl-imdb, split " + options.split;
  const fs::path split = options.path / options.split;
  for (const int label : {0, 1})
    for (const fs::path& file : text_files(split / (label == 0 ? "neg" : "pos")))
      dataset.examples.push_back(
          {static_cast<uint32_t>(dataset.examples.size()), open_source(file).text, label});
  adopt_classes(dataset, options.path, options.classes);
  return dataset;
}

}  // namespace textcrs
