#include "report/resumed_attacks.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "attack/join.h"
#include "text/utf8.h"
#include "textcrs/base/error.h"

namespace textcrs {
namespace {

std::string shown(const std::optional<std::string>& value) {
  return value ? in_quotes(*value) : "none";
}

class Checker {
 public:
  Checker(const AttackTarget& target, const std::vector<Defence>& defences, const Dataset& dataset)
      : target_(target), defences_(defences) {
    for (const Example& example : dataset.examples) examples_.emplace(example.id, &example);
  }

  // What is wrong with a record; empty: nothing.
  std::string complaint(const AttackRecord& record) const {
    const auto found = examples_.find(record.id);
    if (found == examples_.end())
      return fmt::format("found a result of the text {}, which is not among the texts", record.id);
    std::string wrong = about_text(record, *found->second);
    if (wrong.empty()) wrong = about_answers(record);
    if (wrong.empty()) wrong = about_models(record);
    return wrong.empty() ? "" : fmt::format("the result of the text {}: {}", record.id, wrong);
  }

 private:
  std::string about_text(const AttackRecord& record, const Example& example) const {
    const auto differs = [](const char* what, const auto& a, const auto& b) {
      return fmt::format("found the {} {}, expected {}", what, shown(a), shown(b));
    };
    const std::string& label = target_.classes()[static_cast<size_t>(example.label)];
    if (record.key != example.key) return differs("key", record.key, example.key);
    if (record.label != label) return differs("label", record.label, label);
    const std::vector<std::string> words = target_.words(example.text);
    if (const std::string text = joined(words); record.original != text)
      return differs("words", record.original, text);
    if (record.words != words.size())
      return fmt::format("found {} words, expected {}", record.words, words.size());
    return "";
  }

  std::string about_answers(const AttackRecord& record) const {
    for (const std::string& answer : {record.before, record.after})
      if (!is_class(answer)) return no_class(answer);
    if (record.attempted() != (record.before == record.label))
      return record.attempted() ? "found an attack on a wrong answer, expected it to be skipped"
                                : "found no attack on a right answer, expected one";
    return "";
  }

  std::string about_models(const AttackRecord& record) const {
    const size_t asked = record.differences.empty() ? 0 : defences_.size();
    if (record.models.size() != asked)
      return fmt::format("found {} models that were asked, expected {}", record.models.size(),
                         asked);
    for (size_t i = 0; i < asked; ++i) {
      const DefenceRecord& model = record.models[i];
      if (model.name != defences_[i].name)
        return fmt::format("found the model {}, expected {}", in_quotes(model.name),
                           in_quotes(defences_[i].name));
      for (const std::string& answer : {model.clean, model.edited})
        if (!is_class(answer)) return no_class(answer);
    }
    return "";
  }

  bool is_class(const std::string& name) const {
    const std::vector<std::string>& classes = target_.classes();
    return std::find(classes.begin(), classes.end(), name) != classes.end();
  }

  static std::string no_class(const std::string& name) {
    return fmt::format("found the class {}, expected one of the model's", in_quotes(name));
  }

  const AttackTarget& target_;
  const std::vector<Defence>& defences_;
  std::unordered_map<uint32_t, const Example*> examples_;  // of those with one id the first
};

}  // namespace

void check_resumed(const std::filesystem::path& file, const std::vector<AttackRecord>& records,
                   const AttackTarget& target, const std::vector<Defence>& defences,
                   const Dataset& dataset) {
  const Checker checker(target, defences, dataset);
  for (size_t i = 0; i < records.size(); ++i)
    if (const std::string wrong = checker.complaint(records[i]); !wrong.empty())
      throw bad_input(fmt::format("{}:{}: {}", file.string(), i + 1, wrong));
}

}  // namespace textcrs
