#include "textcrs/suite/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "suite/shown_steps.h"
#include "suite/stale_files.h"
#include "textcrs/base/counted.h"
#include "textcrs/base/error.h"
#include "textcrs/plot/attack_figure.h"
#include "textcrs/plot/draw.h"
#include "textcrs/plot/embedding_figures.h"
#include "textcrs/plot/run_figures.h"
#include "textcrs/report/threat.h"
#include "textcrs/suite/plan.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEndings[] = {".svg", ".pdf", ".png", ".gp"};

// Steps of one file, and within it of one group of panels: in the order of the suite.
struct Group {
  std::string key, title;  // the tag that tells it apart, and the same in words
  std::vector<const SuiteStep*> steps;
};

struct File {
  std::string name;
  std::vector<Group> groups;
};

// Which tag tells the files of a figure apart, and which its panels; "": none does.
struct Layout {
  std::string file, panels;
};

Layout layout_of(const std::string& kind) {
  if (kind == "edits") return {"", "data"};
  if (kind == "frontier" || kind == "speed") return {"data", ""};
  return {"model", "data"};
}

// The variants of an ablation stand in the order of its list.
void sort_by_method(const std::vector<std::string>& methods, std::vector<const SuiteStep*>& steps) {
  const auto place = [&](const SuiteStep* step) {
    return std::find(methods.begin(), methods.end(), step->tag("method")) - methods.begin();
  };
  std::stable_sort(steps.begin(), steps.end(),
                   [&](const SuiteStep* a, const SuiteStep* b) { return place(a) < place(b); });
}

std::vector<File> files_of(const SuiteFigure& figure, const std::vector<const SuiteStep*>& steps) {
  const Layout layout = layout_of(figure.kind);
  std::vector<File> files;
  for (const SuiteStep* const step : steps) {
    const std::string part = layout.file.empty() ? "" : step->tag(layout.file);
    const std::string name = part.empty() ? figure.name : figure.name + "." + part;
    auto file = std::find_if(files.begin(), files.end(),
                             [&](const File& other) { return other.name == name; });
    if (file == files.end()) file = files.insert(files.end(), {name, {}});
    const std::string key = step->tag(layout.panels);
    auto group = std::find_if(file->groups.begin(), file->groups.end(),
                              [&](const Group& other) { return other.key == key; });
    if (group == file->groups.end())
      group = file->groups.insert(group, {key, step->tag(layout.panels + "-title"), {}});
    group->steps.push_back(step);
  }
  if (figure.kind == "toolkit")
    for (File& file : files)
      for (Group& group : file.groups) sort_by_method(figure.show.methods, group.steps);
  return files;
}

// "p=0.3" of "delete:p=0.3", "size=50" of "substitute:kernel=staircase,size=50", "full".
std::string level_in_words(const SuiteStep& step) {
  const std::string noise = step.tag("noise");
  const size_t colon = noise.find(':');
  if (colon == std::string::npos) return step.tag("level");
  const std::string parameters = noise.substr(colon + 1);
  const size_t comma = parameters.find(',');
  return parameters.starts_with("kernel=") && comma != std::string::npos
             ? parameters.substr(comma + 1)
             : parameters;
}

std::set<std::string> values_of(const std::vector<const SuiteStep*>& steps, const char* tag) {
  std::set<std::string> values;
  for (const SuiteStep* const step : steps) values.insert(step->tag(tag));
  return values;
}

// What tells the runs of a group apart: model, method, level, N.
std::vector<std::string> labels_of(const SuiteFigure& figure,
                                   const std::vector<const SuiteStep*>& steps) {
  const bool models = values_of(steps, "model").size() > 1;
  const bool methods = values_of(steps, "method").size() > 1 || figure.kind == "toolkit";
  const bool levels = figure.kind != "toolkit" && values_of(steps, "noise").size() > 1;
  std::vector<std::string> labels;
  for (const SuiteStep* const step : steps) {
    std::string label;
    const auto add = [&](const std::string& part) { add_part(label, part); };
    if (models) add(step->tag("model-title"));
    if (methods) add(step->tag("method-title"));
    if (levels) add(level_in_words(*step));
    if (figure.kind == "samples") add("N = " + step->tag("samples"));
    if (label.empty()) add(step->tag("method-title"));
    labels.push_back(label);
  }
  for (size_t i = 0; i < labels.size(); ++i)
    if (std::count(labels.begin(), labels.end(), labels[i]) > 1 && figure.kind != "toolkit")
      labels[i] = fmt::format("{} ({})", labels[i], steps[i]->name);
  return labels;
}

// The runs of a group are about one data set, some perhaps about fewer of its texts: then each says
// how many.
void count_texts(std::vector<NamedRun>& runs) {
  const auto texts = [](const NamedRun& named) { return named.run.records.size(); };
  if (std::all_of(runs.begin(), runs.end(),
                  [&](const NamedRun& named) { return texts(named) == texts(runs.front()); }))
    return;
  for (NamedRun& named : runs) named.name += ", " + counted(texts(named), "text");
}

plot::Chart chart_of_runs(const SuiteFigure& figure, const Group& group, const fs::path& out) {
  const std::vector<std::string> labels = labels_of(figure, group.steps);
  std::vector<NamedRun> runs;
  for (size_t i = 0; i < group.steps.size(); ++i)
    runs.push_back({labels[i], read_run(folder_of(*group.steps[i], out))});
  if (figure.kind != "toolkit" && figure.kind != "speed") count_texts(runs);
  plot::RunFigureOptions options;
  options.title = "";
  options.anyway = true;
  const std::string& operation = figure.threat.empty() ? figure.operation : figure.threat;
  if (!operation.empty()) options.operations = {parse_operation(operation)};
  if (figure.kind == "radius") return plot::radius_chart(runs, options);
  if (figure.kind == "edits") return plot::edits_chart(runs, options);
  if (figure.kind == "frontier") return plot::frontier_chart(runs, options);
  if (figure.kind == "samples") return plot::samples_chart(runs, options);
  if (figure.kind == "toolkit") return plot::toolkit_chart(runs, options);
  return plot::speed_chart(runs, options);
}

