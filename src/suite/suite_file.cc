#include "textcrs/suite/suite_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "suite/toml_reader.h"
#include "textcrs/base/nearest_name.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kOperations = {"substitution", "reordering", "insertion",
                                              "deletion",     "edit",       "none"};

void expect_one_of(const TomlTable& table, const std::string& value,
                   const std::vector<std::string>& known, const std::string& what) {
  if (std::find(known.begin(), known.end(), value) != known.end()) return;
  table.fail(table.line(), fmt::format("found the {} '{}', expected one of: {}{}", what, value,
                                       fmt::join(known, ", "), did_you_mean(value, known)));
}

template <typename Named>
std::vector<std::string> names_of(const std::vector<Named>& list) {
  std::vector<std::string> names;
  for (const Named& one : list) names.push_back(one.name);
  return names;
}

// Names become parts of folders' names, so they are plain.
void expect_plain(const TomlTable& table, const std::string& name, int line) {
  const bool plain = std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '+' || c == '=';
  });
  if (!plain || name.empty() || name.size() > 60 || name.front() == '-')
    table.fail(
        line, fmt::format("found the name '{}', expected up to 60 letters, digits, - _ + =", name));
}

template <typename Named>
std::string new_name(TomlTable& table, const std::vector<Named>& before) {
  const std::string name = table.required_text("name");
  expect_plain(table, name, table.line());
  for (const Named& one : before)
    if (one.name == name) table.fail(table.line(), fmt::format("the name '{}' is taken", name));
  return name;
}

SuiteData read_data(TomlTable& table, const std::vector<SuiteData>& before) {
  SuiteData data;
  data.name = new_name(table, before);
  data.title = table.text("title", data.name);
  const std::vector<std::string> texts = table.texts("texts");
  if (texts.size() > 2)
    table.fail(table.line(),
               "found more than two 'texts', expected a name of fetched data, or "
               "two files: training and test texts");
  data.train = texts.empty() ? data.name : texts.front();
  data.test = texts.empty() ? data.name : texts.back();
  data.published = table.text("published");
  data.caveat = table.text("caveat");
  data.flags = table.flags_by_verb();
  return data;
}

SuiteModel read_model(TomlTable& table, const std::vector<SuiteModel>& before) {
  SuiteModel model;
  model.line = table.line();
  model.name = new_name(table, before);
  model.title = table.text("title", model.name);
  model.published = table.text("published");
  model.caveat = table.text("caveat");
  model.device = table.text("device");
  if (!model.device.empty()) expect_one_of(table, model.device, {"cpu", "cuda"}, "device");
  model.flags = table.flags_by_verb();
  for (TomlTable& one : table.tables("for")) {
    SuiteOverride change;
    change.data = one.texts("data");
    change.flags = one.flags_by_verb();
    one.expect_no_more();
    model.overrides.push_back(std::move(change));
  }
  return model;
}

std::vector<SuiteLevel> read_levels(TomlTable& table) {
  const std::string noise = table.text("noise");
  std::vector<SuiteLevel> levels = table.levels("levels");
  if (!noise.empty() && !levels.empty())
    table.fail(table.line(), "found both 'noise' and 'levels', expected one of the two");
  if (!noise.empty()) levels = {{"", noise, table.line()}};
  for (const SuiteLevel& level : levels)
    if (noise.empty()) expect_plain(table, level.name, level.line);
  return levels;
}

SuiteMethod read_method(TomlTable& table, const Suite& suite) {
  SuiteMethod method;
  method.line = table.line();
  method.name = new_name(table, suite.methods);
  method.title = table.text("title", method.name);
  method.operation = table.text("operation", "edit");
  expect_one_of(table, method.operation, kOperations, "operation");
  method.published = table.text("published");
  method.models = table.texts("models");
  method.data = table.texts("data");
  method.levels = read_levels(table);
  if (method.levels.empty()) method.levels = {{"", "", method.line}};
  method.evaluates = table.flag("evaluates", true);
  method.certifies = table.flag("certifies", method.operation != "none");
  method.flags = table.flags_by_verb();
  for (TomlTable& one : table.tables("for")) {
    SuiteOverride change;
    change.models = one.texts("models");
    change.data = one.texts("data");
    change.levels = read_levels(one);
    change.flags = one.flags_by_verb();
    one.expect_no_more();
    method.overrides.push_back(std::move(change));
  }
  return method;
}

SuiteSelection read_selection(TomlTable& table) {
  SuiteSelection show;
  show.data = table.texts("data");
  show.models = table.texts("models");
  show.methods = table.texts("methods");
  show.levels = table.texts("levels");
  show.variants = table.texts("variants");
  show.attacks = table.texts("attacks");
  return show;
}

SuiteEncoder read_encoder(TomlTable& table, const Suite& suite) {
  SuiteEncoder encoder;
  encoder.line = table.line();
  encoder.name = new_name(table, suite.encoders);
  encoder.data = table.texts("data");
  encoder.flags = table.flags_by_verb();
  return encoder;
}

