#include "textcrs/suite/published.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "text/temporary_folder.h"
#include "textcrs/base/files.h"

namespace textcrs {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

const PublishedNumbers& shipped() {
  static const PublishedNumbers numbers =
      read_published(fs::path(TEXTCRS_SUITES) / "published.toml");
  return numbers;
}

// Of a column, over the rows that have a number.
double average(const PublishedTable& table, size_t column) {
  double sum = 0;
  int rows = 0;
  for (const PublishedTable::Row& row : table.rows)
    if (row.numbers[column]) {
      sum += *row.numbers[column];
      ++rows;
    }
  return sum / rows;
}

std::vector<double> averages(const std::string& name, const std::string& method) {
  const PublishedTable* const table = shipped().find(name, method);
  std::vector<double> list;
  for (size_t i = 0; i < table->columns.size(); ++i) list.push_back(average(*table, i));
  return list;
}

// Printed with one decimal.
auto about(double a, double b, double c, double d, double e) {
  const auto near = [](double value) { return testing::DoubleNear(value, 0.0501); };
  return ElementsAre(near(a), near(b), near(c), near(d), near(e));
}

// The rows "Average" of the paper's own tables, which the file leaves out.
TEST(Published, HasTheAveragesThatThePaperPrints) {
  EXPECT_THAT(averages("certified-attacks", "SAFER"), about(86.5, 80.0, 71.8, 75.7, 66.8));
  EXPECT_THAT(averages("certified-attacks", "CISS"), about(57.5, 65.5, 58.0, 59.1, 54.3));
  EXPECT_THAT(averages("certified-attacks", "Text-CRS"), about(88.0, 86.9, 79.3, 77.1, 77.1));
  EXPECT_THAT(averages("universality", ""), about(78.1, 86.2, 79.3, 77.1, 69.9));
}

// "An average best certified accuracy of 90.2 %" over 24 settings, says the paper's text.
TEST(Published, HasTheAverageBestOfTheBenchmark) {
  const PublishedTable& table = *shipped().find("benchmark");
  double sum = 0;
  int settings = 0;
  for (const char* data : {"AG", "Amazon", "IMDB"})
    for (const char* model : {"LSTM", "BERT"})
      for (const char* operation : {"substitution", "reordering", "insertion", "deletion"}) {
        double best = 0;
        for (const char* level : {"low", "medium", "high"})
          best = std::max(best, table.find({data, model, level}, operation).value());
        sum += best;
        ++settings;
      }
  EXPECT_EQ(settings, 24);
  EXPECT_NEAR(sum / settings, 90.2, 0.0501);
}

TEST(Published, FindsByWhatATableTellsApart) {
  EXPECT_EQ(shipped().find("benchmark")->find({"IMDB", "BERT", "high"}, "deletion"), 89.2);
  EXPECT_EQ(shipped().find("clean")->find({"AG", "LSTM", "medium"}, "insertion"), 86.66);
  EXPECT_EQ(shipped().find("attack-accuracy")->find({"IMDB", "LSTM", "high"}, "TextFooler"), 0);
  EXPECT_EQ(shipped().find("judge", "deception")->find({"IMDB", "LSTM", ""}, "BAE-Insert"), 71);
  EXPECT_EQ(shipped().find("benchmark")->find({"AG", "LSTM", "low"}, "CISS"), std::nullopt);
  EXPECT_EQ(shipped().find("benchmark")->find({"AG", "LSTM", ""}, "SAFER"), std::nullopt);
  EXPECT_EQ(shipped().find("benchmark")->find({"SMS", "LSTM", "low"}, "SAFER"), std::nullopt);
  EXPECT_EQ(shipped().find("benchmark")->find({"AG", "LSTM", "low"}, "prayer"), std::nullopt);
  EXPECT_EQ(shipped().find("benchmark", "SAFER"), nullptr);
  EXPECT_THAT(shipped().paper, HasSubstr("Generalized Certified Robustness Framework"));
}

class PublishedFile : public testing::Test {
 protected:
  std::string refused(const std::string& content) const {
    const fs::path file = work_.path() / "published.toml";
    write_file_atomically(file, content);
    return error_of([&] { read_published(file); });
  }
  TemporaryFolder work_;
};

TEST_F(PublishedFile, SaysWhatIsWrongAndWhere) {
  const std::string head = "paper = \"P\"\n[[table]]\nname = \"clean\"\ntitle = \"T\"\n";
  const std::string columns = "columns = [\"a\", \"b\"]\n";
  EXPECT_EQ(refused(head + columns + "rows = [[\"AG\", 1, \"-\"]]"), "");
  EXPECT_THAT(refused(""), HasSubstr("the published numbers: found no 'paper'"));
  EXPECT_THAT(refused(head), HasSubstr(":2: [[table]]: found no 'columns' or no 'rows'"));
  EXPECT_THAT(
      refused(head + columns + "rows = [[\"AG\", 1]]"),
      HasSubstr(":6: [[table]]: found a row that is no list of 1 to 3 names and 2 numbers"));
  EXPECT_THAT(refused(head + columns + "rows = [[\"AG\", 1, 2],\n[\"IMDB\", 1]]"),
              HasSubstr(":7: [[table]]: found a row that is no list of 1 name and 2 numbers"));
  EXPECT_THAT(refused(head + columns + "rows = [[\"AG\", 1, \"x\"]]"),
              HasSubstr(":6: [[table]]: found a row with something else than numbers"));
  EXPECT_THAT(refused(head + columns + "rows = [[1, 1, 1]]"),
              HasSubstr(":6: [[table]]: found a row without its names in front"));
  EXPECT_THAT(refused(head + columns + "rows = [[\"AG\", 1, 2], [\"AG\", 1, 3]]"),
              HasSubstr(":6: [[table]]: found a second row of the same names"));
  EXPECT_THAT(refused(head + columns + "decimals = 99\nrows = [[\"AG\", 1, 2]]"),
              HasSubstr("found 99 decimals, expected at most 6"));
  EXPECT_THAT(refused(head + columns + "row = [[\"AG\", 1, 2]]"),
              HasSubstr("found the key 'row', which it does not have; did you mean 'rows'?"));
  const std::string table = head.substr(head.find('[')) + columns + "rows = [[\"AG\", 1, 2]]\n";
  EXPECT_THAT(refused("paper = \"P\"\n" + table + table),
              HasSubstr(":7: [[table]]: the name 'clean' is taken"));
}

}  // namespace
}  // namespace textcrs
