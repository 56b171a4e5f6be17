#include "data/readers.h"
#include "text/text_file.h"

namespace textcrs {

Dataset read_lines(const ReadOptions& options) {
  const std::string text = read_text_file(options.path);
  Dataset dataset{name_of(options.path), options.classes, {}};
  LineReader lines(text);
  for (std::string_view line; lines.next(line);)
    if (!is_blank(line))
      dataset.examples.push_back(
          {static_cast<uint32_t>(lines.number() - 1), std::string(line), kNoLabel});
  return dataset;
}

}  // namespace textcrs
