#include "textcrs/report/class_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/json_parts.h"
#include "report/text_table.h"

namespace textcrs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using Abstentions = ClassReport::Abstentions;

// label: answers; -1: none.
ClassReport report_of(const std::vector<std::string>& classes,
                      const std::vector<std::vector<int>>& answers,
                      Abstentions abstentions = Abstentions::kPossible) {
  ClassReport report(classes, abstentions);
  for (size_t label = 0; label < answers.size(); ++label)
    for (const int answer : answers[label])
      report.add(label, answer < 0 ? std::nullopt : std::optional<size_t>(answer));
  return report;
}

// Four texts of a: three right, one abstained on. Four of b: two right, one taken for a, one for c.
// None of c.
ClassReport by_hand() { return report_of({"a", "b", "c"}, {{0, 0, 0, -1}, {1, 1, 0, 2}}); }

TEST(ClassReport, CountsByHand) {
  const ClassReport report = by_hand();
  EXPECT_EQ(report.texts(), 8u);
  EXPECT_EQ(report.right(), 5u);
  EXPECT_EQ(report.accuracy(), 5.0 / 8);
  EXPECT_EQ(report.count(1, 0), 1u);
  EXPECT_EQ(report.count(0, 1), 0u);
  const ClassFigures a = report.figures(0), b = report.figures(1), c = report.figures(2);
  EXPECT_EQ(a.texts, 4u);
  EXPECT_EQ(a.answered, 4u);
  EXPECT_EQ(a.right, 3u);
  EXPECT_EQ(a.abstained, 1u);
  EXPECT_EQ(a.precision, 3.0 / 4);
  EXPECT_EQ(a.recall, 3.0 / 4);
  EXPECT_EQ(a.f1, 3.0 / 4);
  EXPECT_EQ(b.precision, 1.0);
  EXPECT_EQ(b.recall, 0.5);
  EXPECT_EQ(b.f1, 4.0 / 6);  // the harmonic mean of 1 and 1/2
  EXPECT_EQ(c.texts, 0u);
  EXPECT_EQ(c.precision, 0.0);
  EXPECT_EQ(c.recall, std::nullopt);
  EXPECT_EQ(c.f1, 0.0);
}

TEST(ClassReport, OfNothing) {
  const ClassReport report({"a", "b"}, Abstentions::kNever);
  EXPECT_EQ(report.accuracy(), 0);
  const ClassFigures a = report.figures(0);
  EXPECT_FALSE(a.precision || a.recall || a.f1);
  EXPECT_TRUE(report.largest_confusions(5).empty());
  EXPECT_EQ(class_table(report),
            "class  texts  precision  recall  F1\n"
            "a          0          -       -   -\n"
            "b          0          -       -   -\n");
}

