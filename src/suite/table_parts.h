// What the kinds of tables are made with.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "textcrs/report/attack_record.h"
#include "textcrs/report/run_folder.h"
#include "textcrs/suite/tables.h"

namespace textcrs {

struct TableSource {
  const Suite& suite;
  const std::vector<SuiteStep>& steps;  // all that are planned, and what is left of earlier plans
  const std::filesystem::path& out;
  const PublishedNumbers& published;
  StopToken stop;
};

struct JudgeCounts {
  std::string judge;
  CountedShare same;  // of the successes
  std::optional<double> similarity, similarity_of_same;
};

// One table in work: reads what its steps say, and keeps what was read and what could not be.
class TableMaker {
 public:
  TableMaker(const TableSource& source, const SuiteTable& table);

  const Suite& suite() const { return source_.suite; }
  const SuiteTable& wanted() const { return wanted_; }
  MadeTable& table() { return table_; }

  // Steps of a kind that agree with the selection, in the order of the suite.
  std::vector<const SuiteStep*> shown(const std::string& kind, const SuiteSelection& show) const;

  // What the step's folder says. None where it is not done or can not be read, which finish() says.
  std::optional<RunFolder> certification(const SuiteStep& step);
  std::optional<CountedShare> evaluation(const SuiteStep& step);  // right answers
  std::optional<std::vector<AttackRecord>> attack(const SuiteStep& step);
  std::optional<JudgeCounts> judge(const SuiteStep& step);

  TableCell share(const SuiteStep& step, CountedShare share, bool proved) const;
  TableCell number(const SuiteStep& step, double number, int decimals) const;
  TableCell missing(const SuiteStep& step) const;
  // Of a published table, "" beside which nothing is published; notes that it is used.
  TableCell published(const std::string& table, const std::string& method, const SuiteStep& step,
                      const std::string& column);
  bool has_published(const std::string& table, const std::string& method) const;

  void note(const std::string& note);  // once
  // Adds the caveats of what is shown, what is missing, and the runs.
  MadeTable finish();

 private:
  template <typename Result, typename Read>
  std::optional<Result> read(const SuiteStep& step, const Read& read);
  void add_caveats();
  void add_published_notes();
  void add_missing();
  void add_runs();

  const TableSource& source_;
  const SuiteTable& wanted_;
  MadeTable table_;
  std::map<std::string, std::map<std::string, std::string>> settings_;  // by step that was read
  std::set<std::string> not_done_, seen_data_, seen_models_;
  std::vector<std::string> problems_;
  std::vector<const PublishedTable*> published_;  // that were used
};

// The place of a label in a list, which gets it at its end if it is new.
size_t place_in(std::vector<std::string>& list, const std::string& label);

bool is_empty(const TableRow& row);  // no cell of it has anything

// "low", or "low, N = 1000" of a variant.
std::string level_label(const SuiteStep& step);
std::string level_key(const SuiteStep& step);  // the same by names; equal for no others

// Of the suite, by the step's tag; nullptr if it has none of that name any more.
const SuiteMethod* method_of(const Suite& suite, const SuiteStep& step);

// The texts of a run that have a label.
std::vector<const Record*> labelled_texts(const RunFolder& run);

// Kinds of tables.
MadeTable make_method_table(const TableSource& source,
                            const SuiteTable& table);  // benchmark, clean
MadeTable make_radius_table(const TableSource& source, const SuiteTable& table);  // edits, radii
// attack-accuracy; certified-attacks and universality; judge
MadeTable make_attack_table(const TableSource& source, const SuiteTable& table);
MadeTable make_defence_table(const TableSource& source, const SuiteTable& table);
MadeTable make_judge_table(const TableSource& source, const SuiteTable& table);

}  // namespace textcrs
