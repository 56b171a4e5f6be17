#include "textcrs/report/summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "textcrs/base/error.h"

namespace textcrs {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

const std::vector<std::string> kClasses = {"neg", "pos"};

Record text(std::optional<std::string> label, const std::string& prediction,
            std::optional<double> radius, Operation operation = Operation::kDeletion) {
  Record record;
  record.label = std::move(label);
  record.prediction = prediction;
  record.certification.samples = 100;
  record.seconds = 0.5;
  if (radius) {
    record.certification.sound.certified = true;
    record.certification.sound.guarantees = {{operation, kUnitWords, *radius}};
  } else {
    record.certification.abstained = true;
  }
  return record;
}

std::vector<std::pair<double, double>> points(const Curve& curve) {
  std::vector<std::pair<double, double>> list;
  for (const CurvePoint& point : curve.points) list.emplace_back(point.radius, point.share);
  return list;
}

TEST(Summary, CountsTheTextsOfEachWarning) {
  std::vector<Record> records = {text("pos", "pos", 7), text("neg", "neg", 0),
                                 text(std::nullopt, "pos", 90)};
  EXPECT_TRUE(summarize(records, kClasses).warnings.empty());
  EXPECT_EQ(warnings_in_words(summarize(records, kClasses)), "");
  EXPECT_EQ(to_json(summarize(records, kClasses)).find("warnings"), std::string::npos);
  records[1].warnings = {"unknown words"};
  records[2].warnings = {"empty copies", "unknown words"};
  const Summary summary = summarize(records, kClasses);
  EXPECT_THAT(summary.warnings, ElementsAre(std::pair(std::string("unknown words"), size_t{2}),
                                            std::pair(std::string("empty copies"), size_t{1})));
  EXPECT_EQ(warnings_in_words(summary),
            "warning: 2 of 3 texts: unknown words\nwarning: 1 of 3 texts: empty copies\n");
  EXPECT_EQ(warnings_in_words(summarize({records[1]}, kClasses)),
            "warning: 1 of 1 text: unknown words\n");
  EXPECT_NE(
      to_json(summary).find("\"warnings\": {\n    \"unknown words\": 2,\n    \"empty copies\": "
                            "1\n  }"),
      std::string::npos);
}

TEST(Summary, CountsTheTextsThatAFallbackAnswered) {
  std::vector<Record> records = {text("pos", "pos", 7), text("neg", "pos", 0)};
  EXPECT_EQ(to_json(summarize(records, kClasses)).find("by_fallback"), std::string::npos);
  records[1].certification.by_fallback = true;
  const Summary summary = summarize(records, kClasses);
  EXPECT_EQ(summary.by_fallback, 1u);
  EXPECT_NE(to_json(summary).find("\"abstained\": 0,\n  \"by_fallback\": 1,\n  \"samples\""),
            std::string::npos);
  EXPECT_EQ(
      fallback_in_words(summary),
      "1 of 2 texts answered by the fallback: the votes were not clear, nothing is certified");
}

TEST(Summary, WhatIsCertifiedIsNotRoundedUp) {
  EXPECT_THAT(table({{Operation::kEdit, {{0, 2999.0 / 3000}, {1, 0.852}, {2, 2.0 / 3}}}}),
              testing::HasSubstr("    99.9    85.2    66.6\n"));
}

// Right: radii 0, 1, 7 and one abstained on. Wrong: 50. Without a label: 90.
TEST(Summary, CountsByHand) {
  const std::vector<Record> records = {text("pos", "pos", 7),  text("neg", "neg", 0),
                                       text("pos", "neg", 50), text(std::nullopt, "pos", 90),
                                       text("pos", "pos", 1),  text("neg", "neg", std::nullopt)};
  const Summary summary = summarize(records, kClasses);
  EXPECT_EQ(summary.texts, 6u);
  EXPECT_EQ(summary.labelled, 5u);
  EXPECT_EQ(summary.abstained, 1u);
  EXPECT_EQ(summary.samples, 600u);
  EXPECT_EQ(summary.seconds, 3.0);
  EXPECT_EQ(summary.accuracy, 4.0 / 5);
  EXPECT_EQ(summary.answered_accuracy, 3.0 / 5);
  EXPECT_EQ(accuracy_in_words(summary),
            "smoothed accuracy 80.0 % if an abstention counts by its guess, 60.0 % if it counts as "
            "wrong; abstained 1");
  ASSERT_EQ(summary.sound.size(), 1u);
  EXPECT_EQ(summary.sound[0].operation, Operation::kDeletion);
  EXPECT_THAT(points(summary.sound[0]),
              ElementsAre(std::pair(0.0, 3.0 / 5), std::pair(1.0, 2.0 / 5), std::pair(2.0, 1.0 / 5),
                          std::pair(3.0, 1.0 / 5), std::pair(5.0, 1.0 / 5)));
  EXPECT_TRUE(summary.paper.empty());
  // Of all six texts, whether they are right or not; abstained on: one.
  ASSERT_EQ(summary.sound_share.size(), 1u);
  EXPECT_THAT(
      points(summary.sound_share[0]),
      ElementsAre(Pair(0, 5.0 / 6), Pair(1, 4.0 / 6), Pair(2, 3.0 / 6), Pair(3, 3.0 / 6),
                  Pair(5, 3.0 / 6), Pair(10, 2.0 / 6), Pair(20, 2.0 / 6), Pair(50, 2.0 / 6)));
  EXPECT_TRUE(summary.paper_share.empty());
  EXPECT_THAT(summary.answers, ElementsAre(Pair("neg", 2), Pair("pos", 3)));
  EXPECT_EQ(answers_in_words(summary), "answers: 3 pos, 2 neg; abstained 1");
  Summary odd = summary;
  odd.answers[0].first = "x\ny";
  EXPECT_EQ(answers_in_words(odd), "answers: 3 pos, 2 x\\x0ay; abstained 1");
  ASSERT_TRUE(summary.classes);
  EXPECT_EQ(confusion_table(*summary.classes),
            "label \\ answer  neg  pos  no answer\n"
            "neg               1    0          1\n"
            "pos               1    2          0\n");
  EXPECT_FALSE(summary.saved);
  EXPECT_EQ(table(summary.sound),
            "deletion      radius         0       1       2       3       5\n"
            "              %           60.0    40.0    20.0    20.0    20.0\n");
}

TEST(Summary, UnlimitedAndFractionalRadiiHaveTheirPlace) {
  const Summary whole = summarize({text("a", "a", kUnlimited, Operation::kReordering),
                                   text("a", "a", 3, Operation::kReordering)},
                                  {"a"});
  EXPECT_THAT(points(whole.sound[0]),
              ElementsAre(std::pair(0.0, 1.0), std::pair(1.0, 1.0), std::pair(2.0, 1.0),
                          std::pair(3.0, 1.0), std::pair(kUnlimited, 0.5)));
  EXPECT_EQ(table(whole.sound),
            "reordering    radius         0       1       2       3     any\n"
            "              %          100.0   100.0   100.0   100.0    50.0\n");
  const Summary fractions = summarize({text("a", "a", 0.25), text("a", "b", 0.75)}, {"a", "b"});
  EXPECT_THAT(points(fractions.sound[0]),
              ElementsAre(std::pair(0.0, 0.5), std::pair(0.001, 0.5), std::pair(0.002, 0.5),
                          std::pair(0.005, 0.5), std::pair(0.01, 0.5), std::pair(0.02, 0.5),
                          std::pair(0.05, 0.5), std::pair(0.1, 0.5), std::pair(0.2, 0.5)));
}

TEST(Summary, EditsBesideSynonymsHaveACurveOfTheirOwn) {
  std::vector<Record> records = {text("a", "a", 3), text("a", "a", 2), text("a", "b", 4),
                                 text("b", "b", 0)};
  for (Record& record : records) record.certification.sound.synonyms = "a table";
  records[0].certification.sound.edits_beside_synonyms = 2;
  records[1].certification.sound.edits_beside_synonyms = 0;
  records[2].certification.sound.edits_beside_synonyms = 4;  // wrong
  const Summary summary = summarize(records, {"a", "b"});    // the last: not even the synonyms
  EXPECT_EQ(summary.synonyms, "a table");
  EXPECT_EQ(synonyms_table(summary),
            "synonyms      edits          0       1       2\n"
            "              %           50.0    25.0    25.0\n");
  EXPECT_EQ(synonyms_table(summarize({text("a", "a", 3)}, {"a"})), "");
}

TEST(Summary, TheJsonIsFixed) {
  std::vector<Record> records = {text("a", "a", 1), text("b", "b", 2, Operation::kEdit)};
  records[0].certification.paper = records[0].certification.sound;
  records[0].stops = records[1].stops = true;
  records[0].certification.stop = StopReason::kReached;
  const Summary summary = summarize(records, {"a", "b"}, 1000);
  EXPECT_EQ(to_json(summary), R"({
  "texts": 2,
  "labelled": 2,
  "abstained": 0,
  "samples": 200,
  "seconds": 1.0,
  "accuracy": 1.0,
  "answered_accuracy": 1.0,
  "sound": {
    "deletion": [
      {
        "radius": 0,
        "certified_accuracy": 0.5
      },
      {
        "radius": 1,
        "certified_accuracy": 0.5
      }
    ],
    "edit": [
      {
        "radius": 0,
        "certified_accuracy": 0.5
      },
      {
        "radius": 1,
        "certified_accuracy": 0.5
      },
      {
        "radius": 2,
        "certified_accuracy": 0.5
      }
    ]
  },
  "paper": {
    "proved": false,
    "deletion": [
      {
        "radius": 0,
        "certified_accuracy": 0.5
      },
      {
        "radius": 1,
        "certified_accuracy": 0.5
      }
    ]
  },
  "samples_saved": 1800,
  "stops": {
    "reached": 1,
    "all_drawn": 1
  },
  "answers": {
    "a": 1,
    "b": 1
  },
  "certified_share": {
    "sound": {
      "deletion": [
        {
          "radius": 0,
          "certified_share": 0.5
        },
        {
          "radius": 1,
          "certified_share": 0.5
        }
      ],
      "edit": [
        {
          "radius": 0,
          "certified_share": 0.5
        },
        {
          "radius": 1,
          "certified_share": 0.5
        },
        {
          "radius": 2,
          "certified_share": 0.5
        }
      ]
    },
    "paper": {
      "proved": false,
      "deletion": [
        {
          "radius": 0,
          "certified_share": 0.5
        },
        {
          "radius": 1,
          "certified_share": 0.5
        }
      ]
    }
  },
  "classes": [
    {
      "class": "a",
      "texts": 1,
      "answered": 1,
      "right": 1,
      "abstained": 0,
      "precision": 1.0,
      "recall": 1.0,
      "f1": 1.0
    },
    {
      "class": "b",
      "texts": 1,
      "answered": 1,
      "right": 1,
      "abstained": 0,
      "precision": 1.0,
      "recall": 1.0,
      "f1": 1.0
    }
  ],
  "confusion": {
    "a": {
      "a": 1
    },
    "b": {
      "b": 1
    }
  }
}
)");
  EXPECT_EQ(savings_in_words(summary),
            "samples: 200 used (10.0 %), 1800 saved; why each text stopped:\n"
            "  reached           1  the radius is certified\n"
            "  all_drawn         1  no early stop: all samples were drawn");
}

