#include "report/record_lines.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_set>

#include "textcrs/base/error.h"
#include "textcrs/base/files.h"

namespace textcrs {

RecordLines read_record_lines(const std::filesystem::path& path) {
  const std::string content = read_file(path);
  RecordLines lines;
  std::unordered_set<uint32_t> ids;
  for (size_t end; (end = content.find('\n', lines.bytes)) != std::string::npos;
       lines.bytes = end + 1) {
    const size_t number = lines.records.size() + 1;
    try {
      lines.records.push_back(
          parse_record(std::string_view(content).substr(lines.bytes, end - lines.bytes)));
    } catch (const Error& error) {
      throw bad_input(fmt::format("{}:{}: {}", path.string(), number, error.what()));
    }
    const uint32_t id = lines.records.back().id;
    if (!ids.insert(id).second)
      throw bad_input(fmt::format("{}:{}: found a second result of the text {}, expected one",
                                  path.string(), number, id));
  }
  return lines;
}

}  // namespace textcrs
