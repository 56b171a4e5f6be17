#include <fmt/format.h>

#include "data/csv.h"
#include "data/labels.h"
#include "data/readers.h"
#include "text/text_file.h"
#include "text/utf8.h"

namespace textcrs {
namespace {

// Some copies carry a first row of names: "Class Index","Title","Description".
bool is_header(const std::vector<std::string>& row) {
  return row[0] == "Class Index" || row[0] == "class" || row[0] == "label";
}

}  // namespace

Dataset read_ag_news(const SourceFile& source, const ReadOptions& options) {
  Dataset dataset{"ag-news", {"World", "Sports", "Business", "Sci/Tech"}, {}};
  dataset.description = "ag-news: class 1 to 4, then the text";
  CsvReader rows(source.path, source.text);
  bool first = true;
  for (std::vector<std::string> row; rows.next(row); first = false) {
    if (first && is_header(row)) continue;
    if (row.size() != 2 && row.size() != 3)
      throw bad_line(source.path, rows.line(),
                     fmt::format("found {} column{}, expected 2 (class, text) or 3 (class, title, "
                                 "description)",
                                 row.size(), row.size() == 1 ? "" : "s"));
    if (row[0].size() != 1 || row[0][0] < '1' || row[0][0] > '4')
      throw bad_line(source.path, rows.line(),
                     fmt::format("found the class {}, expected 1, 2, 3 or 4", in_quotes(row[0])));
    std::string words = std::move(row[1]);
    if (row.size() == 3) words.append(" ").append(row[2]);
    dataset.examples.push_back(
        {static_cast<uint32_t>(dataset.examples.size()), std::move(words), row[0][0] - '1'});
  }
  adopt_classes(dataset, source.path, options.classes);
  return dataset;
}

}  // namespace textcrs