TEST(Summary, WithoutLabelsThereIsACertifiedShare) {
  const Summary summary =
      summarize({text(std::nullopt, "a", 1), text(std::nullopt, "b", std::nullopt)}, {"a", "b"});
  EXPECT_EQ(to_json(summary), R"({
  "texts": 2,
  "labelled": 0,
  "abstained": 1,
  "samples": 200,
  "seconds": 1.0,
  "answers": {
    "a": 1,
    "b": 0
  },
  "certified_share": {
    "sound": {
      "deletion": [
        {
          "radius": 0,
          "certified_share": 0.5
        },
        {
          "radius": 1,
          "certified_share": 0.5
        }
      ]
    }
  }
}
)");
  EXPECT_EQ(table(summary.sound), "");
  EXPECT_FALSE(summary.classes);
  EXPECT_EQ(summarize({}, {"a"}).texts, 0u);
}

// A certificate that is not certified, or of a text that is abstained on, counts for nothing.
TEST(Summary, TheCertifiedShareCountsCertifiedAnswersOnly) {
  Record not_certified = text(std::nullopt, "a", 5), abstained = text(std::nullopt, "a", 5);
  not_certified.certification.sound.certified = false;
  abstained.certification.abstained = true;
  const Summary summary = summarize({not_certified, abstained, text(std::nullopt, "a", 0)}, {"a"});
  EXPECT_THAT(points(summary.sound_share[0]), ElementsAre(Pair(0, 1.0 / 3)));
}

TEST(Summary, ARecordOfAnotherClassIsRefused) {
  try {
    summarize({text("a", "b", 1)}, {"a"});
    ADD_FAILURE() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kBadInput);
    EXPECT_THAT(error.what(), HasSubstr("'b'"));
  }
}

}  // namespace
}  // namespace textcrs
