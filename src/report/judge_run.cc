#include "textcrs/report/judge_run.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/in_order.h"
#include "report/line_file.h"
#include "report/run_file.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/files.h"
#include "textcrs/report/attack_record.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* kJudgedFile = "judged.jsonl";
constexpr const char* kJudgeFile = "judge.json";

std::vector<AttackRecord> read_successes(const fs::path& folder, size_t limit) {
  if (!fs::exists(folder / kResultsFile))
    throw bad_input(fmt::format("{}: found no {}, expected the folder of an attack",
                                folder.string(), kResultsFile));
  std::vector<AttackRecord> records =
      read_lines(folder / kResultsFile, parse_attack_record).records;
  std::erase_if(records, [](const AttackRecord& record) { return !record.succeeded(); });
  if (limit > 0 && records.size() > limit) records.resize(limit);
  return records;
}

std::string to_json(const JudgedText& text) {
  ordered_json json = {{"id", text.id}, {"verdict", to_string(text.verdict)}, {"said", text.said}};
  if (text.similarity) json["similarity"] = *text.similarity;
  return json.dump();
}

std::string to_json(const JudgeSummary& summary) {
  ordered_json json = {{"judge", summary.judge},
                       {"successes", summary.successes},
                       {"same", summary.same},
                       {"different", summary.different},
                       {"unclear", summary.unclear}};
  if (summary.deception_rate) json["deception_rate"] = *summary.deception_rate;
  if (summary.similarity) json["similarity"] = *summary.similarity;
  if (summary.similarity_of_same) json["similarity_of_same"] = *summary.similarity_of_same;
  return json.dump(2) + "\n";
}

// A mean of the numbers that there are.
class Mean {
 public:
  void add(const std::optional<double>& value) {
    if (!value) return;
    sum_ += *value;
    ++count_;
  }
  std::optional<double> value() const {
    if (count_ == 0) return std::nullopt;
    return sum_ / static_cast<double>(count_);
  }

 private:
  double sum_ = 0;
  size_t count_ = 0;
};

JudgeSummary sum_up(const std::vector<JudgedText>& texts) {
  JudgeSummary summary;
  Mean all, of_same, deceived;
  for (const JudgedText& text : texts) {
    ++summary.successes;
    const bool same = text.verdict == Verdict::kSame;
    summary.same += same;
    summary.different += text.verdict == Verdict::kDifferent;
    summary.unclear += text.verdict == Verdict::kUnclear;
    deceived.add(same ? 1 : 0);
    all.add(text.similarity);
    if (same) of_same.add(text.similarity);
  }
  summary.deception_rate = deceived.value();
  summary.similarity = all.value();
  summary.similarity_of_same = of_same.value();
  return summary;
}

}  // namespace

JudgeSummary judge_run(const fs::path& folder, Judge& judge, const JudgeRunOptions& options,
                       const JudgeReporter& report, StopToken stop) {
  const std::vector<AttackRecord> records = read_successes(folder, options.limit);
  const int64_t asked_before = judge.asked();
  std::vector<JudgedText> texts;
  std::string lines;
  const auto ask = [&](size_t i) {
    const AttackRecord& record = records[i];
    const Judge::Answer answer = judge.ask(record.original, record.adversarial, stop);
    return JudgedText{record.id, answer.verdict, answer.said, record.similarity};
  };
  const auto use = [&](JudgedText text) {
    lines += to_json(text) + "\n";
    texts.push_back(std::move(text));
    if (report) report(texts.size(), records.size());
  };
  for_each_in_order(records.size(), options.at_once, ask, use, stop);
  JudgeSummary summary = sum_up(texts);
  summary.judge = options.endpoint;
  summary.asked = judge.asked() - asked_before;
  write_file_atomically(folder / kJudgedFile, lines);
  write_file_atomically(folder / kJudgeFile, to_json(summary));
  return summary;
}

std::string in_words(const JudgeSummary& summary) {
  std::string text = fmt::format("{} judged by {}: {} still mean the same, {} do not, {} unclear",
                                 counted(summary.successes, "success"), summary.judge, summary.same,
                                 summary.different, summary.unclear);
  if (summary.deception_rate)
    text += fmt::format("\ndeception rate {:.1f} %", 100 * *summary.deception_rate);
  if (summary.similarity) text += fmt::format("; mean similarity {:.3f}", *summary.similarity);
  if (summary.similarity_of_same)
    text += fmt::format(", of those that deceive {:.3f}", *summary.similarity_of_same);
  return text + "\n";
}

}  // namespace textcrs
