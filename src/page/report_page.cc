#include "textcrs/page/report_page.h"

#include <fmt/format.h>

#include "page/assets.h"
#include "page/content_policy.h"
#include "page/influence.h"
#include "page/page_data.h"
#include "page/run_names.h"
#include "page/sections.h"
#include "textcrs/base/files.h"
#include "textcrs/base/version.h"
#include "textcrs/text/printable_name.h"

namespace textcrs {
namespace {

std::string title_of(const Page& page) {
  std::vector<std::string> names;
  for (const PageRun& run : page.runs) names.push_back(run.view.name);
  for (const AttackView& attack : page.attacks) names.push_back(attack.name);
  if (names.size() == 1) return "Certified robustness: " + printable_line(names[0]);
  return fmt::format("Certified robustness: {} runs", names.size());
}

Page page_of(const std::vector<ReportedRun>& runs, const ReportOptions& options,
             const ReportReporter& report, StopToken stop) {
  Page page;
  for (const ReportedRun& run : runs) {
    stop.check();
    if (is_attack(run.folder)) {
      page.attacks.push_back(attack_view_of(run.name, run.folder));
      continue;
    }
    PageRun made{view_of(printable_line(run.name), run.folder), {}, ""};
    made.examples = choose_examples(made.view, options.examples);
    made.no_colours = colour_examples(run, made.view, options, made.examples, report, stop);
    page.runs.push_back(std::move(made));
  }
  page.how_to_keep_texts = options.how_to_keep_texts;
  page.how_to_colour = options.how_to_colour;
  page.title = options.title.empty() ? title_of(page) : options.title;
  return page;
}

void add_head(const Page& page, Html& html) {
  html.raw("<!DOCTYPE html>\n").open("html", {{"lang", "en"}}).open("head");
  html.single("meta", {{"charset", "utf-8"}});
  html.single("meta", {{"http-equiv", "Content-Security-Policy"},
                       {"content", content_policy(page_script(), page_style())}});
  html.single("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  html.single("meta", {{"name", "color-scheme"}, {"content", "light dark"}});
  html.single("meta", {{"name", "generator"}, {"content", fmt::format("textcrs {}", version())}});
  html.element("title", page.title);
  html.open("style").raw(page_style()).close().close();
}

void add_header(const Page& page, Html& html) {
  html.open("header").element("h1", page.title);
  html.open("nav", {{"aria-label", "Runs"}});
  if (page.runs.size() + page.attacks.size() > 1) {
    html.element("a", "Overview", {{"href", "#overview"}});
    for (size_t i = 0; i < page.runs.size(); ++i)
      html.element(
          "a", page.runs[i].view.name,
          {{"href", fmt::format("#{}", section_id(i))}, {"class", fmt::format("run c{}", i % 7)}});
    for (size_t i = 0; i < page.attacks.size(); ++i)
      html.element("a", "Attack: " + page.attacks[i].name,
                   {{"href", fmt::format("#attack-{}", i + 1)}});
  }
  html.close().close();
}

void write_page(const Page& page, std::ostream& out) {
  Html html;
  add_head(page, html);
  html.open("body");
  add_header(page, html);
  html.open("main");
  if (!page.runs.empty()) add_overview(page, html);
  for (size_t i = 0; i < page.runs.size(); ++i) add_run(page, i, html);
  for (size_t i = 0; i < page.attacks.size(); ++i) add_attack(page.attacks[i], i, html);
  html.close();
  html.open("footer").text(fmt::format("Made by textcrs {}.", version())).close();
  html.open("script", {{"type", "application/json"}, {"id", "report-data"}});
  html.raw(script_json(page_data(page.runs, html.size() + page_script().size()))).close();
  html.open("script").raw(page_script()).close();
  html.close().close();
  out << html.take() << "\n";
}

}  // namespace

void write_report(const std::vector<ReportedRun>& runs, const ReportOptions& options,
                  const std::filesystem::path& out, const ReportReporter& report, StopToken stop) {
  check_names(runs);
  const Page page = page_of(runs, options, report, stop);
  stop.check();
  write_file_atomically(out, [&](std::ostream& stream) { write_page(page, stream); });
}

}  // namespace textcrs