// The square of their number is 80 GB.
TEST(ClassReport, OfManyClassesHoldsWhatIsCounted) {
  constexpr size_t kClasses = 100'000;
  ClassReport report(std::vector<std::string>(kClasses, "a"), Abstentions::kPossible);
  report.add(7, 99'999);
  report.add(7, std::nullopt);
  report.add(99'999, 99'999);
  EXPECT_EQ(report.right(), 1u);
  EXPECT_THAT(report.answers_to(7), ElementsAre(std::pair(size_t{99'999}, size_t{1})));
  EXPECT_THAT(report.answers_to(8), ElementsAre());
  EXPECT_EQ(report.figures(7).texts, 2u);
  EXPECT_EQ(report.figures(7).abstained, 1u);
  EXPECT_EQ(report.figures(99'999).answered, 2u);
  EXPECT_THAT(report.largest_confusions(5), ElementsAre(Confusion{7, 99'999, 1}));
}

TEST(ClassReport, RefusesWhatIsNoClass) {
  ClassReport report({"a", "b"}, Abstentions::kNever);
  EXPECT_THROW(report.add(2, 0), std::logic_error);
  EXPECT_THROW(report.add(0, 2), std::logic_error);
  EXPECT_THROW(report.add(0, std::nullopt), std::logic_error);
  EXPECT_EQ(report.texts(), 0u);
}

TEST(ClassReport, TheLargestConfusionsComeFirst) {
  const ClassReport report =
      report_of({"a", "b", "c"}, {{1, 1, 2, 0, -1}, {0, 2, 2, 2, 1}, {0, 2, 2, 2, 2}});
  EXPECT_THAT(report.largest_confusions(10),
              ElementsAre(Confusion{1, 2, 3}, Confusion{0, 1, 2}, Confusion{0, 2, 1},
                          Confusion{1, 0, 1}, Confusion{2, 0, 1}));
  EXPECT_EQ(report.largest_confusions(2).size(), 2u);
}

TEST(ClassReport, AsTables) {
  const ClassReport report = by_hand();
  EXPECT_EQ(class_table(report),
            "class  texts  precision  recall      F1\n"
            "a          4     75.0 %  75.0 %  75.0 %\n"
            "b          4    100.0 %  50.0 %  66.7 %\n"
            "c          0      0.0 %       -   0.0 %\n");
  EXPECT_EQ(confusion_table(report),
            "label \\ answer  a  b  c  no answer\n"
            "a               3  0  0          1\n"
            "b               1  2  1          0\n"
            "c               0  0  0          0\n");
  EXPECT_EQ(confusion_table(report_of({"neg", "pos"}, {{0, 0, 1}, {1}}, Abstentions::kNever)),
            "label \\ answer  neg  pos\n"
            "neg               2    1\n"
            "pos               0    1\n");
}

TEST(ClassReport, ColumnsOfLongNamesAreNumbered) {
  std::vector<std::string> names;
  for (int i = 1; i <= 12; ++i) names.push_back("a class with a name " + std::to_string(i));
  ClassReport report(names, Abstentions::kNever);
  report.add(1, 11);
  const std::string table = confusion_table(report);
  EXPECT_THAT(table, testing::StartsWith("label \\ answer             1  2  3 "));
  EXPECT_THAT(table, HasSubstr("\n 2 a class with a name 2   0  0  0 "));
  EXPECT_LE(table.find('\n'), 100u);
}

TEST(ClassReport, OfManyClassesTheWorstAndTheLargestConfusions) {
  std::vector<std::string> names;
  for (int i = 0; i < 30; ++i) names.push_back("class" + std::to_string(i));
  ClassReport report(names, Abstentions::kNever);
  for (size_t c = 0; c < 29; ++c) {  // the last has no texts
    for (int texts = 0; texts < 10; ++texts) report.add(c, c);
    for (size_t wrong = 0; wrong < c; ++wrong) report.add(c, (c + 1) % 29);
  }
  const std::string classes = class_table(report), confusions = confusion_table(report);
  EXPECT_THAT(classes, HasSubstr("The 20 of 30 classes with the lowest recall\nclass "));
  EXPECT_THAT(classes, HasSubstr("recall      F1\nclass28     38 "));
  EXPECT_THAT(classes, Not(HasSubstr("class29")));
  EXPECT_EQ(std::count(classes.begin(), classes.end(), '\n'), 22);
  EXPECT_THAT(confusions, HasSubstr("wrong answers\n  texts  label -> answer\n"
                                    "     28  class28 -> class0\n     27  class27 -> class28\n"));
  EXPECT_EQ(std::count(confusions.begin(), confusions.end(), '\n'), 22);
  EXPECT_EQ(confusion_table(ClassReport(names, Abstentions::kNever)),
            "There are no wrong answers\n");
}

TEST(ClassReport, NamesArePrintedInOneLine) {
  const std::vector<std::string> names = {"x\ny", "\x1b[31m" + std::string(5000, 'z')};
  const ClassReport report = report_of(names, {{0, 1}, {1}}, Abstentions::kNever);
  EXPECT_EQ(class_table(report),
            "class                                     texts  precision   recall      F1\n"
            "x\\x0ay                                        2    100.0 %   50.0 %  66.7 %\n"
            "\\x1b[31m" +
                std::string(30, 'z') + "..      1     50.0 %  100.0 %  66.7 %\n");
  const std::string confusions = confusion_table(report);
  EXPECT_EQ(std::count(confusions.begin(), confusions.end(), '\n'), 3) << confusions;
  EXPECT_EQ(confusions.find('\x1b'), confusions.npos);
  nlohmann::ordered_json json;
  add_classes(report, json);
  EXPECT_EQ(json["classes"][1]["class"], names[1]);
}

TEST(ClassReport, AsJson) {
  nlohmann::ordered_json json = {{"texts", 8}};
  add_classes(by_hand(), json);
  EXPECT_EQ(
      json.dump(),
      R"({"texts":8,"classes":[{"class":"a","texts":4,"answered":4,"right":3,"abstained":1,)"
      R"("precision":0.75,"recall":0.75,"f1":0.75},{"class":"b","texts":4,"answered":2,)"
      R"("right":2,"abstained":0,"precision":1.0,"recall":0.5,"f1":0.6666666666666666},)"
      R"({"class":"c","texts":0,"answered":1,"right":0,"abstained":0,"precision":0.0,)"
      R"("recall":null,"f1":0.0}],"confusion":{"a":{"a":3},"b":{"a":1,"b":2,"c":1},"c":{}}})");
  json.clear();
  add_classes(ClassReport({"a"}, Abstentions::kNever), json);
  EXPECT_THAT(json.dump(), Not(HasSubstr("abstained")));
}

TEST(TextTable, CountsCharactersNotBytes) {
  EXPECT_EQ(align({{"caf\xc3\xa9", "n"}, {"tea", "12"}}), "caf\xc3\xa9   n\ntea   12\n");
}

}  // namespace
}  // namespace textcrs
