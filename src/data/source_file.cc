#include "data/source_file.h"

#include <fmt/format.h>

#include "data/encoding.h"
#include "data/gunzip.h"
#include "text/text_file.h"
#include "textcrs/base/files.h"
#include "textcrs/base/reachable.h"

namespace textcrs {
namespace fs = std::filesystem;

SourceFile open_source(const fs::path& path) {
  SourceFile source{path, read_file(path)};
  source.packed = is_gzip(source.text);
  if (source.packed) source.text = gunzip(path, source.text);
  check_encoding(path, source.text, source.packed);
  if (source.text.starts_with("\xef\xbb\xbf")) source.text.erase(0, 3);
  if (is_blank(source.text))
    throw bad_input(fmt::format("{}: found an empty file, expected texts", path.string()));
  return source;
}

fs::path name_without_gz(const fs::path& path) {
  return path.extension() == ".gz" ? path.stem() : path.filename();
}

std::string name_of(const fs::path& path) {
  const fs::path clean = path.has_filename() ? path : path.parent_path();
  return is_folder(clean) ? clean.filename().string() : name_without_gz(clean).stem().string();
}

}  // namespace textcrs
