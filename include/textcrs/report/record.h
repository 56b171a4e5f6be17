// A certified text of a run, and its only JSON form.
//
// {"id": 7, "key": "review-17", "label": "pos", "prediction": "pos", "abstained": false,
//  "correct": true, "words": 8, "counts": [12, 2988], "pa": .., "pb": .., "sound": {"certified":
//  true, ..}, "paper": {"certified": true, "proved": false, ..}, "exact": true, "samples": 3050,
//  "stop": "reached", "single_edits": {..}, "witness": {..}, "not_certified": "the votes were not
//  clear: ..", "warnings": [".."], "seconds": .., "wall_seconds": .., "version": "0.2.0",
//  "text": ".."}
// A certified set also says what is free beside everything else: "canonical", the clusters in which
// a word may be replaced by another, and "stop_words": {"list": "english", "words": 160}. Where the
// classifier's units are sentences, "sentences" stands for "words". Left out where they do not
// apply: key, label and correct, sound, paper, exact, stop, single_edits, witness, not_certified,
// warnings, text; in records of versions before 0.2.0, version and proved; in those of runs before
// wall_seconds was kept, that.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/certify/certifier.h"

namespace TEXTCRS_API textcrs {

struct Record {
  uint32_t id = 0;                   // Example::id
  std::optional<std::string> key;    // Example::key
  std::optional<std::string> label;  // the class it should have, if that is known
  std::string prediction;            // a class, also where it is abstained on
  size_t words = 0;                  // or whatever the unit is
  std::string unit = "word";         // Description::unit
  // After parsing, its prediction is -1, and guarantees have a unit only where the JSON form names
  // one (words and displacements go without). Its warnings are not read: they are below.
  Certification certification;
  bool stops = false;                 // it was sampled under a stop rule
  std::vector<std::string> warnings;  // in words (textcrs/report/warnings.h)
  // That the text was in work. Where several are at once, these overlap: they add up to more than
  // the run took.
  double seconds = 0;
  // Since the record before it was written, or the run was started: these add up to the time that
  // the run took.
  std::optional<double> wall_seconds;
  std::string version;              // textcrs::version(); empty: before 0.2.0
  std::optional<std::string> text;  // if it was asked for

  // Answered, and right; false without a label.
  bool correct() const { return !certification.abstained && label == prediction; }
};

// One line, without its end.
std::string to_json(const Record& record);

// A bad_input Error for anything else; to_json(parse_record(line)) is the line again,
// with "proved" where an older version left it out.
Record parse_record(std::string_view line);

}  // namespace textcrs
