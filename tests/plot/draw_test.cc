#include "textcrs/plot/draw.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>
#include <cmath>

#include "plot/gnuplot.h"
#include "plot/hand_made_runs.h"
#include "plot/xml.h"
#include "text/temporary_folder.h"
#include "textcrs/base/files.h"
#include "textcrs/text/printable_name.h"

namespace textcrs::plot {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

// A chart in which one text stands everywhere.
Chart chart_saying(const std::string& text) {
  Series line{.label = text, .points = {{0, 1}, {1, 2}}};
  Panel curves{.title = text, .x = {text}, .y = {text}, .series = {line}, .map = {}};
  curves.x.ticks = {{0.5, text}};
  Panel map;
  map.map = HeatMap{2, {0.1, 0.9}, text};
  return {.title = text, .panels = {curves, map}, .columns = 1, .width = 7};
}

constexpr size_t kPlaces = 7;  // title, panel's title, two axes, a tick, legend, the map's scale

const std::string kHostile[] = {
    "it's 'quoted' and \"quoted\"",
    "a_{b}^{c}@d&{e} {/Symbol a}",
    "back\\slash \\n \\101 \\\\",
    "`touch x` $(touch x) @macro $data",
    "100 % of %s and %g",
    "<b>&amp;</b><script>",
    "Grüße, 评论 für ½",
    "# a comment; exit",
    "END",
};

// A program of gnuplot without what stands in single quotes; those texts go to `texts`.
std::string without_texts(const std::string& script, std::vector<std::string>& texts) {
  std::string rest;
  for (size_t i = 0; i < script.size(); ++i) {
    rest += script[i];
    if (script[i] != '\'') continue;
    std::string text;
    for (++i; i < script.size(); ++i) {
      if (script[i] != '\'')
        text += script[i];
      else if (i + 1 < script.size() && script[i + 1] == '\'')
        text += script[++i];
      else
        break;
    }
    texts.push_back(text);
    rest += '\'';
  }
  return rest;
}

TEST(Formats, AreNamedByTheExtension) {
  EXPECT_EQ(format_of("a/b.svg"), ImageFormat::kSvg);
  EXPECT_EQ(format_of("b.x.pdf"), ImageFormat::kPdf);
  EXPECT_EQ(format_of("b.png"), ImageFormat::kPng);
  for (const char* other : {"b", "b.SVG", "b.jpg", "svg", ".svg", "b.svg.gz", ""})
    EXPECT_THAT(refused([&] { format_of(other); }),
                HasSubstr("expected a name that ends in .svg, .pdf or .png"))
        << other;
}

TEST(Script, HoldsEveryTextInQuotesAndNothingOfItElsewhere) {
  for (const std::string& text : kHostile) {
    SCOPED_TRACE(text);
    for (const ImageFormat format : {ImageFormat::kSvg, ImageFormat::kPdf, ImageFormat::kPng}) {
      std::vector<std::string> texts, plain_texts;
      const std::string rest =
          without_texts(gnuplot_script(chart_saying(text), format, "o"), texts);
      EXPECT_THAT(rest, HasSubstr(" noenhanced "));
      const bool percent = text.find('%') != std::string::npos;  // in a tick, it begins a format
      EXPECT_EQ(std::count(texts.begin(), texts.end(), text), kPlaces - percent);
      if (percent) {
        EXPECT_THAT(texts, Contains("100 %% of %%s and %%g"));
      }
      if (text.find("评") != std::string::npos) continue;  // of another width than a letter
      const auto bytes_that_follow = std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) >> 6) == 2;
      });
      const std::string plain(text.size() - static_cast<size_t>(bytes_that_follow), 'x');
      EXPECT_EQ(rest, without_texts(gnuplot_script(chart_saying(plain), format, "o"), plain_texts));
    }
  }
}

TEST(Script, ShowsControlCharactersAndStrayBytes) {
  const std::string text = std::string("a\nb\tc\x1b[31m\0d", 12) + "\x7f\xff\xc3";
  std::vector<std::string> texts;
  const std::string rest =
      without_texts(gnuplot_script(chart_saying(text), ImageFormat::kSvg, "o"), texts);
  const std::string shown = printable_line(text);
  EXPECT_THAT(shown, HasSubstr("\\x0a"));
  EXPECT_EQ(std::count(texts.begin(), texts.end(), shown), kPlaces);
  EXPECT_THAT(rest, Not(HasSubstr("\x1b")));
}

TEST(Script, WritesTheFileThatItIsTold) {
  EXPECT_THAT(gnuplot_script(chart_saying("a"), ImageFormat::kPng, "it's.png"),
              HasSubstr("set output 'it''s.png'\n"));
}

