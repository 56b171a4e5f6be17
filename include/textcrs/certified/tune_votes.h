// Chooses what a model that casts votes is trained for: the edits and the temperature, on held-out
// texts, by the area under the certified curve.
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "textcrs/base/api.h"
#include "textcrs/base/stop.h"
#include "textcrs/train/trainer.h"

namespace TEXTCRS_API textcrs {

struct VoteSetting {
  double edits = 1;
  double temperature = 5;

  bool operator==(const VoteSetting&) const = default;
};

// One setting, trained on the other texts and tried on those held out.
struct VoteTrial {
  VoteSetting setting;
  // Certified accuracy at 0, 1, 2, ... edits; of a model with candidates beside all of them.
  std::vector<double> certified;

  double area() const;  // the mean of `certified`
};

// Settings that are worth trying for texts of so many words (the median), and where every word may
// become any of its candidates.
std::vector<VoteSetting> settings_to_try(int words, bool with_candidates = false);

struct TuneOptions {
  TrainOptions training;  // its votes' edits and temperature, and its checkpoint, are not read
  double held_out = 0.1;  // share of the texts
  int most_edits = 5;     // the end of the curve
  int threads = 0;        // settings that are trained at a time; 0: one per core
  // Keeps the trials that are done, so that an interrupted choice goes on; empty: nowhere.
  std::filesystem::path file;
};

struct TuneProgress {
  size_t done = 0, settings = 0;
};

// In the order of the settings. `classifier` says what is trained, and is not changed. The file of
// another run is a usage Error; an Error of kind kInterrupted once `stop` asks for it.
std::vector<VoteTrial> tune_votes(const Classifier& classifier,
                                  const std::vector<EncodedText>& texts,
                                  const std::vector<VoteSetting>& settings,
                                  const TuneOptions& options,
                                  const std::function<void(const TuneProgress&)>& report = {},
                                  StopToken stop = {});

// The one with the largest area; of equals the first. There is at least one.
const VoteTrial& best_of(const std::vector<VoteTrial>& trials);

// Whether no other trial certifies more at every number of edits, and somewhere more.
bool is_on_frontier(const VoteTrial& trial, const std::vector<VoteTrial>& trials);

}  // namespace textcrs