SuiteAttack read_attack(TomlTable& table, const Suite& suite) {
  SuiteAttack attack;
  attack.line = table.line();
  attack.name = new_name(table, suite.attacks);
  attack.title = table.text("title", attack.name);
  attack.recipe = table.text("recipe", attack.name);
  attack.operation = table.text("operation", "edit");
  expect_one_of(table, attack.operation, kOperations, "operation");
  attack.published = table.text("published");
  attack.methods = table.texts("methods");
  attack.against = table.texts("against");
  attack.models = table.texts("models");
  attack.data = table.texts("data");
  attack.judged = table.flag("judged", false);
  attack.flags = table.flags_by_verb();
  return attack;
}

SuiteVariant read_variant(TomlTable& table, const Suite& suite) {
  SuiteVariant variant;
  variant.line = table.line();
  variant.name = new_name(table, suite.variants);
  variant.title = table.text("title", variant.name);
  variant.methods = table.texts("methods");
  variant.levels = table.texts("levels");
  variant.models = table.texts("models");
  variant.data = table.texts("data");
  variant.flags = table.flags_by_verb();
  return variant;
}

// One of the operations but "none", or "".
void expect_threat(const TomlTable& table, const std::string& value, const std::string& what) {
  if (!value.empty())
    expect_one_of(table, value, {kOperations.begin(), kOperations.end() - 1}, what);
}

SuiteTable read_table(TomlTable& table, const Suite& suite) {
  SuiteTable result;
  result.line = table.line();
  result.name = new_name(table, suite.tables);
  if (result.name == "suite")
    table.fail(table.line(), "the name 'suite' is taken: tables/suite.json is the manifest");
  result.kind = table.text("kind", result.name);
  expect_one_of(table, result.kind, table_kinds(), "kind of table");
  result.title = table.text("title", result.name);
  result.show = read_selection(table);
  result.radii = table.numbers("radii");
  for (const double radius : result.radii)
    if (!(radius >= 0))
      table.fail(table.line(),
                 fmt::format("found {} among 'radii', expected numbers from 0", radius));
  result.threat = table.text("threat");
  expect_threat(table, result.threat, "threat");
  return result;
}

SuiteFigure read_figure(TomlTable& table, const Suite& suite) {
  SuiteFigure figure;
  figure.line = table.line();
  figure.name = new_name(table, suite.figures);
  figure.kind = table.text("kind", figure.name);
  expect_one_of(table, figure.kind, figure_kinds(), "kind of figure");
  figure.title = table.text("title", "");
  figure.show = read_selection(table);
  figure.operation = table.text("operation");
  expect_threat(table, figure.operation, "operation");
  figure.threat = table.text("threat");
  expect_threat(table, figure.threat, "threat");
  figure.sources = table.texts("sources");
  const bool of_vectors = figure.kind == "distances" || figure.kind == "values";
  if (of_vectors == figure.sources.empty())
    table.fail(table.line(), of_vectors ? "found no 'sources', expected names of word vectors"
                                        : "found 'sources', which distances and values have");
  return figure;
}

void read_defaults(TomlTable& table, Suite& suite) {
  suite.device = table.text("device", "cpu");
  expect_one_of(table, suite.device, {"cpu", "cuda"}, "device");
  suite.seed = table.whole("seed");
  suite.limit = table.whole("limit");
  suite.samples = table.whole("samples");
  suite.alpha = table.number("alpha");
  suite.flags = table.flags_by_verb();
  table.expect_no_more();
}

template <typename Part, typename Read>
void read_all(TomlTable& root, const std::string& key, std::vector<Part>& parts, const Read& read) {
  for (TomlTable& table : root.tables(key)) {
    parts.push_back(read(table));
    table.expect_no_more();
  }
}

// Who is named must be there.
class NameCheck {
 public:
  NameCheck(const Suite& suite, const TomlTable& root) : suite_(suite), root_(root) {}

  void run() const {
    for (const SuiteModel& model : suite_.models)
      for (const SuiteOverride& change : model.overrides)
        expect(model.line, change.data, names_of(suite_.data), "data");
    for (const SuiteMethod& method : suite_.methods) {
      expect(method.line, method.models, names_of(suite_.models), "model");
      expect(method.line, method.data, names_of(suite_.data), "data");
      for (const auto& change : method.overrides) {
        expect(method.line, change.models, names_of(suite_.models), "model");
        expect(method.line, change.data, names_of(suite_.data), "data");
      }
    }
    for (const SuiteEncoder& encoder : suite_.encoders) {
      expect(encoder.line, encoder.data, names_of(suite_.data), "data");
      expect_free(encoder);
    }
    for (const SuiteAttack& attack : suite_.attacks) {
      if (attack.methods.empty())
        root_.fail(attack.line, "[[attack]]: found no 'methods' to attack");
      expect(attack.line, attack.methods, names_of(suite_.methods), "method");
      expect(attack.line, attack.models, names_of(suite_.models), "model");
      expect(attack.line, attack.data, names_of(suite_.data), "data");
      for (const std::string& reference : attack.against) expect_level(attack.line, reference);
    }
    for (const SuiteVariant& variant : suite_.variants) {
      expect(variant.line, variant.methods, names_of(suite_.methods), "method");
      expect(variant.line, variant.models, names_of(suite_.models), "model");
      expect(variant.line, variant.data, names_of(suite_.data), "data");
      expect(variant.line, variant.levels, all_levels(), "level");
    }
    for (const SuiteTable& table : suite_.tables) expect_all(table.line, table.show);
    for (const SuiteFigure& figure : suite_.figures) expect_all(figure.line, figure.show);
  }

