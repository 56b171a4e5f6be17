// A suite whose steps are done by hand.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "report/run_file.h"
#include "text/temporary_folder.h"
#include "textcrs/base/files.h"
#include "textcrs/report/attack_record.h"
#include "textcrs/report/results_file.h"
#include "textcrs/suite/plan.h"
#include "textcrs/suite/tables.h"

namespace textcrs {

// What is certified of a text that is answered right, in one operation.
inline Record certified(uint32_t id, Operation operation, double sound, double paper = -1) {
  Record record;
  record.id = id;
  record.label = record.prediction = "pos";
  record.words = 100;
  record.certification.counts = {0, 1};
  record.certification.sound.certified = true;
  record.certification.sound.guarantees = {{operation, "", sound}};
  if (paper >= 0) {
    record.certification.paper.certified = true;
    record.certification.paper.guarantees = {{operation, "", paper}};
  }
  return record;
}

inline Record wrong(Record record) {
  record.prediction = "neg";
  return record;
}

inline Record abstained(Record record) {
  record.certification.abstained = true;
  record.certification.sound.certified = record.certification.paper.certified = false;
  return record;
}

inline Record unlabelled(Record record) {
  record.label.reset();
  return record;
}

// A text that was attacked, and what a reader makes of it.
inline AttackRecord attacked(uint32_t id, AttackStatus status,
                             std::vector<DefenceRecord> models = {}) {
  AttackRecord record;
  record.id = id;
  record.label = "pos";
  record.status = status;
  record.before = status == AttackStatus::kSkipped ? "neg" : "pos";
  record.after = status == AttackStatus::kFailed ? "pos" : "neg";
  record.words = record.words_after = 10;
  record.original = record.adversarial = "a text";
  record.models = std::move(models);
  return record;
}

inline DefenceRecord reader(const std::string& name, const std::string& edited, bool covered) {
  DefenceRecord record;
  record.name = name;
  record.clean = "pos";
  record.edited = edited;
  record.certified = true;
  record.covered = covered;
  return record;
}

class MadeRuns : public testing::Test {
 protected:
  void plan(const std::string& toml) {
    const std::filesystem::path file = work_.path() / "tiny.toml";
    write_file_atomically(file, toml);
    suite_ = read_suite(file);
    std::vector<PlannedStep> planned = plan_suite(suite_, {});
    SettleOptions options;
    options.out = out();
    manifest_ = settle_plan(suite_, planned, options);
  }

  std::filesystem::path out() const { return work_.path() / "out"; }

  SuiteStep& step(const std::string& name) {
    for (SuiteStep& one : manifest_.steps)
      if (one.name == name) return one;
    throw std::logic_error("the suite has no step " + name);
  }

  // Marks it as done, and creates its folder.
  std::filesystem::path done(const std::string& name) {
    SuiteStep& one = step(name);
    one.state = StepState::kDone;
    one.version = "0.2.0";
    one.machine = "a machine";
    one.seconds = 1.5;
    std::filesystem::create_directories(folder_of(one, out()));
    return folder_of(one, out());
  }

  void certify(const std::string& name, const std::vector<Record>& records,
               const std::string& noise = "delete:p=0.3") {
    const std::filesystem::path folder = done(name);
    {
      ResultsFile results(folder, {{"noise", noise}, {"samples", uint64_t{500}}, {"alpha", 0.001}});
      for (Record record : records) {
        record.version = std::string(version());
        results.append(record);
      }
    }
    write_file_atomically(folder / kSummaryFile, "{}");
  }

  void evaluate(const std::string& name, size_t right, size_t texts) {
    const nlohmann::json json = {
        {"model", "0123"}, {"accuracy", 0.5}, {"classes", {{{"texts", texts}, {"right", right}}}}};
    write_file_atomically(done(name) / "evaluation.json", json.dump());
  }

  void attack(const std::string& name, const std::vector<AttackRecord>& records) {
    const std::filesystem::path folder = done(name);
    write_run_file(folder / kRunFile, {{"recipe", std::string("reduce")}, {"seed", uint64_t{7}}},
                   "0.2.0");
    std::string lines;
    for (const AttackRecord& record : records) lines += to_json(record) + "\n";
    write_file_atomically(folder / kResultsFile, lines);
    write_file_atomically(folder / kSummaryFile, "{}");
  }

  SuiteTables tables() const { return make_tables(suite_, manifest_, out(), published_); }

  MadeTable table(const std::string& name) const {
    for (MadeTable& made : tables().made)
      if (made.name == name) return made;
    ADD_FAILURE() << "no table " << name;
    return {};
  }

  // A published table of one row.
  void publish(const std::string& name, const std::string& method, const PublishedKey& key,
               const std::vector<std::string>& columns,
               const std::vector<std::optional<double>>& numbers) {
    PublishedTable table;
    table.name = name;
    table.method = method;
    table.title = "Title of " + name;
    table.keys = key.level.empty() ? key.model.empty() ? 1 : 2 : 3;
    table.columns = columns;
    table.rows = {{key, numbers}};
    published_.paper = "The Paper";
    published_.tables.push_back(std::move(table));
  }

  TemporaryFolder work_;
  Suite suite_;
  SuiteManifest manifest_;
  PublishedNumbers published_;
};

// The cells of the row with these labels, "nothing" if there is none.
inline std::vector<std::string> row(const MadeTable& table,
                                    const std::vector<std::string>& labels) {
  for (const TableRow& one : table.rows) {
    if (one.labels != labels) continue;
    std::vector<std::string> cells;
    for (const TableCell& cell : one.cells) cells.push_back(cell.in_words());
    return cells;
  }
  return {"nothing"};
}

inline std::string notes(const MadeTable& table) {
  std::string all;
  for (const std::string& note : table.notes) all += note + "\n";
  return all;
}

}  // namespace textcrs
