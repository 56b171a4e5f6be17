#include <fmt/format.h>
#include <fmt/ranges.h>

#include "data/fasttext_label.h"
#include "data/labels.h"
#include "data/readers.h"
#include "text/text_file.h"

namespace textcrs {

Dataset read_fasttext(const SourceFile& source, const ReadOptions& options) {
  Dataset dataset{name_of(options.path), {}, {}};
  dataset.description = "fasttext: one text per line, its label the word __label__CLASS";
  std::vector<WrittenLabel> labels;
  LineReader lines(source.text);
  for (std::string_view line; lines.next(line);) {
    if (is_blank(line)) continue;
    FasttextLine parts = split_fasttext_line(line);
    if (parts.labels.empty())
      throw bad_line(source.path, lines.number(), "found no label, expected a word __label__CLASS");
    if (parts.labels.size() > 1)
      throw bad_line(source.path, lines.number(),
                     fmt::format("found {} labels ({}), expected one: a text has one class",
                                 parts.labels.size(), fmt::join(parts.labels, ", ")));
    dataset.examples.push_back(
        {static_cast<uint32_t>(dataset.examples.size()), std::move(parts.text), kNoLabel});
    labels.push_back({std::move(parts.labels[0]), lines.number()});
  }
  assign_labels(dataset, labels, {source.path, "the words __label__CLASS", options.classes});
  return dataset;
}

}  // namespace textcrs
