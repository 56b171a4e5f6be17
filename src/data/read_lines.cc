#include "data/readers.h"
#include "text/text_file.h"

namespace textcrs {

Dataset read_lines(const SourceFile& source, const ReadOptions& options) {
  Dataset dataset{name_of(options.path), options.classes, {}};
  dataset.description = "lines: one text per line";
  LineReader lines(source.text);
  for (std::string_view line; lines.next(line);)
    if (!is_blank(line))
      dataset.examples.push_back(
          {static_cast<uint32_t>(lines.number() - 1), std::string(line), kNoLabel});
  return dataset;
}

}  // namespace textcrs