plot::Chart chart_of_attacks(const Group& group, const fs::path& out) {
  std::vector<plot::NamedAttack> attacks;
  for (const SuiteStep* const step : group.steps) {
    const bool many = values_of(group.steps, "method").size() > 1;
    attacks.push_back(plot::read_attack(
        folder_of(*step, out),
        many ? fmt::format("{}, {}", step->tag("method-title"), step->tag("attack-title"))
             : step->tag("attack-title")));
  }
  return plot::attack_chart(attacks);
}

std::string joined(const std::string& first, const std::string& second) {
  if (first.empty() || second.empty()) return first + second;
  return first + ": " + second;
}

// The panels of a file's groups in one chart, each group's beside each other.
class Maker {
 public:
  Maker(const Suite& suite, const std::vector<SuiteStep>& steps, const fs::path& out, int threads,
        StopToken stop)
      : suite_(suite), steps_(steps), out_(out), threads_(threads), stop_(stop) {}

  SuiteFigures run() {
    for (const SuiteFigure& figure : suite_.figures) {
      stop_.check();
      if (figure.sources.empty())
        make_of_steps(figure);
      else
        make_of_vectors(figure);
    }
    return std::move(figures_);
  }

 private:
  void make_of_steps(const SuiteFigure& figure) {
    const std::string kind = figure.kind == "attacks" ? "attack" : "certify";
    std::vector<const SuiteStep*> shown;
    for (const SuiteStep& step : steps_)
      if (step.kind == kind && is_shown(step, figure.show, figure.kind == "samples"))
        shown.push_back(&step);
    if (shown.empty()) figures_.undrawn.push_back({figure.name, "none of its steps is done", {}});
    for (const File& file : files_of(figure, shown)) make_file(figure, file);
  }

  void make_file(const SuiteFigure& figure, const File& file) {
    MadeFigure made;
    made.name = file.name;
    made.chart.title = figure.title;
    std::vector<UndrawnFigure> missing;
    size_t widest = 1;
    for (const Group& group : file.groups) {
      try {
        plot::Chart chart = figure.kind == "attacks" ? chart_of_attacks(group, out_)
                                                     : chart_of_runs(figure, group, out_);
        widest = std::max(widest, chart.panels.size());
        for (plot::Panel& panel : chart.panels) {
          panel.title = joined(group.title, panel.title);
          made.chart.panels.push_back(std::move(panel));
        }
        for (const SuiteStep* const step : group.steps) made.steps.push_back(step->name);
      } catch (const Error& error) {
        // Nothing to show, or no longer readable: the others are drawn.
        if (error.kind() != ErrorKind::kUsage && error.kind() != ErrorKind::kBadInput) throw;
        missing.push_back({file.name, error.what(), group.title});
      }
    }
    figures_.undrawn.insert(figures_.undrawn.end(), missing.begin(), missing.end());
    if (made.chart.panels.empty()) return;
    made.chart.columns =
        widest > 1 ? std::min<size_t>(widest, 3) : std::min<size_t>(made.chart.panels.size(), 3);
    figures_.made.push_back(std::move(made));
  }

  void make_of_vectors(const SuiteFigure& figure) {
    MadeFigure made;
    made.name = figure.name;
    std::vector<plot::WordMatrix> matrices;
    try {
      for (const std::string& source : figure.sources)
        matrices.push_back(plot::load_word_matrix(source));
    } catch (const Error& error) {
      figures_.undrawn.push_back({figure.name, error.what(), {}});
      return;
    }
    if (figure.kind == "values") {
      plot::ValueOptions options;
      options.title = figure.title;
      made.chart = plot::value_chart(matrices, options);
    } else {
      plot::DistanceOptions options;
      options.title = figure.title;
      options.threads = threads_;
      made.chart = plot::distance_chart(matrices, options, stop_);
    }
    figures_.made.push_back(std::move(made));
  }

  const Suite& suite_;
  const std::vector<SuiteStep>& steps_;
  const fs::path& out_;
  int threads_;
  StopToken stop_;
  SuiteFigures figures_;
};

}  // namespace

SuiteFigures make_figures(const Suite& suite, const SuiteManifest& manifest, const fs::path& out,
                          int threads, StopToken stop) {
  const std::vector<SuiteStep> steps = done_steps(manifest);
  return Maker(suite, steps, out, threads, stop).run();
}

void write_figures(const SuiteFigures& figures, const fs::path& out,
                   const std::function<void(const std::string&)>& drawn, StopToken stop) {
  const fs::path folder = out / "figures";
  fs::create_directories(folder);
  std::set<std::string> names;
  for (const UndrawnFigure& figure : figures.undrawn) names.insert(figure.name);
  for (const MadeFigure& figure : figures.made) {
    names.insert(figure.name);
    if (drawn) drawn(figure.name);
    bool script = true;  // once
    for (const char* extension : {".svg", ".pdf", ".png"}) {
      plot::write_figure(figure.chart, folder / (figure.name + extension), script, stop);
      script = false;
    }
  }
  remove_stale(folder, kEndings, names);
}

}  // namespace textcrs
