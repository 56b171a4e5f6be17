#include "dataset_laws.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "fuzz.h"
#include "text/text_file.h"
#include "text/utf8.h"

namespace textcrs::fuzz {
namespace {

bool is_labelled(const Dataset& dataset) { return dataset.examples.at(0).label != kNoLabel; }

std::string label_of(const Dataset& dataset, const Example& example) {
  return example.label == kNoLabel ? "" : dataset.classes.at(static_cast<size_t>(example.label));
}

void check_contents(const Dataset& dataset) {
  const std::set<std::string> names(dataset.classes.begin(), dataset.classes.end());
  require(names.size() == dataset.classes.size() && !names.contains(""), "classes have names");
  const Example* before = nullptr;
  for (const Example& example : dataset.examples) {
    require(!find_bad_byte(example.text), "a text is UTF-8 without a NUL");
    require(!example.key || (!example.key->empty() && !find_invalid_utf8(*example.key)),
            "a key is UTF-8 and not empty");
    require(example.label >= kNoLabel && example.label < static_cast<int>(dataset.classes.size()),
            "a label is a class");
    require((example.label == kNoLabel) == !is_labelled(dataset), "all have labels, or none");
    require(before == nullptr || before->id < example.id, "ids ascend");
    before = &example;
  }
  require(dataset.description.find('\n') == dataset.description.npos, "it is described in a line");
}

std::string in_csv(std::string_view field) {
  std::string quoted = "\"";
  for (const char c : field) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string as_csv(const Dataset& dataset) {
  std::string rows = is_labelled(dataset) ? "id,text,label\n" : "id,text\n";
  for (const Example& example : dataset.examples) {
    rows += in_csv(example.key.value_or("")) + "," + in_csv(example.text);
    if (is_labelled(dataset)) rows += "," + in_csv(label_of(dataset, example));
    rows += '\n';
  }
  return rows;
}

std::string as_jsonl(const Dataset& dataset) {
  std::string lines;
  for (const Example& example : dataset.examples) {
    nlohmann::json line = {{"text", example.text}};
    if (is_labelled(dataset)) line["label"] = label_of(dataset, example);
    if (example.key) line["id"] = *example.key;
    lines += line.dump() + '\n';
  }
  return lines;
}

bool same(const Dataset& a, const Dataset& b) {
  if (a.examples.size() != b.examples.size()) return false;
  for (size_t i = 0; i < a.examples.size(); ++i)
    if (a.examples[i].text != b.examples[i].text || a.examples[i].key != b.examples[i].key ||
        label_of(a, a.examples[i]) != label_of(b, b.examples[i]))
      return false;
  return true;
}

Dataset read_as(const std::string& format, const std::string& content) {
  ReadOptions options;
  options.path = file_with(content, "copy." + format);
  options.format = format;
  if (format == "csv") options.header = true;
  return read_dataset(options);
}

}  // namespace

void check_dataset(const ReadOptions& options) {
  const auto dataset = accepted([&] { return read_dataset(options); });
  if (!dataset) return;
  check_contents(*dataset);
  require(same(read_as("csv", as_csv(*dataset)), *dataset), "written as csv, it is read back");
  require(same(read_as("jsonl", as_jsonl(*dataset)), *dataset),
          "written as jsonl, it is read back");
}

}  // namespace textcrs::fuzz
