#include "textcrs/report/attack_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <unordered_set>

#include "attack/join.h"
#include "base/in_order.h"
#include "report/line_file.h"
#include "report/resumed_attacks.h"
#include "report/run_file.h"
#include "report/run_settings.h"
#include "report/stopwatch.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/files.h"
#include "textcrs/base/version.h"
#include "textcrs/text/printable_name.h"

namespace textcrs {
namespace {

void check(const AttackTarget& target, const std::vector<Defence>& defences,
           const Dataset& dataset) {
  std::set<std::string> names;
  for (const Defence& defence : defences) {
    if (!names.insert(defence.name).second)
      throw std::logic_error("run_attack: two defences of one name");
    if (defence.classifier->classes() != target.classes())
      throw usage_error(
          fmt::format("{}: found the classes {}, expected those of the model that is attacked: {}",
                      defence.name, printable_names(defence.classifier->classes()),
                      printable_names(target.classes())));
  }
  const auto classes = static_cast<int>(target.classes().size());
  for (const Example& example : dataset.examples) {
    if (example.label == kNoLabel)
      throw usage_error(
          fmt::format("text {} has no label: an attack needs the right answer", example.id));
    if (dataset.classes != target.classes() || example.label < 0 || example.label >= classes)
      throw std::logic_error("run_attack: the texts have other classes than the target");
  }
}

std::vector<Setting> settings_of(const Attack& attack, const std::vector<Defence>& defences,
                                 const Dataset& dataset, const std::vector<Setting>& more) {
  std::vector<Setting> settings = more;
  settings.push_back({"seed", attack.limits().seed});
  settings.push_back({"query_budget", attack.limits().queries});
  settings.push_back({"data", data_setting(dataset)});
  for (const Defence& defence : defences)
    for (Setting& setting : classifier_settings(defence.classifier->description()))
      settings.push_back({defence.name + "." + setting.name, std::move(setting.value)});
  return settings;
}

DefenceRecord ask(const Defence& defence, const AttackRecord& attacked, StopToken stop) {
  const CertifiedClassifier& classifier = *defence.classifier;
  const std::vector<std::string> clean = classifier.words(attacked.original),
                                 edited = classifier.words(attacked.adversarial);
  const Certification before = classifier.certify(clean, attacked.id, stop),
                      after = classifier.certify(edited, attacked.id, stop);
  const Coverage coverage = classifier.covers(clean, before, edited);
  const auto name_of = [&](const Certification& answer) {
    return classifier.classes()[static_cast<size_t>(answer.prediction)];
  };
  return {.name = defence.name,
          .clean = name_of(before),
          .edited = name_of(after),
          .clean_abstained = before.abstained,
          .edited_abstained = after.abstained,
          .certified = before.sound.certified,
          .covered = coverage.covered,
          .why = coverage.why};
}

AttackRecord attack_example(const Attack& attack, const AttackTarget& target,
                            const std::vector<Defence>& defences, const Example& example,
                            StopToken stop) {
  const Stopwatch watch;
  const std::vector<std::string> words = target.words(example.text);
  const AttackResult result = attack.run(target, words, example.label, example.id, stop);
  AttackRecord record;
  record.id = example.id;
  record.key = example.key;
  record.label = target.classes()[static_cast<size_t>(example.label)];
  record.status = result.status;
  record.before = target.classes()[static_cast<size_t>(result.before)];
  record.after = target.classes()[static_cast<size_t>(result.after)];
  record.share_before = result.share_before;
  record.share_after = result.share_after;
  record.queries = result.queries;
  record.words = words.size();
  record.words_after = result.text.size();
  record.original = joined(words);
  if (record.attempted()) {
    record.adversarial = joined(result.text.words);
    record.differences = differences(words, result.text.words);
    if (const Similarity* similarity = attack.parts().similarity.get())
      record.similarity = similarity->of(words, result.text.words);
    if (!record.differences.empty())
      for (const Defence& defence : defences) record.models.push_back(ask(defence, record, stop));
  }
  record.seconds = watch.seconds();
  record.version = version();
  return record;
}

bool contradicted(const AttackRecord& record) {
  return std::any_of(record.models.begin(), record.models.end(),
                     [](const DefenceRecord& model) { return model.contradicted(); });
}

// How far a run is, and how fast.
class Progress {
 public:
  Progress(const std::vector<AttackRecord>& resumed, size_t texts) {
    for (const AttackRecord& record : resumed) count(record);
    now_.resumed = now_.done;
    now_.texts = texts;
  }

