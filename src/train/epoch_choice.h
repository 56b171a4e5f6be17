// Which epoch's weights a training run leaves with.
//
// The best of many epochs on few held-out texts is a matter of luck, and a later epoch has a lower
// learning rate. So a later epoch wins if it is behind the best by no more than chance.
#pragma once

#include <cstddef>
#include <optional>

namespace textcrs {

// So many of `texts` held-out texts are chance next to an accuracy: one standard error, rounded
// down, and two at most. The error is that of the accuracy with two right and two wrong texts added
// (Agresti and Coull), so it is not zero where all texts are right.
int texts_within_chance(double accuracy, size_t texts);

struct EpochChoice {
  struct Epoch {
    int number = 0;                  // counted from 1; 0: none yet
    std::optional<double> accuracy;  // none without held-out texts
  };
  Epoch best;  // the first of those with the best accuracy
  Epoch kept;

  // Takes in the next epoch, measured on so many held-out texts. Without an accuracy every epoch is
  // kept, and none is the best.
  void add(int number, std::optional<double> accuracy, size_t texts);
};

}  // namespace textcrs
