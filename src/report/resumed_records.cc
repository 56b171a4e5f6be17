#include "report/resumed_records.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "report/run_settings.h"
#include "text/utf8.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

std::string shown(const std::optional<std::string>& value) {
  return value ? in_quotes(*value) : "none";
}

class Checker {
 public:
  Checker(const CertifiedClassifier& classifier, const Dataset& dataset, bool with_text)
      : classifier_(classifier), with_text_(with_text) {
    for (const Example& example : dataset.examples) examples_.emplace(example.id, &example);
  }

  // What is wrong with a record; empty: nothing.
  std::string complaint(const Record& record) const {
    const auto found = examples_.find(record.id);
    if (found == examples_.end())
      return fmt::format("found a result of the text {}, which is not among the texts", record.id);
    std::string wrong = about_text(record, *found->second);
    if (wrong.empty()) wrong = about_answer(record);
    if (wrong.empty()) wrong = about_samples(record);
    return wrong.empty() ? "" : fmt::format("the result of the text {}: {}", record.id, wrong);
  }

 private:
  std::string about_text(const Record& record, const Example& example) const {
    std::optional<std::string> label, text;
    if (example.label != kNoLabel)
      label = classifier_.classes()[static_cast<size_t>(example.label)];
    if (with_text_) text = example.text;
    const auto differs = [](const char* what, const auto& a, const auto& b) {
      return fmt::format("found the {} {}, expected {}", what, shown(a), shown(b));
    };
    if (record.key != example.key) return differs("key", record.key, example.key);
    if (record.label != label) return differs("label", record.label, label);
    if (record.text != text) return differs("text", record.text, text);
    return "";
  }

  std::string about_answer(const Record& record) const {
    const std::vector<std::string>& classes = classifier_.classes();
    if (std::find(classes.begin(), classes.end(), record.prediction) == classes.end())
      return fmt::format("found the class {}, expected one of the model's",
                         in_quotes(record.prediction));
    if (record.certification.counts.size() != classes.size())
      return fmt::format("found {} counts, expected one for each of {} classes",
                         record.certification.counts.size(), classes.size());
    const std::string& unit = classifier_.description().unit;
    if (record.unit != unit) return fmt::format("it counts {}s, expected {}s", record.unit, unit);
    return "";
  }

  std::string about_samples(const Record& record) const {
    const Description& description = classifier_.description();
    const Certification& c = record.certification;
    if (record.stops != stopped_by_rule(description, c))
      return record.stops ? "found a stop, expected none without a stop rule"
                          : "found no stop, expected one under a stop rule";
    if (!description.samples || c.exact) return "";
    const uint64_t planned = uint64_t{description.certifier.selection_samples} +
                             description.certifier.estimation_samples;
    if (c.samples > planned)
      return fmt::format("found {} samples, expected at most {}", c.samples, planned);
    int64_t left = c.samples;
    for (const int64_t count : c.counts) {
      if (count < 0 || count > left)
        return fmt::format("found counts that are no votes of {} samples", c.samples);
      left -= count;
    }
    return "";
  }

  const CertifiedClassifier& classifier_;
  bool with_text_;
  std::unordered_map<uint32_t, const Example*> examples_;  // of those with one id the first
};

}  // namespace

void check_resumed(const std::filesystem::path& file, const std::vector<Record>& records,
                   const CertifiedClassifier& classifier, const Dataset& dataset, bool with_text) {
  const Checker checker(classifier, dataset, with_text);
  for (size_t i = 0; i < records.size(); ++i)
    if (const std::string wrong = checker.complaint(records[i]); !wrong.empty())
      throw bad_input(fmt::format("{}:{}: {}", file.string(), i + 1, wrong));
}

}  // namespace textcrs
