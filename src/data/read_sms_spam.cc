#include <fmt/format.h>

#include "data/labels.h"
#include "data/readers.h"
#include "text/text_file.h"
#include "text/utf8.h"

namespace textcrs {

Dataset read_sms_spam(const SourceFile& source, const ReadOptions& options) {
  Dataset dataset{"sms-spam", {"ham", "spam"}, {}};
  dataset.description = fmt::format("sms-spam, split {}: every fifth line is test", options.split);
  LineReader lines(source.text);
  for (std::string_view line; lines.next(line);) {
    if (is_blank(line)) continue;
    const size_t tab = line.find('\t');
    if (tab == line.npos)
      throw bad_line(source.path, lines.number(),
                     "found no tab, expected a label, a tab and a text");
    const std::string_view label = line.substr(0, tab);
    const bool ham = label == "ham" || label == "good", spam = label == "spam" || label == "bad";
    if (!ham && !spam)
      throw bad_line(
          source.path, lines.number(),
          fmt::format("found the label {}, expected ham, good, spam or bad", in_quotes(label)));
    const bool test = lines.number() % 5 == 0;
    if (test != (options.split == "test")) continue;
    dataset.examples.push_back({static_cast<uint32_t>(dataset.examples.size()),
                                std::string(line.substr(tab + 1)), spam ? 1 : 0});
  }
  adopt_classes(dataset, source.path, options.classes);
  return dataset;
}

}  // namespace textcrs