  void add(const AttackRecord& record) {
    count(record);
    now_.texts_per_second = static_cast<double>(now_.done - now_.resumed) / watch_.seconds();
    now_.seconds_left = static_cast<double>(now_.texts - now_.done) / now_.texts_per_second;
  }
  const AttackRunProgress& now() const { return now_; }

 private:
  void count(const AttackRecord& record) {
    ++now_.done;
    now_.attempted += record.attempted();
    now_.succeeded += record.succeeded();
    now_.contradicted += contradicted(record);
  }

  Stopwatch watch_;
  AttackRunProgress now_;
};

// The records that an earlier, interrupted run left.
std::vector<AttackRecord> read_records(LineFile& file, const AttackTarget& target,
                                       const std::vector<Defence>& defences,
                                       const Dataset& dataset) {
  RecordLines<AttackRecord> lines;
  if (file.exists()) lines = read_lines(file.path(), parse_attack_record);
  for (const AttackRecord& record : lines.records)
    if (record.version != version())
      throw OtherVersion(file.path(), record.version, std::string(version()));
  check_resumed(file.path(), lines.records, target, defences, dataset);
  file.open_after(lines.bytes);
  return std::move(lines.records);
}

void attack_all(const Attack& attack, const AttackTarget& target,
                const std::vector<Defence>& defences, const Dataset& dataset, LineFile& file,
                std::vector<AttackRecord>& records, const AttackReporter& report, StopToken stop) {
  std::unordered_set<uint32_t> ids;
  for (const AttackRecord& record : records) ids.insert(record.id);
  std::vector<const Example*> missing;
  for (const Example& example : dataset.examples)
    if (ids.insert(example.id).second) missing.push_back(&example);

  Progress progress(records, dataset.examples.size());
  if (report) report(progress.now());
  const auto make = [&](size_t i) {
    return attack_example(attack, target, defences, *missing[i], stop);
  };
  Stopwatch since_last;
  const auto use = [&](AttackRecord record) {
    record.wall_seconds = since_last.seconds();
    since_last = Stopwatch();
    file.append(to_json(record));
    progress.add(record);
    records.push_back(std::move(record));
    if (report) report(progress.now());
  };
  for_each_in_order(missing.size(), target.examples_at_once(), make, use, stop);
}

}  // namespace

std::optional<Setting> setting_of_run(const std::filesystem::path& folder, std::string_view name) {
  if (!std::filesystem::exists(folder / kRunFile)) return std::nullopt;
  for (Setting& setting : read_run_file(folder / kRunFile).settings)
    if (setting.name == name) return std::move(setting);
  return std::nullopt;
}

AttackSummary run_attack(const Attack& attack, const AttackTarget& target,
                         const std::vector<Defence>& defences, const Dataset& dataset,
                         const AttackRunOptions& options, const AttackReporter& report,
                         StopToken stop) {
  check(target, defences, dataset);
  LineFile file(options.folder, settings_of(attack, defences, dataset, options.settings),
                std::string(version()),
                options.overwrite ? ResultsFile::Start::kAnew : ResultsFile::Start::kGoOn);
  std::vector<AttackRecord> records = read_records(file, target, defences, dataset);
  try {
    attack_all(attack, target, defences, dataset, file, records, report, stop);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInterrupted) throw;
    file.sync();
    throw Error(ErrorKind::kInterrupted,
                fmt::format("interrupted after {} of {}; the results are kept", records.size(),
                            counted(dataset.examples.size(), "text")));
  }
  file.sync();
  AttackSummary summary = summarize(records);
  write_file_atomically(options.folder / kSummaryFile, to_json(summary));
  return summary;
}

}  // namespace textcrs