TEST(Script, RefusesAChartThatIsNone) {
  const auto script = [](const Chart& chart) {
    return gnuplot_script(chart, ImageFormat::kSvg, "o");
  };
  const Chart good = chart_saying("a");
  EXPECT_NO_THROW(script(good));
  EXPECT_THROW(script({}), std::logic_error);
  Chart chart = good;
  chart.columns = 0;
  EXPECT_THROW(script(chart), std::logic_error);
  for (const double value : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    chart = good;
    chart.panels[0].series[0].points[0].y = value;
    EXPECT_THROW(script(chart), std::logic_error);
    chart = good;
    chart.panels[0].series[0].points[1].high = value;
    EXPECT_THROW(script(chart), std::logic_error);
  }
  chart = good;
  chart.panels[0].x.logarithmic = true;  // its first point is at 0
  EXPECT_THROW(script(chart), std::logic_error);
  chart = good;
  chart.panels[1].map->values.push_back(0.5);
  EXPECT_THROW(script(chart), std::logic_error);
  chart.panels[1].map->columns = 0;
  EXPECT_THROW(script(chart), std::logic_error);
}

class Drawing : public WithGnuplot {
 protected:
  // What the drawing says, without spaces around it.
  static std::vector<std::string> texts_in_svg(const Chart& chart) {
    XmlReader reader(draw(chart, ImageFormat::kSvg));
    const auto found = reader.read();
    if (!found) throw std::runtime_error(reader.problem());
    std::vector<std::string> texts;
    for (const XmlText& one : *found) {
      texts.push_back(one.text);
      texts.back().erase(0, one.text.find_first_not_of(" \n\t"));
      texts.back().erase(texts.back().find_last_not_of(" \n\t") + 1);
    }
    return texts;
  }

  TemporaryFolder work_;
};

TEST_F(Drawing, GivesAnSvgThatIsWellFormedAndSaysWhatTheChartSays) {
  for (const std::string& text : kHostile) {
    SCOPED_TRACE(text);
    const std::vector<std::string> texts = texts_in_svg(chart_saying(text));
    // and as the title of the document
    EXPECT_EQ(std::count(texts.begin(), texts.end(), text), kPlaces + 1);
  }
}

// 62.9 % proved are not 63.
TEST_F(Drawing, RoundsTheNumbersOfAHeatMapDown) {
  Panel map;
  map.x.ticks = map.y.ticks = {{0, "a"}, {1, "b"}};
  map.map = HeatMap{2, {0.629, 0.29, 0.006, 0.9999999}, "share"};
  const auto numbers = texts_in_svg({.title = "", .panels = {map}, .columns = 1, .width = {}});
  for (const char* number : {"62", "29", "99"}) EXPECT_THAT(numbers, Contains(number));
  for (const char* number : {"63", "1"}) EXPECT_THAT(numbers, Not(Contains(number)));
}

TEST_F(Drawing, GivesTheSameSvgForTheSameChart) {
  const Chart chart = chart_saying("a");
  EXPECT_EQ(draw(chart, ImageFormat::kSvg), draw(chart, ImageFormat::kSvg));
  EXPECT_NE(draw(chart, ImageFormat::kSvg), draw(chart_saying("b"), ImageFormat::kSvg));
}

TEST_F(Drawing, HasTheTitleOfTheFirstPanelWhereTheChartHasNone) {
  Chart chart = chart_saying("all");
  chart.title.clear();
  chart.panels[0].title = "the first <panel>";
  EXPECT_THAT(draw(chart, ImageFormat::kSvg), HasSubstr("<title>the first &lt;panel&gt;</title>"));
}

TEST_F(Drawing, WritesAFileAndItsProgramThatMakesItAgain) {
  const fs::path file = work_.path() / "it's a figure.png";
  write_figure(chart_saying("a"), file);
  EXPECT_FALSE(fs::exists(work_.path() / "it's a figure.gp"));
  write_figure(chart_saying("a"), file, /*keep_script=*/true);
  const std::string image = read_file(file);
  fs::remove(file);
  const std::string again =
      "cd '" + work_.path().string() + "' && gnuplot \"it's a figure.gp\" >/dev/null 2>&1";
  ASSERT_EQ(std::system(again.c_str()), 0);
  EXPECT_EQ(read_file(file), image);
}

TEST_F(Drawing, StopsWhenItIsAskedTo) {
  const std::atomic<bool> stopped{true};
  try {
    draw(chart_saying("a"), ImageFormat::kSvg, StopToken(stopped));
    ADD_FAILURE() << "it drew";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInterrupted);
  }
}

TEST_F(Drawing, LeavesNoFileWhereTheFormatIsUnknown) {
  EXPECT_NE(refused([&] { write_figure(chart_saying("a"), work_.path() / "a.gif", true); }), "");
  EXPECT_TRUE(fs::is_empty(work_.path()));
}

TEST(WithoutGnuplot, NamesThePackage) {
  const TemporaryFolder empty;
  const std::string path = std::getenv("PATH");
  setenv("PATH", empty.path().c_str(), 1);
  try {
    draw(chart_saying("a"), ImageFormat::kSvg);
    ADD_FAILURE() << "it drew";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kFailed);
    EXPECT_THAT(error.what(), HasSubstr("gnuplot-nox"));
  }
  setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace textcrs::plot
