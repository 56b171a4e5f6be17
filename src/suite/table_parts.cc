#include "suite/table_parts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/line_file.h"
#include "report/run_file.h"
#include "suite/shown_steps.h"
#include "suite/table_provenance.h"
#include "text/json.h"
#include "text/json_value.h"
#include "textcrs/base/error.h"
#include "textcrs/suite/plan.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

template <typename Named>
const Named* find_named(const std::vector<Named>& list, const std::string& name) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const Named& one) { return one.name == name; });
  return found == list.end() ? nullptr : &*found;
}

}  // namespace

TableMaker::TableMaker(const TableSource& source, const SuiteTable& table)
    : source_(source), wanted_(table) {
  table_.name = table.name;
  table_.kind = table.kind;
  table_.title = table.title;
}

std::vector<const SuiteStep*> TableMaker::shown(const std::string& kind,
                                                const SuiteSelection& show) const {
  std::vector<const SuiteStep*> list;
  for (const SuiteStep& step : source_.steps)
    if (step.kind == kind && is_shown(step, show, false)) list.push_back(&step);
  return list;
}

template <typename Result, typename Read>
std::optional<Result> TableMaker::read(const SuiteStep& step, const Read& read) {
  source_.stop.check();
  seen_data_.insert(step.tag("data"));
  seen_models_.insert(step.tag("model"));
  if (step.state != StepState::kDone) {
    not_done_.insert(step.name);
    return std::nullopt;
  }
  try {
    return read(folder_of(step, source_.out));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kBadInput) throw;
    problems_.push_back(
        fmt::format("{} is not shown: {}", step.name, without_folder(error.what(), source_.out)));
    return std::nullopt;
  }
}

std::optional<RunFolder> TableMaker::certification(const SuiteStep& step) {
  return read<RunFolder>(step, [&](const fs::path& folder) {
    RunFolder run = read_run(folder);
    if (!run.complete) throw bad_input(fmt::format("{}: the run is not complete", folder.string()));
    settings_[step.name] = settings_in_words(run.settings);
    return run;
  });
}

std::optional<CountedShare> TableMaker::evaluation(const SuiteStep& step) {
  return read<CountedShare>(step, [&](const fs::path& folder) {
    const fs::path file = folder / "evaluation.json";
    const auto json = read_json_file<ordered_json>(file);
    const JsonValue root(json, file.string());
    CountedShare share;
    for (const JsonValue& one : root.at("classes").list()) {
      share.count += one.at("right").whole<size_t>();
      share.all += one.at("texts").whole<size_t>();
    }
    if (share.count > share.all) root.at("classes").refuse("no more right answers than texts");
    settings_[step.name] = scalars_in_words(json);
    return share;
  });
}

std::optional<std::vector<AttackRecord>> TableMaker::attack(const SuiteStep& step) {
  return read<std::vector<AttackRecord>>(step, [&](const fs::path& folder) {
    if (!is_complete(step, source_.out))
      throw bad_input(fmt::format("{}: the run is not complete", folder.string()));
    const RunSettings run = read_run_file(folder / kRunFile);
    auto records = read_lines(folder / kResultsFile, parse_attack_record).records;
    settings_[step.name] = settings_in_words(run.settings);
    return records;
  });
}

std::optional<JudgeCounts> TableMaker::judge(const SuiteStep& step) {
  return read<JudgeCounts>(step, [&](const fs::path& folder) {
    const fs::path file = folder / "judge.json";
    const auto json = read_json_file<ordered_json>(file);
    const JsonValue root(json, file.string());
    JudgeCounts counts;
    counts.judge = root.at("judge").text();
    counts.same = {root.at("same").whole<size_t>(), root.at("successes").whole<size_t>()};
    if (counts.same.count > counts.same.all)
      root.at("same").refuse("no more than there are successes");
    if (const auto mean = root.find("similarity")) counts.similarity = mean->number();
    if (const auto mean = root.find("similarity_of_same"))
      counts.similarity_of_same = mean->number();
    settings_[step.name] = scalars_in_words(json);
    return counts;
  });
}

TableCell TableMaker::share(const SuiteStep& step, CountedShare share, bool proved) const {
  TableCell cell;
  cell.kind = TableCell::Kind::kShare;
  cell.share = share;
  cell.proved = proved;
  cell.step = step.name;
  return cell;
}

TableCell TableMaker::number(const SuiteStep& step, double number, int decimals) const {
  TableCell cell;
  cell.kind = TableCell::Kind::kNumber;
  cell.number = number;
  cell.decimals = decimals;
  cell.step = step.name;
  return cell;
}

