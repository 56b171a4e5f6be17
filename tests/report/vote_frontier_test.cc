#include "textcrs/report/vote_frontier.h"

#include <gtest/gtest.h>

namespace textcrs {
namespace {

TEST(VoteFrontier, IsATableThatMarksTheBest) {
  const std::vector<VoteTrial> trials = {{{1, 5}, {0.9, 0.5, 0.25, 0.125, 0.0625}},
                                         {{1.5, 10}, {0.8, 0.7, 0.5, 0.25, 0.125}},
                                         {{2, 20}, {0.8, 0.6, 0.5, 0.25, 0.125}}};
  EXPECT_EQ(frontier_table(trials),
            "   edits  temperature  accuracy  at 1  at 2  at 3   area           \n"
            "*      1            5      90.0  50.0  25.0  12.5  36.75           \n"
            "*    1.5           10      80.0  70.0  50.0  25.0  47.50  <- chosen\n"
            "       2           20      80.0  60.0  50.0  25.0  45.50           \n");
}

TEST(VoteFrontier, HasTheColumnsThatTheCurvesReach) {
  const std::string short_curve = frontier_table({{{1, 5}, {1, 1}}});
  EXPECT_NE(short_curve.find("at 1"), std::string::npos);
  EXPECT_EQ(short_curve.find("at 2"), std::string::npos);
  const std::string long_curve = frontier_table({{{1, 5}, std::vector<double>(51, 1)}});
  for (const char* column : {"at 3 ", "at 5 ", "at 10", "at 20", "at 50", "area"})
    EXPECT_NE(long_curve.find(column), std::string::npos) << column;
  EXPECT_EQ(long_curve.find("at 4"), std::string::npos);
}

}  // namespace
}  // namespace textcrs
