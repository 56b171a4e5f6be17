// Runs and attacks that are put together by hand.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "textcrs/base/error.h"
#include "textcrs/plot/attack_figure.h"
#include "textcrs/report/comparison.h"

namespace textcrs::plot {

// A text of the class "pos" of 100 words that is answered right; what is proved of it, and what the
// paper's formula says.
inline Record right(uint32_t id, std::vector<Guarantee> sound = {},
                    std::vector<Guarantee> paper = {}) {
  Record record;
  record.id = id;
  record.label = record.prediction = "pos";
  record.words = 100;
  record.seconds = 0.5;
  record.certification.samples = 1000;
  record.certification.sound.certified = !sound.empty();
  record.certification.sound.guarantees = std::move(sound);
  record.certification.paper.certified = !paper.empty();
  record.certification.paper.guarantees = std::move(paper);
  return record;
}

inline Record wrong(uint32_t id, std::vector<Guarantee> sound = {},
                    std::vector<Guarantee> paper = {}) {
  Record record = right(id, std::move(sound), std::move(paper));
  record.prediction = "neg";
  return record;
}

// Abstained on, with the right guess. Its certificates speak of these edits, and hold nowhere.
inline Record abstained(uint32_t id, std::vector<Guarantee> sound = {},
                        std::vector<Guarantee> paper = {}) {
  Record record = right(id, std::move(sound), std::move(paper));
  record.certification.abstained = true;
  record.certification.sound.certified = record.certification.paper.certified = false;
  return record;
}

inline Record without_label(Record record) {
  record.label.reset();
  return record;
}

inline Guarantee edits(double radius) { return {Operation::kEdit, kUnitWords, radius}; }
inline Guarantee deletions(double radius) { return {Operation::kDeletion, kUnitWords, radius}; }

inline NamedRun run(const std::string& name, const std::string& noise, std::vector<Record> records,
                    const std::vector<Setting>& more = {}) {
  NamedRun named{name, {}};
  named.run.folder = "runs/" + noise;
  named.run.settings = {{"noise", noise},
                        {"split", std::string("test")},
                        {"samples", uint64_t{1000}},
                        {"alpha", 0.001},
                        {"data", std::string("films 0123")}};
  for (const Setting& setting : more) {
    std::erase_if(named.run.settings, [&](const Setting& s) { return s.name == setting.name; });
    named.run.settings.push_back(setting);
  }
  named.run.records = std::move(records);
  named.run.complete = true;
  return named;
}

// The message of the usage Error that `work` throws; "" if it throws none.
inline std::string refused(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage) << error.what();
    return error.what();
  }
  return "";
}

}  // namespace textcrs::plot