 private:
  void expect(int line, const std::vector<std::string>& names,
              const std::vector<std::string>& known, const std::string& what) const {
    for (const std::string& name : names)
      if (std::find(known.begin(), known.end(), name) == known.end())
        root_.fail(line, fmt::format("found the {} '{}', expected one of: {}{}", what, name,
                                     fmt::join(known, ", "), did_you_mean(name, known)));
  }

  void expect_all(int line, const SuiteSelection& show) const {
    expect(line, show.data, names_of(suite_.data), "data");
    expect(line, show.models, names_of(suite_.models), "model");
    expect(line, show.methods, names_of(suite_.methods), "method");
    expect(line, show.attacks, names_of(suite_.attacks), "attack");
    expect(line, show.variants, names_of(suite_.variants), "variant");
    expect(line, show.levels, all_levels(), "level");
  }

  std::vector<std::string> all_levels() const {
    std::set<std::string> levels;
    for (const SuiteMethod& method : suite_.methods)
      for (const SuiteLevel& level : levels_of(method)) levels.insert(level.name);
    return {levels.begin(), levels.end()};
  }

  // Those of its overrides, too.
  static std::vector<SuiteLevel> levels_of(const SuiteMethod& method) {
    std::vector<SuiteLevel> levels = method.levels;
    for (const SuiteOverride& change : method.overrides)
      levels.insert(levels.end(), change.levels.begin(), change.levels.end());
    return levels;
  }

  // METHOD or METHOD.LEVEL
  void expect_level(int line, const std::string& reference) const {
    std::vector<std::string> known;
    for (const SuiteMethod& method : suite_.methods)
      for (const SuiteLevel& level : levels_of(method))
        known.push_back(level.name.empty() ? method.name : method.name + "." + level.name);
    expect(line, {reference}, known, "method");
  }

  void expect_free(const SuiteEncoder& encoder) const {
    for (const SuiteMethod& method : suite_.methods)
      if (method.name == encoder.name)
        root_.fail(encoder.line, fmt::format("the name '{}' is that of a method", encoder.name));
  }

  const Suite& suite_;
  const TomlTable& root_;
};

}  // namespace

const std::vector<std::string>& table_kinds() {
  static const std::vector<std::string> kinds = {
      "benchmark",    "clean", "attack-accuracy", "certified-attacks",
      "universality", "judge", "edits",           "radii"};
  return kinds;
}

const std::vector<std::string>& figure_kinds() {
  static const std::vector<std::string> kinds = {"radius",  "edits",     "frontier",
                                                 "samples", "toolkit",   "speed",
                                                 "attacks", "distances", "values"};
  return kinds;
}

Suite read_suite(const fs::path& file) {
  const toml::table parsed = parse_toml(file);
  TomlTable root(parsed, file, "the suite");
  Suite suite;
  suite.file = file;
  suite.name = file.stem().string();
  suite.title = root.text("title", suite.name);
  suite.about = root.text("about");
  suite.caveats = root.texts("caveats");
  if (auto defaults = root.table("defaults")) read_defaults(*defaults, suite);
  read_all(root, "data", suite.data, [&](TomlTable& t) { return read_data(t, suite.data); });
  read_all(root, "model", suite.models, [&](TomlTable& t) { return read_model(t, suite.models); });
  read_all(root, "method", suite.methods, [&](TomlTable& t) { return read_method(t, suite); });
  read_all(root, "encoder", suite.encoders, [&](TomlTable& t) { return read_encoder(t, suite); });
  read_all(root, "attack", suite.attacks, [&](TomlTable& t) { return read_attack(t, suite); });
  read_all(root, "variant", suite.variants, [&](TomlTable& t) { return read_variant(t, suite); });
  read_all(root, "table", suite.tables, [&](TomlTable& t) { return read_table(t, suite); });
  read_all(root, "figure", suite.figures, [&](TomlTable& t) { return read_figure(t, suite); });
  root.expect_no_more();
  for (const auto& [missing, what] : {std::pair{suite.data.empty(), "[[data]]"},
                                      {suite.models.empty(), "[[model]]"},
                                      {suite.methods.empty(), "[[method]]"}})
    if (missing) root.fail(1, fmt::format("found no {}, expected at least one", what));
  NameCheck(suite, root).run();
  return suite;
}

}  // namespace textcrs