TableCell TableMaker::missing(const SuiteStep& step) const {
  TableCell cell;
  cell.kind = TableCell::Kind::kMissing;
  cell.step = step.name;
  return cell;
}

TableCell TableMaker::published(const std::string& table, const std::string& method,
                                const SuiteStep& step, const std::string& column) {
  const PublishedTable* const known = source_.published.find(table, method);
  const SuiteData* const data = find_named(suite().data, step.tag("data"));
  const SuiteModel* const model = find_named(suite().models, step.tag("model"));
  if (known == nullptr || column.empty() || data == nullptr || model == nullptr ||
      data->published.empty() || model->published.empty())
    return {};
  const auto number = known->find({data->published, model->published, step.tag("level")}, column);
  if (!number) return {};
  if (std::find(published_.begin(), published_.end(), known) == published_.end())
    published_.push_back(known);
  TableCell cell;
  cell.kind = TableCell::Kind::kPublished;
  cell.number = *number;
  cell.decimals = known->decimals;
  return cell;
}

bool TableMaker::has_published(const std::string& table, const std::string& method) const {
  return source_.published.find(table, method) != nullptr;
}

void TableMaker::note(const std::string& note) {
  if (!note.empty() &&
      std::find(table_.notes.begin(), table_.notes.end(), note) == table_.notes.end())
    table_.notes.push_back(note);
}

void TableMaker::add_published_notes() {
  for (const PublishedTable* const table : published_)
    note(fmt::format("published{}: \"{}\"{}{}",
                     table->method.empty() ? "" : " (" + table->method + ")", table->title,
                     table->note.empty() ? "" : "; ", table->note));
  if (!published_.empty()) note("published numbers are those of " + source_.published.paper);
}

void TableMaker::add_caveats() {
  for (const std::string& caveat : suite().caveats) note(caveat);
  for (const SuiteData& data : suite().data)
    if (seen_data_.contains(data.name) && !data.caveat.empty())
      note(fmt::format("{}: {}", data.title, data.caveat));
  for (const SuiteModel& model : suite().models)
    if (seen_models_.contains(model.name) && !model.caveat.empty())
      note(fmt::format("{}: {}", model.title, model.caveat));
}

void TableMaker::add_missing() {
  if (!not_done_.empty())
    note(fmt::format("not done yet, shown as a dash: {}", fmt::join(not_done_, ", ")));
  for (const std::string& problem : problems_) note(problem);
}

void TableMaker::add_runs() {
  std::set<std::string> used;
  for (const TableRow& row : table_.rows)
    for (const TableCell& cell : row.cells)
      if (cell.kind == TableCell::Kind::kShare || cell.kind == TableCell::Kind::kNumber)
        used.insert(cell.step);
  std::set<std::string> behind;  // steps that runs need, and what these need
  for (auto step = source_.steps.rbegin(); step != source_.steps.rend(); ++step)
    if (used.contains(step->name) || behind.contains(step->name))
      behind.insert(step->needs.begin(), step->needs.end());
  for (const SuiteStep& step : source_.steps) {
    if (used.contains(step.name))
      table_.runs.push_back({portable(step, source_.out), settings_[step.name]});
    else if (behind.contains(step.name))
      table_.models.push_back({portable(step, source_.out), {}});
  }
}

MadeTable TableMaker::finish() {
  std::erase_if(table_.rows, is_empty);
  add_published_notes();
  add_caveats();
  add_missing();
  add_runs();
  return std::move(table_);
}

size_t place_in(std::vector<std::string>& list, const std::string& label) {
  const auto found = std::find(list.begin(), list.end(), label);
  const auto place = static_cast<size_t>(found - list.begin());
  if (found == list.end()) list.push_back(label);
  return place;
}

bool is_empty(const TableRow& row) {
  return std::all_of(row.cells.begin(), row.cells.end(),
                     [](const TableCell& cell) { return cell.kind == TableCell::Kind::kEmpty; });
}

std::string level_label(const SuiteStep& step) {
  const std::string level = step.tag("level"), variant = step.tag("variant-title");
  return level.empty() || variant.empty() ? level + variant : level + ", " + variant;
}

std::string level_key(const SuiteStep& step) {
  const std::string level = step.tag("level"), variant = step.tag("variant");
  return variant.empty() ? level : level + "\n" + variant;
}

const SuiteMethod* method_of(const Suite& suite, const SuiteStep& step) {
  return find_named(suite.methods, step.tag("method"));
}

std::vector<const Record*> labelled_texts(const RunFolder& run) {
  std::vector<const Record*> texts;
  for (const Record& record : run.records)
    if (record.label) texts.push_back(&record);
  return texts;
}

}  // namespace textcrs
